/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contract/sharingprof.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"

ORDER(sharing_row_order, struct sharing_row, RISING(address) RISING(bytes) RISING(hart) RISING(pc) RISING(writes))

int sharing_row_compare(const void *a, const void *b) { return sharing_row_order(a, b); }

/* Whether no two harts access the same byte. */
static bool sharing_is_false(const struct sharing_row *row, size_t rows)
{
    for (size_t a = 0; a < rows; a++)
        for (size_t b = a + 1; b < rows; b++)
            if (row[a].hart != row[b].hart && row[b].address < row[a].address + row[a].bytes)
                return false;
    return true;
}

ORDER(sharing_compare_lines, struct sharing_line, FALLING(accesses) RISING(address))

size_t sharing_lines(const struct sharing_profile *p, struct sharing_line **line)
{
    size_t lines = 0;
    *line = xcalloc(p->rows + 1, sizeof **line);
    for (size_t n = 0, end; n < p->rows; n = end) {
        struct sharing_line *l = &(*line)[lines++];
        *l = (struct sharing_line){.address = p->row[n].address / p->line_bytes * p->line_bytes, .first = n};
        for (end = n; end < p->rows && p->row[end].address - l->address < p->line_bytes; end++)
            l->accesses += p->row[end].accesses;
        l->end = end;
        for (size_t row = n; row < end; row++)
            l->is_known |= p->row[row].hart != p->row[n].hart;
        l->is_false = l->is_known && sharing_is_false(&p->row[n], end - n);
    }
    qsort(*line, lines, sizeof **line, sharing_compare_lines);
    return lines;
}

ORDER(sharing_compare_data, struct sharing_row, FALLING(accesses) RISING(address) RISING(hart) RISING(pc))

int sharing_by_accesses(const void *left, const void *right) { return sharing_compare_data(left, right); }
