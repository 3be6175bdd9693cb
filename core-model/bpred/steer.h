/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where fetch goes after a control transfer, and what the predictors learn from it when it retires: the part of prediction that knows
 * instructions, shared by the cores. */
#ifndef CORE_MODEL_BPRED_STEER_H
#define CORE_MODEL_BPRED_STEER_H

#include "core-model/bpred/bpred.h"
#include "core-model/riscv/hart.h"

/* The predicted successor of the branch or jump at pc; `o` is what it will do, for the perfect predictor. Shifts *history at conditional
 * branches; *ras (borrowed) says whether the return stack has changed, which bpred_ras_undo takes back. */
uint64_t steer_predict(struct bpred *b, const struct rv_insn *in, uint64_t pc, const struct rv_outcome *o, uint64_t *history,
                       struct bpred_info *info, bool *ras);
/* Is the target of the taken branch or jump at pc known before it is decoded? */
static inline bool steer_knows_target(const struct bpred *b, uint64_t pc) { return b->perfect || bpred_target(b, pc) != 0; }
/* `history` as it was before the instruction. */
void steer_train(struct bpred *b, const struct rv_insn *in, uint64_t pc, uint64_t history, const struct bpred_info *info,
                 const struct rv_outcome *o);

#endif
