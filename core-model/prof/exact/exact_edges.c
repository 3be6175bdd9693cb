/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `edges`: directions of branches by address. */
#include "core-model/prof/exact/exact_counter.h"

static void exact_edges_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct exact_counter *c = ctx;
    (void)cycle;
    exact_table_at(&c->table, in->pc, (in->events & PROBE_TAKEN) != 0, 0)->count[EXACT_EDGES_TIMES]++;
}

const struct observer_kind observer_exact_edges = {
    .name = "exact-edges",
    .help = "how often each branch went each way",
    .release = exact_counter_release,
};

static struct observer *exact_edges_create(const struct exact_setup *setup)
{
    return exact_counter_new(sizeof(struct exact_counter), &observer_exact_edges, setup->classes, exact_edges_retired);
}

const struct exact_ops exact_edges_ops = {.create = exact_edges_create, .rows = exact_counter_rows};
