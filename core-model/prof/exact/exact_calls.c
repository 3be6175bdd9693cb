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

EXACT_COUNTER(calls, struct exact_counter, exact_calls_retired)
