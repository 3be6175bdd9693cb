/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/path_score.h"

static void see_entry(void *flow, uint64_t start) { flow_add_entry(flow, start); }

static void see_range(void *flow, uint64_t start, uint64_t end) { flow_add_range(flow, start, end); }

struct flow_graph *path_flow(const struct path_profile *profile, const struct code *code, const struct symbols *symbols)
{
    struct flow_graph *g = flow_new(code);
    if (symbols != NULL) {
        symbols_each_range(symbols, see_range, g);
        symbols_each_entry(symbols, see_entry, g);
    }
    for (size_t i = 0; i < profile->edges; i++)
        flow_add_transfer(g, profile->edge[i].pc, profile->edge[i].next);
    flow_build(g);
    return g;
}

/* Reconstructs a sample's paths of every length. Where the limit on work is exceeded, longer paths are not tried. */
static void score_sample(struct path_score *score, const struct path_graph *g, const struct path_sample *sample,
                         unsigned longest, enum path_scheme scheme, enum path_scope scope)
{
    enum path_outcome outcome = PATH_NONE;
    for (unsigned length = 1; length <= longest; length++) {
        if (outcome != PATH_LIMIT)
            outcome = path_reconstruct(g, sample, scheme, scope, length);
        score->count[scope][scheme][length][outcome]++;
    }
}

void path_score(struct path_score *score, struct flow_graph *flow, const struct path_profile *profile)
{
    struct path_graph *g = path_graph_new(flow, profile);
    *score = (struct path_score){0};
    (void)flow_blocks(flow, &score->blocks);
    (void)flow_edges(flow, &score->edges);
    for (size_t i = 0; i < profile->samples; i++)
        for (int scope = 0; scope < PATH_SCOPES; scope++)
            for (int scheme = 0; scheme < PATH_SCHEMES; scheme++)
                score_sample(score, g, &profile->sample[i], profile->length, (enum path_scheme)scheme,
                             (enum path_scope)scope);
    path_graph_free(g);
}
