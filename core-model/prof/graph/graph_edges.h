/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The edges of the graph of dependences (graph.h), for graph.c, which follows them, and slack.c, which goes back along
 * them. Those of places that become free in any order (struct graph_places) are not among them. */
#ifndef CORE_MODEL_PROF_GRAPH_GRAPH_EDGES_H
#define CORE_MODEL_PROF_GRAPH_GRAPH_EDGES_H

#include "core-model/prof/graph/graph.h"

#define GRAPH_EDGES static inline __attribute__((always_inline)) void

/* Called for each edge to a stage of a node: from a stage of node `from`, which is negative if it is before the graph;
 * the edge takes `cycles`. */
typedef void graph_edge_fn(void *ctx, int64_t from, enum graph_stage stage, int32_t cycles);

/* The causes that an answer is without, as a set of bits by enum graph_cause: those of a node, and of the one before.
 */
struct graph_without {
    unsigned own, before;
};
enum { GRAPH_RIGHT = 1 << GRAPH_CAUSE_BRANCH, GRAPH_ENTERS = 1 << GRAPH_CAUSE_FLUSH };

/* Node 0 has none. */
GRAPH_EDGES graph_edges_fetch(const struct graph *g, int32_t n, struct graph_without without, graph_edge_fn *edge,
                              void *ctx)
{
    const struct graph_node *in = &g->node[n];
    const unsigned before = g->node[n - 1].flags;
    if ((in->flags & GRAPH_BEGINS_PACKET) == 0) {
        edge(ctx, n - 1, GRAPH_FETCH, 0);
        return;
    }
    edge(ctx, n - 1, GRAPH_FETCH, 1);
    if ((before & GRAPH_MISPREDICTED) != 0 && (without.before & GRAPH_RIGHT) == 0)
        edge(ctx, n - 1, GRAPH_DONE, (int32_t)g->redirect_cycles);
    if ((before & (GRAPH_FLUSHES | GRAPH_ALONE)) != 0 && (without.before & GRAPH_ENTERS) == 0)
        edge(ctx, n - 1, GRAPH_RETIRE, (int32_t)g->redirect_cycles);
    edge(ctx, (int64_t)n - g->fetch_buffer, GRAPH_MAP, 0);
    edge(ctx, in->freed_by[GRAPH_PACKETS], GRAPH_RETIRE, 0);
}

GRAPH_EDGES graph_edges_map(const struct graph *g, int32_t n, struct graph_without without, graph_edge_fn *edge,
                            void *ctx)
{
    const struct graph_node *in = &g->node[n];
    const unsigned before = n == 0 || (without.before & GRAPH_ENTERS) != 0 ? 0 : g->node[n - 1].flags,
                   own = (without.own & GRAPH_ENTERS) != 0 ? 0 : in->flags;
    edge(ctx, n, GRAPH_FETCH, (int32_t)g->frontend_cycles);
    edge(ctx, (int64_t)n - 1, GRAPH_MAP, 0);
    edge(ctx, (int64_t)n - g->decode_width, GRAPH_MAP, 1);
    edge(ctx, (int64_t)n - g->rob_entries, GRAPH_RETIRE, 0);
    for (unsigned r = GRAPH_LOADS; r < GRAPH_PACKETS; r++)
        edge(ctx, in->freed_by[r], r == GRAPH_STORES ? GRAPH_DRAIN : GRAPH_RETIRE, 0);
    if (((before | own) & GRAPH_ALONE) != 0)
        edge(ctx, (int64_t)n - 1, GRAPH_RETIRE, 0);
}

GRAPH_EDGES graph_edges_issue(const struct graph *g, int32_t n, graph_edge_fn *edge, void *ctx)
{
    edge(ctx, n, GRAPH_MAP, 1);
    for (unsigned k = 0; k < GRAPH_PRODUCERS; k++)
        edge(ctx, g->node[n].producer[k], GRAPH_DONE, 0);
    edge(ctx, g->node[n].occupant, GRAPH_DONE, 0);
}

GRAPH_EDGES graph_edges_done(const struct graph *g, int32_t n, struct graph_without without, graph_edge_fn *edge,
                             void *ctx)
{
    edge(ctx, n, GRAPH_ISSUE, 0);
    if ((without.own >> GRAPH_CAUSE_FORWARD & 1) == 0)
        edge(ctx, g->node[n].forwarder, GRAPH_DONE, 0);
}

GRAPH_EDGES graph_edges_retire(const struct graph *g, int32_t n, graph_edge_fn *edge, void *ctx)
{
    edge(ctx, n, GRAPH_DONE, 1);
    edge(ctx, (int64_t)n - 1, GRAPH_RETIRE, 0);
    edge(ctx, (int64_t)n - g->commit_width, GRAPH_RETIRE, 1);
}

GRAPH_EDGES graph_edges_drain(const struct graph *g, int32_t n, graph_edge_fn *edge, void *ctx)
{
    edge(ctx, n, GRAPH_RETIRE, 1);
    edge(ctx, g->node[n].older_store, GRAPH_DRAIN, 0);
}

#endif
