/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/family/path_graph.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"

uint64_t path_edge_count(const struct path_profile *p, uint64_t pc, uint64_t next)
{
    size_t low = 0, high = p->edges;
    SEARCH(low, high, n, p->edge[n].pc < pc || (p->edge[n].pc == pc && p->edge[n].next < next));
    return low < p->edges && p->edge[low].pc == pc && p->edge[low].next == next ? p->edge[low].count : 0;
}

/* A block is entered by the transfers to its start, and from the preceding block if that falls through. The
 * fall-through edge leads to a higher address, so one pass over the blocks in order is sufficient. */
static void count_blocks(struct path_graph *g, size_t blocks)
{
    for (size_t i = 0; i < g->profile->edges; i++) {
        const struct path_edge *e = &g->profile->edge[i];
        uint32_t b = code_graph_find(g->cfg, e->next);
        if (b != CODE_GRAPH_NONE && g->block[b].start == e->next)
            g->executed[b] += e->count;
    }
    for (uint32_t b = 0; b < blocks; b++) {
        size_t count;
        const uint32_t *in = code_graph_in(g->cfg, b, &count);
        for (size_t i = 0; i < count; i++)
            if (g->edge[in[i]].kind == CODE_GRAPH_FALL)
                g->executed[b] += g->executed[g->edge[in[i]].from];
    }
}

static uint64_t path_graph_weight_of(const struct path_graph *g, const struct code_graph_edge *e)
{
    switch (e->kind) {
    case CODE_GRAPH_FALL:
        return g->executed[e->from];
    case CODE_GRAPH_PAST_CALL:
        return 0;
    case CODE_GRAPH_NOT_TAKEN:
    case CODE_GRAPH_TAKEN:
    case CODE_GRAPH_JUMP:
    case CODE_GRAPH_INDIRECT:
    case CODE_GRAPH_CALL:
        break;
    }
    return path_edge_count(g->profile, g->block[e->from].last, g->block[e->to].start);
}

struct path_graph *path_graph_new(struct code_graph *cfg, const struct path_profile *profile)
{
    struct path_graph *g = xcalloc(1, sizeof *g);
    size_t blocks, edges;
    g->cfg = cfg;
    g->profile = profile;
    g->block = code_graph_blocks(cfg, &blocks);
    g->edge = code_graph_edges(cfg, &edges);
    g->executed = xcalloc(blocks + 1, sizeof *g->executed);
    g->weight = xcalloc(edges + 1, sizeof *g->weight);
    count_blocks(g, blocks);
    for (size_t e = 0; e < edges; e++)
        g->weight[e] = path_graph_weight_of(g, &g->edge[e]);
    return g;
}

void path_graph_free(struct path_graph *g)
{
    if (g == NULL)
        return;
    free(g->executed);
    free(g->weight);
    free(g);
}
