/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data structures shared by the files of the path reconstruction. */
#ifndef HOST_FAMILY_PATH_GRAPH_H
#define HOST_FAMILY_PATH_GRAPH_H

#include "host/family/path_walk.h"

struct path_graph {
    struct code_graph *cfg;
    const struct code_graph_block *block;
    const struct code_graph_edge *edge;
    const struct path_profile *profile;
    uint64_t *executed; /* by block: number of entries at its start */
    uint64_t *weight;   /* by edge: number of traversals; 0 for PAST_CALL */
};

/* Number of transfers from pc to `next` in the profile. */
uint64_t path_edge_count(const struct path_profile *p, uint64_t pc, uint64_t next);

/* The sample's transfers, the youngest first. */
static inline const struct path_transfer *path_transfers(const struct path_graph *g, const struct path_sample *s)
{
    return &g->profile->transfer[s->first];
}

/* The scheme RECORDS, which needs the instructions but no edges. */
enum path_outcome path_from_records(const struct path_graph *g, const struct path_sample *s, enum path_scope scope,
                                    unsigned length);

#endif
