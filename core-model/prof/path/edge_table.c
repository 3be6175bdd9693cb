/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/path/edge_table.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"

void edge_table_fini(struct edge_table *t)
{
    free(t->row);
    *t = (struct edge_table){0};
}

/* The row of the pair, or the free row for it. */
static struct path_edge *edge_table_find(const struct edge_table *t, uint64_t pc, uint64_t next)
{
    uint64_t h = pc * UINT64_C(0x9e3779b97f4a7c15) ^ next * UINT64_C(0xc2b2ae3d27d4eb4f);
    size_t i = (size_t)(h ^ h >> 32) & (t->capacity - 1);
    while (t->row[i].count != 0 && (t->row[i].pc != pc || t->row[i].next != next))
        i = (i + 1) & (t->capacity - 1);
    return &t->row[i];
}

static void edge_table_grow(struct edge_table *t)
{
    struct edge_table old = *t;
    t->capacity = old.capacity != 0 ? 2 * old.capacity : 1024;
    t->row = xcalloc(t->capacity, sizeof *t->row);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.row[i].count != 0)
            *edge_table_find(t, old.row[i].pc, old.row[i].next) = old.row[i];
    free(old.row);
}

void edge_table_count(struct edge_table *t, uint64_t pc, uint64_t next)
{
    if (2 * t->used >= t->capacity)
        edge_table_grow(t);
    struct path_edge *e = edge_table_find(t, pc, next);
    if (e->count == 0) {
        *e = (struct path_edge){.pc = pc, .next = next};
        t->used++;
    }
    e->count++;
}

ORDER(edge_table_by_address, struct path_edge, RISING(pc) RISING(next))

size_t edge_table_sort(struct edge_table *t)
{
    size_t n = 0;
    for (size_t i = 0; i < t->capacity; i++)
        if (t->row[i].count != 0)
            t->row[n++] = t->row[i];
    if (n != 0)
        qsort(t->row, n, sizeof *t->row, edge_table_by_address);
    return n;
}
