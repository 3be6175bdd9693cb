/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `edges`: directions of branches by address. */
#include "core-model/prof/exact/exact_counter.h"

static void exact_edges_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct exact_counter *c = ctx;
    (void)cycle;
    exact_table_at(&c->table, in->pc, (in->events & PROBE_TAKEN) != 0, 0)->count[EXACT_EDGES_TIMES]++;
}

EXACT_COUNTER(edges, struct exact_counter, exact_edges_retired)
