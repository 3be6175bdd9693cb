/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cycle equivalence of the edges of a graph, by the linear-time algorithm of Johnson, Pearson and Pingali (PLDI 1994).
 * Two edges of a strongly connected graph are equivalent if every cycle through one passes the other, so they are
 * executed equally often. */
#ifndef HOST_ANALYSIS_CYCLE_EQUIVALENCE_H
#define HOST_ANALYSIS_CYCLE_EQUIVALENCE_H

#include <stddef.h>
#include <stdint.h>

struct cycle_edge {
    uint32_t from, to; /* nodes */
};

/* Writes the class of each edge, from 0, to class_of and returns the number of classes. The graph is strongly
 * connected; several edges between two nodes are allowed, and an edge from a node to itself is a class alone. */
uint32_t cycle_equivalence(uint32_t nodes, const struct cycle_edge *edge, uint32_t edges, uint32_t *class_of);

#endif
