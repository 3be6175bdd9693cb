/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prediction of a control transfer's successor at fetch, and training of the predictors at retirement: the
 * instruction-specific part of branch prediction, shared by the cores. */
#ifndef CORE_MODEL_BPRED_STEER_H
#define CORE_MODEL_BPRED_STEER_H

#include "contract/opclass.h"
#include "core-model/bpred/bpred.h"
#include "core-model/riscv/hart.h"

/* Adds a branch with its direction, or a jump to `target`, to the history. */
static inline void steer_note(const struct bpred *b, const struct rv_insn *in, bool taken, uint64_t target,
                              struct bpred_history *history)
{
    if (in->flags & RV_BRANCH)
        bpred_history_branch(history, taken);
    else if (rv_is_plain_indirect(in))
        bpred_history_jump(b, history, target);
}

/* Predicted successor of the branch or jump at pc; `o` is its outcome, for the perfect predictor. Adds the prediction
 * to *history. Sets *ras if the return address stack changed, which bpred_ras_undo undoes. */
uint64_t steer_predict(struct bpred *b, const struct rv_insn *in, uint64_t pc, const struct rv_outcome *o,
                       struct bpred_history *history, struct bpred_info *info, bool *ras);
/* Returns whether the target of the taken branch or jump at pc is known before decode. */
static inline bool steer_knows_target(const struct bpred *b, uint64_t pc)
{
    return b->perfect || bpred_target(b, pc) != 0;
}
/* `history`: the history before the instruction. */
void steer_train(struct bpred *b, const struct rv_insn *in, uint64_t pc, const struct bpred_history *history,
                 const struct bpred_info *info, const struct rv_outcome *o);

#endif
