/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `branchpairs`: outcomes of each branch by the outcome of the branch that retired before it
 * (co-processor paper, section 4: "correlations between branch outcomes"). */
#include "core-model/prof/exact/exact_counter.h"

struct branchpairs {
    struct exact_counter counter;
    uint64_t earlier; /* address of the previous branch; 0: none */
    bool taken;       /* its outcome */
};

static void exact_branchpairs_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct branchpairs *p = ctx;
    bool taken = (in->events & PROBE_TAKEN) != 0;
    (void)cycle;
    if (p->earlier != 0) {
        unsigned then_taken = p->taken ? EXACT_BRANCHPAIRS_BOTH : EXACT_BRANCHPAIRS_SECOND;
        unsigned then_not = p->taken ? EXACT_BRANCHPAIRS_FIRST : EXACT_BRANCHPAIRS_NEITHER;
        exact_table_at(&p->counter.table, p->earlier, in->pc, 0)->count[taken ? then_taken : then_not]++;
    }
    p->earlier = in->pc;
    p->taken = taken;
}

EXACT_COUNTER(branchpairs, struct branchpairs, exact_branchpairs_retired)
