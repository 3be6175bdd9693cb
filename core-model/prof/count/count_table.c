/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of counts by address. Entry points: count_table.h. */
#include "core-model/prof/count/count_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/status.h"

void count_table_init(struct count_table *t)
{
    pc_index_init(&t->index);
    t->page = &pc_no_page;
    t->capacity = 256;
    t->row = xcalloc(t->capacity, sizeof *t->row);
}

void count_table_fini(struct count_table *t)
{
    pc_index_fini(&t->index);
    free(t->row);
    t->row = NULL;
}

uint32_t count_table_enter(struct count_table *t, uint64_t pc)
{
    bool is_new;
    const uint32_t at = pc_index_enter(&t->index, pc, &is_new);
    if (!is_new)
        return at;
    if (at == t->capacity) {
        t->capacity *= 2;
        t->row = xrealloc(t->row, t->capacity * sizeof *t->row);
    }
    t->row[at] = (struct count_row){.pc = pc};
    return at;
}

ORDER(count_table_compare, struct count_row, RISING(pc))

struct count_row *count_table_take_rows(struct count_table *t, size_t *count)
{
    struct count_row *rows = t->row;
    *count = t->index.last;
    memmove(rows, rows + 1, *count * sizeof *rows); /* row 0 is unused */
    qsort(rows, *count, sizeof *rows, count_table_compare);
    t->row = NULL;
    count_table_fini(t);
    count_table_init(t);
    return xrealloc(rows, (*count + 1) * sizeof *rows);
}

struct count_row *count_table_rows(const struct count_table *t, size_t *count)
{
    struct count_row *rows = xcalloc((size_t)t->index.last + 1, sizeof *rows);
    *count = t->index.last;
    memcpy(rows, t->row + 1, *count * sizeof *rows);
    qsort(rows, *count, sizeof *rows, count_table_compare);
    return rows;
}
