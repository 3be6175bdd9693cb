/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/family/path_score.h"

static void see_entry(void *cfg, uint64_t start) { code_graph_add_entry(cfg, start); }

static void see_range(void *cfg, uint64_t start, uint64_t end) { code_graph_add_range(cfg, start, end); }

struct code_graph *path_cfg(const struct path_profile *profile, const struct code *code, const struct symbols *symbols)
{
    struct code_graph *g = code_graph_new(code);
    if (symbols != NULL) {
        symbols_each_range(symbols, see_range, g);
        symbols_each_entry(symbols, see_entry, g);
    }
    for (size_t i = 0; i < profile->edges; i++)
        code_graph_add_transfer(g, profile->edge[i].pc, profile->edge[i].next);
    code_graph_build(g);
    return g;
}

/* Reconstructs a sample's paths of every length. If the work limit is exceeded, longer paths are not tried. */
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

void path_score(struct path_score *score, struct code_graph *cfg, const struct path_profile *profile)
{
    struct path_graph *g = path_graph_new(cfg, profile);
    *score = (struct path_score){0};
    (void)code_graph_blocks(cfg, &score->blocks);
    (void)code_graph_edges(cfg, &score->edges);
    for (size_t i = 0; i < profile->samples; i++)
        for (int scope = 0; scope < PATH_SCOPES; scope++)
            for (int scheme = 0; scheme < PATH_SCHEMES; scheme++)
                score_sample(score, g, &profile->sample[i], profile->length, (enum path_scheme)scheme,
                             (enum path_scope)scope);
    path_graph_free(g);
}
