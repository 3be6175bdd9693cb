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

const struct observer_kind observer_exact_branches = {
    .name = "exact-branches",
    .help = "how often each branch was taken, and how often not",
    .release = exact_counter_release,
};

static struct observer *exact_branches_create(const struct exact_setup *setup)
{
    return exact_counter_new(sizeof(struct exact_counter), &observer_exact_branches, setup->classes,
                             exact_branches_retired);
}

const struct exact_ops exact_branches_ops = {.create = exact_branches_create, .rows = exact_counter_rows};
