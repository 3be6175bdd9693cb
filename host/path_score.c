/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/path_score.h"

static void see_entry(void *cfg, uint64_t start) { cfg_add_entry(cfg, start); }

static void see_range(void *cfg, uint64_t start, uint64_t end) { cfg_add_range(cfg, start, end); }

struct cfg *path_cfg(const struct path_profile *profile, const struct code *code, const struct symbols *symbols)
{
    struct cfg *g = cfg_new(code);
    if (symbols != NULL) {
        symbols_each_range(symbols, see_range, g);
        symbols_each_entry(symbols, see_entry, g);
    }
    for (size_t i = 0; i < profile->edges; i++)
        cfg_add_transfer(g, profile->edge[i].pc, profile->edge[i].next);
    cfg_build(g);
    return g;
}

void path_score(struct path_score *score, struct cfg *cfg, const struct path_profile *profile)
{
    struct path_graph *g = path_graph_new(cfg, profile);
    *score = (struct path_score){0};
    (void)cfg_blocks(cfg, &score->blocks);
    (void)cfg_edges(cfg, &score->edges);
    for (size_t i = 0; i < profile->samples; i++)
        for (int scope = 0; scope < PATH_SCOPES; scope++)
            for (int scheme = 0; scheme < PATH_SCHEMES; scheme++)
                for (unsigned length = 1; length <= profile->length; length++)
                    score->count[scope][scheme][length][path_reconstruct(
                        g, &profile->sample[i], (enum path_scheme)scheme, (enum path_scope)scope, length)]++;
    path_graph_free(g);
}
