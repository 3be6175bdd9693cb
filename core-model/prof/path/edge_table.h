/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact counts of control transfers, by origin and destination. */
#ifndef CORE_MODEL_PROF_EDGE_TABLE_H
#define CORE_MODEL_PROF_EDGE_TABLE_H

#include "isa/contract/pathprof.h"

struct edge_table {
    struct path_edge *row; /* open-addressed; count 0: free */
    size_t capacity, used; /* the capacity is a power of two */
};

/* All zero is an empty table. */
void edge_table_fini(struct edge_table *t);
void edge_table_count(struct edge_table *t, uint64_t pc, uint64_t next);
/* Sorts the rows by pc, then by next, and returns their number. Nothing can be counted afterwards. */
size_t edge_table_sort(struct edge_table *t);

#endif
