/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functional warming by a log of branches and jumps: translated code writes it, and the predictors are trained by many
 * entries at once, as bpred_warm_direction and its like would one at a time. */
#ifndef CORE_MODEL_BPRED_BRANCH_LOG_H
#define CORE_MODEL_BPRED_BRANCH_LOG_H

#include "core-model/bpred/bpred.h"
#include "core-model/riscv/insn.h"

/* A branch or jump of the program, with what its address alone decides. */
struct branch_site {
    tage_lanes index, tag; /* of struct tage_site */
    struct btb_entry entry;
    uint32_t base; /* of struct tage_site */
    uint32_t set;  /* index of the first entry of the set in the branch target buffer */
    uint8_t opclass;
    uint8_t length_bytes;
    bool is_branch, is_indirect; /* a conditional branch; a jump whose target is in the log */
    bool is_plain;               /* rv_is_plain_indirect */
};

void branch_site_init(const struct bpred *b, const struct rv_insn *in, uint64_t pc, struct branch_site *s);

/* An entry is the number of the site, doubled, plus 1 if a conditional branch is taken. That of an indirect jump is
 * followed by the target's low and high half. */
void branch_log_train(struct bpred *b, struct bpred_history *history, const struct branch_site *sites,
                      const uint32_t *from, const uint32_t *to);

/* The jump at pc, after which the program continues at `next`. */
void bpred_warm_jump(struct bpred *b, struct bpred_history *history, const struct rv_insn *in, uint64_t pc,
                     uint64_t next);

#endif
