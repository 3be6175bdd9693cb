/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact counts of control transfers, by origin and destination. */
#ifndef CORE_MODEL_PROF_EDGE_TABLE_H
#define CORE_MODEL_PROF_EDGE_TABLE_H

#include "contract/pathprof.h"

struct edge_table {
    struct path_edge *row; /* hash table with open addressing; count 0: free */
    size_t capacity, used; /* the capacity is a power of two */
};

/* Zero-initialised: empty. */
void edge_table_fini(struct edge_table *t);
void edge_table_count(struct edge_table *t, uint64_t pc, uint64_t next);
/* Sorts the rows by pc, then by next, and returns their number. No counting is possible afterwards. */
size_t edge_table_sort(struct edge_table *t);

#endif
