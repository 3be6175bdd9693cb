/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `targets`: where each indirect jump, call and return went (co-processor paper, section 4). */
#include "core-model/prof/exact/exact_counter.h"

static void exact_targets_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct exact_counter *c = ctx;
    (void)cycle;
    exact_table_at(&c->table, in->pc, in->outcome->next_pc, 0)->count[EXACT_TARGETS_RETIRED]++;
}

EXACT_COUNTER(targets, struct exact_counter, exact_targets_retired)
