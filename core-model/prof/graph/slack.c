/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slack in the graph of dependences (Fields, Bodik and Hill: "Slack: Maximizing Performance Under Technological
 * Constraints", ISCA 2002): the latest cycle of each stage at which the last instruction still retires in time, found
 * backwards from that one. */
#include <stdlib.h>

#include "base/status.h"
#include "core-model/prof/graph/graph_edges.h"

/* Of a node: places of the issue queue and of branch tags. */
struct slack_places {
    int32_t holder[2]; /* the node that frees the place that this one takes; GRAPH_NONE: a place is free anyway */
    /* The next node that takes a place, if as many others as there are places free theirs later than this one; else
     * GRAPH_NONE. */
    int32_t waiter[2];
};
enum { SLACK_QUEUE, SLACK_BRANCH };

/* ---- the order in which places become free in the run ---- */

/* Node n takes a place, and frees it in the cycle. `skipped`: the node before, if it gets a waiter; GRAPH_NONE: none.
 */
static void slack_take_place(struct slack_places *of, struct graph_places *p, unsigned kind, int32_t n, int32_t cycle,
                             int32_t *skipped)
{
    of[n].holder[kind] = p->used == p->size ? p->freed[0].node : GRAPH_NONE;
    if (*skipped != GRAPH_NONE)
        of[*skipped].waiter[kind] = n;
    *skipped = graph_places_free(p, cycle, n) ? GRAPH_NONE : n;
}

static struct slack_places *slack_find_places(struct graph *g)
{
    struct slack_places *of = xcalloc((size_t)g->nodes + 1, sizeof *of);
    int32_t skipped[GRAPH_QUEUES], skipped_branch = GRAPH_NONE;
    for (unsigned q = 0; q < GRAPH_QUEUES; q++)
        skipped[q] = GRAPH_NONE;
    graph_empty_places(g);
    for (int32_t n = 0; n < g->nodes; n++) {
        const struct graph_node *in = &g->node[n];
        of[n] = (struct slack_places){{GRAPH_NONE, GRAPH_NONE}, {GRAPH_NONE, GRAPH_NONE}};
        slack_take_place(of, &g->queue[in->queue], SLACK_QUEUE, n, in->at[GRAPH_ISSUE], &skipped[in->queue]);
        if ((in->flags & GRAPH_BRANCH) != 0)
            slack_take_place(of, &g->branches, SLACK_BRANCH, n, in->at[GRAPH_DONE], &skipped_branch);
    }
    return of;
}

/* ---- backwards ---- */

/* The stages before an edge's end, which may be as late as `latest`. */
struct slack_bound {
    struct graph *graph;
    int32_t latest;
};

static inline __attribute__((always_inline)) void slack_limit(void *ctx, int64_t from, enum graph_stage stage,
                                                              int32_t cycles)
{
    const struct slack_bound *b = ctx;
    if (from >= 0 && b->graph->late[from][stage] > b->latest - cycles)
        b->graph->late[from][stage] = b->latest - cycles;
}

/* The latest cycle that the edges to the stage may give. All that depends on the stage has been visited. */
static struct slack_bound slack_at(struct graph *g, int32_t n, enum graph_stage stage)
{
    return (struct slack_bound){g, g->late[n][stage] - g->node[n].rest[stage]};
}

static void slack_visit_map(struct graph *g, int32_t n, const struct slack_places *of)
{
    const struct graph_without all = {0};
    struct slack_bound b = slack_at(g, n, GRAPH_MAP);
    graph_edges_map(g, n, all, slack_limit, &b);
    slack_limit(&b, of[n].holder[SLACK_QUEUE], GRAPH_ISSUE, 0);
    slack_limit(&b, of[n].holder[SLACK_BRANCH], GRAPH_DONE, 0);
}

/* Limits the stage in which the node frees a place by the rename of its waiter. */
static void slack_wait(struct graph *g, int32_t n, enum graph_stage stage, int32_t waiter)
{
    if (waiter == GRAPH_NONE)
        return;
    struct slack_bound b = slack_at(g, waiter, GRAPH_MAP);
    slack_limit(&b, n, stage, 0);
}

static void slack_visit(struct graph *g, int32_t n, const struct slack_places *of)
{
    const struct graph_without all = {0};
    struct slack_bound b;
    if ((g->node[n].flags & GRAPH_IS_STORE) != 0) {
        b = slack_at(g, n, GRAPH_DRAIN);
        graph_edges_drain(g, n, slack_limit, &b);
    }
    b = slack_at(g, n, GRAPH_RETIRE);
    graph_edges_retire(g, n, slack_limit, &b);
    slack_wait(g, n, GRAPH_DONE, of[n].waiter[SLACK_BRANCH]);
    b = slack_at(g, n, GRAPH_DONE);
    graph_edges_done(g, n, all, slack_limit, &b);
    slack_wait(g, n, GRAPH_ISSUE, of[n].waiter[SLACK_QUEUE]);
    b = slack_at(g, n, GRAPH_ISSUE);
    graph_edges_issue(g, n, slack_limit, &b);
    slack_visit_map(g, n, of);
    b = slack_at(g, n, GRAPH_FETCH);
    if (n > 0)
        graph_edges_fetch(g, n, all, slack_limit, &b);
}

void graph_find_slack(struct graph *g)
{
    struct slack_places *of = slack_find_places(g);
    for (int32_t n = 0; n < g->nodes; n++)
        for (unsigned s = 0; s < GRAPH_STAGES; s++)
            g->late[n][s] = INT32_MAX / 2;
    if (g->nodes > 0)
        g->late[g->nodes - 1][GRAPH_RETIRE] = g->node[g->nodes - 1].at[GRAPH_RETIRE];
    for (int32_t n = g->nodes - 1; n >= 0; n--)
        slack_visit(g, n, of);
    free(of);
}
