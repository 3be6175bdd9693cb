/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `mispredictions`: mispredictions of each branch by the last outcomes in the global history. A
 * longer history would give almost every execution its own row. */
#include "core-model/prof/exact/exact_counter.h"

enum { OUTCOMES = 3 }; /* as the row of exact.def says, and the sample fields history3 and path3 */

struct mispredictions {
    struct exact_counter counter;
    struct exact_setup setup;
};

static void exact_mispredictions_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct mispredictions *m = ctx;
    (void)cycle;
    if (!exact_setup_passes(&m->setup, in->pc))
        return;
    struct exact_row *row = exact_table_at(&m->counter.table, in->pc, sample_low(in->history, OUTCOMES), 0);
    row->count[EXACT_MISPREDICTIONS_EXECUTED]++;
    row->count[EXACT_MISPREDICTIONS_MISPREDICTED] += (in->events & PROBE_MISPREDICTED) != 0;
}

const struct observer_kind observer_exact_mispredictions = {
    .name = "exact-mispredictions",
    .release = exact_counter_release,
};

static struct observer *exact_mispredictions_create(const struct exact_setup *setup)
{
    struct mispredictions *m = exact_counter_new(sizeof *m, &observer_exact_mispredictions, setup->classes,
                                                 exact_mispredictions_retired);
    m->setup = *setup;
    return &m->counter.base;
}

const struct exact_ops exact_mispredictions_ops = {.create = exact_mispredictions_create, .rows = exact_counter_rows};
