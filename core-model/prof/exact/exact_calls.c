/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `calls`: the edges of the call graph by call site. */
#include "core-model/prof/exact/exact_counter.h"

static void exact_calls_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct exact_counter *c = ctx;
    (void)cycle;
    unsigned count = in->insn->opclass == OPCLASS_CALL ? EXACT_CALLS_DIRECT : EXACT_CALLS_INDIRECT;
    exact_table_at(&c->table, in->pc, in->outcome->next_pc, in->insn->opclass)->count[count]++;
}

const struct observer_kind observer_exact_calls = {
    .name = "exact-calls",
    .help = "how often each call site called each callee",
    .release = exact_counter_release,
};

static struct observer *exact_calls_create(const struct exact_setup *setup)
{
    return exact_counter_new(sizeof(struct exact_counter), &observer_exact_calls, setup->classes, exact_calls_retired);
}

const struct exact_ops exact_calls_ops = {.create = exact_calls_create, .rows = exact_counter_rows};
