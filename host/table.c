/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables: cells are kept until the widths of the columns are known. */
#include "host/table.h"

#include <stdlib.h>
#include <string.h>

struct table {
    struct table_column *columns;
    unsigned count;
    char **cells; /* the first row is the titles */
    size_t used, room;
};

struct table *table_new(const struct table_column *columns, unsigned count)
{
    struct table *t = xcalloc(1, sizeof *t);
    t->count = count;
    t->columns = xmalloc(count * sizeof *columns);
    memcpy(t->columns, columns, count * sizeof *columns);
    for (unsigned c = 0; c < count; c++)
        table_add(t, "%s", columns[c].title);
    return t;
}

void table_free(struct table *t)
{
    for (size_t i = 0; i < t->used; i++)
        free(t->cells[i]);
    free(t->cells);
    free(t->columns);
    free(t);
}

void table_add(struct table *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    if (t->used == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        t->cells = xrealloc(t->cells, t->room * sizeof *t->cells);
    }
    t->cells[t->used++] = text;
}

static int column_width(const struct table *t, unsigned column)
{
    size_t width = 0;
    for (size_t i = column; i < t->used; i += t->count) {
        size_t n = strlen(t->cells[i]);
        width = n > width ? n : width;
    }
    return (int)width;
}

static void print_row(const struct table *t, const int *widths, char *const *cells, FILE *out)
{
    unsigned last = t->count;
    while (last > 0 && cells[last - 1][0] == '\0')
        last--; /* no blanks at the end of a line */
    for (unsigned c = 0; c < last; c++) {
        const char *gap = c ? "  " : "";
        if (t->columns[c].right)
            fprintf(out, "%s%*s", gap, widths[c], cells[c]);
        else if (c + 1 < last)
            fprintf(out, "%s%-*s", gap, widths[c], cells[c]);
        else
            fprintf(out, "%s%s", gap, cells[c]);
    }
    fputc('\n', out);
}

void table_print(const struct table *t, FILE *out)
{
    if (t->used % t->count != 0)
        BUG("table of %u columns has %zu cells", t->count, t->used);
    int *widths = xmalloc(t->count * sizeof *widths);
    for (unsigned c = 0; c < t->count; c++)
        widths[c] = column_width(t, c);
    for (size_t i = 0; i < t->used; i += t->count)
        print_row(t, widths, t->cells + i, out);
    free(widths);
}
