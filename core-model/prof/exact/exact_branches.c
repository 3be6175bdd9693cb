/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `branches`: the complete edge profile of direct branches (co-processor paper, section 4). */
#include "core-model/prof/exact/exact_counter.h"

static void exact_branches_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct exact_counter *c = ctx;
    struct exact_row *row = exact_table_at(&c->table, in->pc, 0, 0);
    (void)cycle;
    row->count[(in->events & PROBE_TAKEN) != 0 ? EXACT_BRANCHES_TAKEN : EXACT_BRANCHES_UNTAKEN]++;
}

EXACT_COUNTER(branches, struct exact_counter, exact_branches_retired)
