/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grids: cells are kept until the widths of the columns are known. Entry points: grid.h. */
#include "host/report/grid.h"

#include <stdlib.h>
#include <string.h>

struct grid {
    bool *left;
    unsigned columns;
    char **cells; /* the first row is the titles */
    size_t used, room;
};

static const char ellipsis[] = "...";
enum { GAP = 2, ELLIPSIS = sizeof ellipsis - 1, MIN_TEXT = ELLIPSIS + 5 };

struct grid *grid_new(const struct grid_column *columns, unsigned count)
{
    struct grid *g = xcalloc(1, sizeof *g);
    g->columns = count;
    g->left = xcalloc(count, sizeof *g->left);
    for (unsigned c = 0; c < count; c++) {
        g->left[c] = columns[c].left;
        grid_add(g, xstrdup(columns[c].title));
    }
    return g;
}

void grid_free(struct grid *g)
{
    for (size_t i = 0; i < g->used; i++)
        free(g->cells[i]);
    free(g->cells);
    free(g->left);
    free(g);
}

void grid_add(struct grid *g, char *text)
{
    if (g->used == g->room) {
        g->room = g->room ? 2 * g->room : 64;
        g->cells = xrealloc(g->cells, g->room * sizeof *g->cells);
    }
    g->cells[g->used++] = text;
}

static size_t column_width(const struct grid *g, unsigned column)
{
    size_t width = 0;
    for (size_t i = column; i < g->used; i += g->columns) {
        size_t n = strlen(g->cells[i]);
        width = n > width ? n : width;
    }
    return width;
}

/* The least width of a column of texts. */
static size_t least_width(const struct grid *g, unsigned column)
{
    size_t title = strlen(g->cells[column]);
    return title > MIN_TEXT ? title : MIN_TEXT;
}

/* Takes the excess from the longest column of texts, as far as that can be shortened, then from the next. */
static void limit_widths(const struct grid *g, size_t *widths, size_t max_width)
{
    size_t sum = GAP * (g->columns - 1);
    for (unsigned c = 0; c < g->columns; c++)
        sum += widths[c];
    while (sum > max_width) {
        unsigned longest = g->columns;
        for (unsigned c = 0; c < g->columns; c++)
            if (g->left[c] && widths[c] > least_width(g, c) && (longest == g->columns || widths[c] > widths[longest]))
                longest = c;
        if (longest == g->columns)
            return;
        size_t excess = sum - max_width, spare = widths[longest] - least_width(g, longest),
               cut = excess < spare ? excess : spare;
        widths[longest] -= cut;
        sum -= cut;
    }
}

/* How many bytes of a text fit before the ellipsis: whole UTF-8 sequences. */
static int bytes_before_ellipsis(const char *text, size_t width)
{
    size_t n = width - ELLIPSIS;
    while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
        n--;
    return (int)n;
}

static void print_cell(const char *text, bool left, bool last, size_t width, FILE *out)
{
    size_t n = strlen(text);
    if (left && n > width) {
        int kept = bytes_before_ellipsis(text, width);
        fprintf(out, "%.*s%s", kept, text, ellipsis);
        n = (size_t)kept + ELLIPSIS;
    } else {
        fprintf(out, "%*s%s", !left && n < width ? (int)(width - n) : 0, "", text);
    }
    if (left && !last && n < width)
        fprintf(out, "%*s", (int)(width - n), "");
}

static void print_row(const struct grid *g, const size_t *widths, char *const *cells, FILE *out)
{
    unsigned last = g->columns;
    while (last > 0 && cells[last - 1][0] == '\0')
        last--; /* no blanks at the end of a line */
    for (unsigned c = 0; c < last; c++) {
        fprintf(out, "%*s", c != 0 ? GAP : 0, "");
        print_cell(cells[c], g->left[c], c + 1 == last, widths[c], out);
    }
    fputc('\n', out);
}

void grid_print(const struct grid *g, unsigned max_width, FILE *out)
{
    if (g->columns == 0)
        return;
    if (g->used % g->columns != 0)
        BUG("a grid of %u columns has %zu cells", g->columns, g->used);
    size_t *widths = xcalloc(g->columns, sizeof *widths);
    for (unsigned c = 0; c < g->columns; c++)
        widths[c] = column_width(g, c);
    if (max_width != 0)
        limit_widths(g, widths, max_width);
    for (size_t i = 0; i < g->used; i += g->columns)
        print_row(g, widths, g->cells + i, out);
    free(widths);
}
