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

const struct observer_kind observer_exact_branchpairs = {
    .name = "exact-branchpairs",
    .help = "outcomes of branches by that of the branch before",
    .release = exact_counter_release,
};

static struct observer *exact_branchpairs_create(const struct exact_setup *setup)
{
    return exact_counter_new(sizeof(struct branchpairs), &observer_exact_branchpairs, setup->classes,
                             exact_branchpairs_retired);
}

const struct exact_ops exact_branchpairs_ops = {.create = exact_branchpairs_create, .rows = exact_counter_rows};
