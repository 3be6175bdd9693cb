/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the path reconstruction share. */
#ifndef HOST_PATH_GRAPH_H
#define HOST_PATH_GRAPH_H

#include "host/path_walk.h"

struct path_graph {
    struct code_graph *cfg;
    const struct code_graph_block *block;
    const struct code_graph_edge *edge;
    const struct path_profile *profile;
    uint64_t *executed; /* by block: how often it was entered at its start */
    uint64_t *weight;   /* by edge: how often control took it; 0 of PAST_CALL */
};

/* How often control went from pc to `next`, by the profile. */
uint64_t path_edge_count(const struct path_profile *p, uint64_t pc, uint64_t next);

/* The sample's transfers, the youngest first. */
static inline const struct path_transfer *path_transfers(const struct path_graph *g, const struct path_sample *s)
{
    return &g->profile->transfer[s->first];
}

/* The scheme RECORDS: it needs the instructions and no edges. */
enum path_outcome path_from_records(const struct path_graph *g, const struct path_sample *s, enum path_scope scope,
                                    unsigned length);

#endif
