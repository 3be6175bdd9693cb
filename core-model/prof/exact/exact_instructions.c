/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `instructions`: retirements by address. */
#include "core-model/prof/exact/exact_counter.h"

static void retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct exact_counter *c = ctx;
    (void)cycle;
    exact_table_at(&c->table, in->pc, 0, 0)->count[EXACT_INSTRUCTIONS_RETIRED]++;
}

const struct observer_kind observer_exact_instructions = {
    .name = "exact-instructions",
    .help = "how often each instruction retired",
    .release = exact_counter_release,
};

static struct observer *create(const struct exact_setup *setup)
{
    return exact_counter_new(sizeof(struct exact_counter), &observer_exact_instructions, setup->classes, retired);
}

const struct exact_ops exact_instructions_ops = {.create = create, .rows = exact_counter_rows};
