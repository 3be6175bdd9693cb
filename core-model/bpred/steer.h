/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where fetch goes after a control transfer, and what the predictors learn from it when it retires: the part of
 * prediction that knows instructions, shared by the cores. */
#ifndef CORE_MODEL_BPRED_STEER_H
#define CORE_MODEL_BPRED_STEER_H

#include "core-model/bpred/bpred.h"
#include "core-model/riscv/hart.h"
#include "isa/opclass.h"

/* An indirect jump whose target the return stack does not predict? */
static inline bool steer_is_indirect(const struct rv_insn *in)
{
    return (in->flags & RV_INDIRECT) && in->opclass != OPCLASS_RET && in->opclass != OPCLASS_SWAP;
}
/* Adds an instruction to the history: a branch that is taken or not, or a jump to `target`. */
static inline void steer_note(const struct bpred *b, const struct rv_insn *in, bool taken, uint64_t target,
                              struct bpred_history *history)
{
    if (in->flags & RV_BRANCH)
        bpred_history_branch(history, taken);
    else if (steer_is_indirect(in))
        bpred_history_jump(b, history, target);
}

/* The predicted successor of the branch or jump at pc; `o` is what it will do, for the perfect predictor. Adds the
 * prediction to *history. *ras (borrowed): the return stack has changed, which bpred_ras_undo takes back. */
uint64_t steer_predict(struct bpred *b, const struct rv_insn *in, uint64_t pc, const struct rv_outcome *o,
                       struct bpred_history *history, struct bpred_info *info, bool *ras);
/* Is the target of the taken branch or jump at pc known before it is decoded? */
static inline bool steer_knows_target(const struct bpred *b, uint64_t pc)
{
    return b->perfect || bpred_target(b, pc) != 0;
}
/* `history` as it was before the instruction. */
void steer_train(struct bpred *b, const struct rv_insn *in, uint64_t pc, const struct bpred_history *history,
                 const struct bpred_info *info, const struct rv_outcome *o);

#endif
