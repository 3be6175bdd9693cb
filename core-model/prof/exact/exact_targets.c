/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `targets`: where each indirect jump, call and return went (co-processor paper, section 4). */
#include "core-model/prof/exact/exact_counter.h"

static void exact_targets_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct exact_counter *c = ctx;
    (void)cycle;
    exact_table_at(&c->table, in->pc, in->outcome->next_pc, 0)->count[EXACT_TARGETS_RETIRED]++;
}

const struct observer_kind observer_exact_targets = {
    .name = "exact-targets",
    .help = "where each jump, call and return went",
    .release = exact_counter_release,
};

static struct observer *exact_targets_create(const struct exact_setup *setup)
{
    return exact_counter_new(sizeof(struct exact_counter), &observer_exact_targets, setup->classes,
                             exact_targets_retired);
}

const struct exact_ops exact_targets_ops = {.create = exact_targets_create, .rows = exact_counter_rows};
