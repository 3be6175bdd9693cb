/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contract/graphprof.h"

#include <string.h>

#include "base/order.h"

const struct graph_profile *graph_profile_main(const struct graph_result *g)
{
    for (unsigned n = 0; g != NULL && n < g->profiles; n++)
        if (g->profile[n].is_whole)
            return &g->profile[n];
    return g != NULL && g->profiles > 0 ? &g->profile[0] : NULL;
}

ORDER(graph_row_order, struct graph_row, RISING(pc) ALPHABETIC(removed))

int graph_row_compare(const void *a, const void *b) { return graph_row_order(a, b); }
