/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `paths`: paths that end at a conditional branch, identified by the branch history at its fetch.
 * The history of a retired instruction is that of the correct path. */
#include "core-model/prof/exact/exact_counter.h"

enum { OUTCOMES = 8 }; /* as the row of exact.def says, and the sample field path8 */

static void exact_paths_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct exact_counter *c = ctx;
    (void)cycle;
    uint32_t path = sample_path_key(sample_pc32(in->pc), in->history, OUTCOMES);
    struct exact_row *row = exact_table_at(&c->table, path, 0, 0);
    row->count[EXACT_PATHS_EXECUTIONS]++;
    row->count[EXACT_PATHS_MISPREDICTED] += (in->events & PROBE_MISPREDICTED) != 0;
    row->count[EXACT_PATHS_CYCLES] += in->stage_cycle[PROBE_RETIRED] - in->retired_before;
}

const struct observer_kind observer_exact_paths = {
    .name = "exact-paths",
    .release = exact_counter_release,
};

static struct observer *exact_paths_create(const struct exact_setup *setup)
{
    uint32_t branches = setup->classes & 1u << OPCLASS_BRANCH;
    struct exact_counter *c = exact_counter_new(sizeof *c, &observer_exact_paths, branches, exact_paths_retired);
    c->base.probe.cycles = 1u << PROBE_RETIRED;
    return &c->base;
}

const struct exact_ops exact_paths_ops = {.create = exact_paths_create, .rows = exact_counter_rows};
