/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grids: cells are kept until the widths of the columns are known. Entry points: grid.h. */
#include "host/report/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/colour.h"
#include "base/text_width.h"
#include "host/report/fold.h"

struct grid_cell {
    char *text;
    size_t tail_bytes;
    const char *colour; /* escape sequence; NULL: none */
};

struct grid {
    bool *left, *text, *kept;
    unsigned columns;
    struct grid_cell *cells; /* the first row is the titles */
    size_t used, room;
};

static const char ellipsis[] = "...";
/* Texts are shortened to LEGIBLE columns of the terminal, to TIGHT ones if that spares printing the table in parts, and
 * to MIN_TEXT ones if the lines of a part are too long even so. */
enum { GAP = 2, ELLIPSIS = sizeof ellipsis - 1, MIN_TEXT = ELLIPSIS + 5, TIGHT = 16, LEGIBLE = 24 };

struct grid *grid_new(const struct grid_column *columns, unsigned count)
{
    struct grid *g = xcalloc(1, sizeof *g);
    g->columns = count;
    g->left = xcalloc(count, sizeof *g->left);
    g->text = xcalloc(count, sizeof *g->text);
    g->kept = xcalloc(count, sizeof *g->kept);
    for (unsigned c = 0; c < count; c++) {
        g->left[c] = columns[c].left;
        g->text[c] = columns[c].text;
        g->kept[c] = columns[c].kept;
        grid_add(g, xstrdup(columns[c].title), 0);
    }
    return g;
}

void grid_free(struct grid *g)
{
    for (size_t i = 0; i < g->used; i++)
        free(g->cells[i].text);
    free(g->cells);
    free(g->left);
    free(g->text);
    free(g->kept);
    free(g);
}

void grid_add(struct grid *g, char *text, size_t tail_bytes)
{
    if (g->used == g->room) {
        g->room = g->room ? 2 * g->room : 64;
        g->cells = xrealloc(g->cells, g->room * sizeof *g->cells);
    }
    g->cells[g->used++] = (struct grid_cell){text, tail_bytes, NULL};
}

void grid_colour(struct grid *g, const char *begin) { g->cells[g->used - 1].colour = begin; }

/* How wide the columns are, how wide the end of a shortened text is, and which columns are printed. */
struct layout {
    size_t *width, *end_width;
    bool *shown;
    unsigned max_width; /* of a line; 0: no limit */
};

static size_t width_of(const char *text) { return text_columns(text, strlen(text)); }

static size_t widest_cell(const struct grid *g, unsigned column)
{
    size_t width = 0;
    for (size_t i = g->columns + column; i < g->used; i += g->columns) {
        size_t n = width_of(g->cells[i].text);
        width = n > width ? n : width;
    }
    return width;
}

static size_t report_grid_min_of(size_t a, size_t b) { return a < b ? a : b; }
/* The width that leaves room for the tails of a column's texts, and for some of their beginnings; 0: no tails. */
static size_t tail_room(const struct grid *g, unsigned column)
{
    size_t width = 0;
    for (size_t i = g->columns + column; i < g->used; i += g->columns) {
        const struct grid_cell *cell = &g->cells[i];
        size_t n = text_columns(cell->text + strlen(cell->text) - cell->tail_bytes, cell->tail_bytes);
        width = n > width ? n : width;
    }
    return width > 0 ? width + ELLIPSIS + 1 : 0;
}

static size_t report_grid_max_of(size_t a, size_t b) { return a > b ? a : b; }

/* ---- titles, in several lines if the table is too wide ---- */

/* Is there a place between the character and the next one at which a title can be broken? */
static bool is_break(const char *at) { return *at == ' ' || *at == ':' || *at == ','; }

/* The first line of a title in so many bytes: the bytes of it. *next is where the rest begins. */
static size_t title_line(const char *title, size_t width, const char **next)
{
    size_t n = 0;
    for (size_t i = 0; title[i] != '\0'; i++) {
        if (i + 1 > width + (title[i] == ' ') && n != 0)
            break;
        if (is_break(&title[i]) || title[i + 1] == '\0')
            n = i + 1;
    }
    *next = title + n;
    return n != 0 && title[n - 1] == ' ' ? n - 1 : n;
}

/* The least width of a title. */
static size_t widest_part(const char *title)
{
    size_t width = 0;
    while (*title != '\0')
        width = report_grid_max_of(width, title_line(title, 1, &title));
    return width;
}

static unsigned count_lines(const char *title, size_t width)
{
    unsigned lines = 0;
    for (; *title != '\0'; lines++)
        title_line(title, width, &title);
    return lines;
}

/* Line number `line` of a title, the caller's to free; negative: "". */
static char *report_grid_find_line(const char *title, size_t width, int line)
{
    const char *begin = title;
    size_t n = 0;
    for (; line >= 0; line--) {
        begin = title;
        n = title_line(title, width, &title);
    }
    return xasprintf("%.*s", (int)n, begin);
}

/* ---- widths ---- */

/* Has a column of numbers none? Without rows all columns are shown. */
static bool report_grid_is_blank(const struct grid *g, unsigned column)
{
    return !g->text[column] && g->used > g->columns && widest_cell(g, column) == 0;
}

/* The length of a line of the columns that are shown. */
static size_t line_width(const struct grid *g, const struct layout *l)
{
    size_t sum = 0;
    for (unsigned c = 0; c < g->columns; c++)
        if (l->shown[c])
            sum += l->width[c] + (sum != 0 ? GAP : 0);
    return sum;
}

/* Takes the excess of the lines from the columns shown that are wider than their `least`, always from the widest. */
static void narrow(const struct grid *g, struct layout *l, const size_t *least, size_t max_width)
{
    while (line_width(g, l) > max_width) {
        unsigned widest = g->columns;
        for (unsigned c = 0; c < g->columns; c++)
            if (l->shown[c] && l->width[c] > least[c] && (widest == g->columns || l->width[c] > l->width[widest]))
                widest = c;
        if (widest == g->columns)
            return;
        l->width[widest]--;
    }
}

/* Which texts are shortened. */
enum narrowed { NAMES, ALL_BUT_TAILS, ALL };

/* Shortens texts to `text_width` columns at least. */
static void narrow_some(const struct grid *g, struct layout *l, enum narrowed which, size_t text_width,
                        size_t max_width)
{
    size_t *least = xcalloc(g->columns, sizeof *least);
    for (unsigned c = 0; c < g->columns; c++) {
        bool fixed = !g->text[c] || (which == NAMES && g->kept[c]);
        least[c] = fixed ? l->width[c] : report_grid_max_of(widest_part(g->cells[c].text), text_width);
        if (which != ALL)
            least[c] = report_grid_max_of(least[c], tail_room(g, c));
    }
    narrow(g, l, least, max_width);
    free(least);
}

static void narrow_texts(const struct grid *g, struct layout *l, size_t text_width, size_t max_width)
{
    for (enum narrowed which = NAMES; which <= ALL; which++)
        narrow_some(g, l, which, text_width, max_width);
}

/* Gives titles more lines. */
static void narrow_titles(const struct grid *g, struct layout *l, size_t max_width)
{
    size_t *least = xcalloc(g->columns, sizeof *least);
    for (unsigned c = 0; c < g->columns; c++)
        least[c] = report_grid_max_of(widest_part(g->cells[c].text), widest_cell(g, c));
    narrow(g, l, least, max_width);
    free(least);
}

/* ---- texts ---- */

/* The text of a cell in at most `width` columns, the caller's to free: of a longer one the beginning and an end of up
 * to `end_width`, or of its tail. */
static char *shorten(const struct grid_cell *cell, size_t width, size_t end_width)
{
    const char *text = cell->text;
    size_t n = strlen(text);
    if (text_columns(text, n) <= width)
        return xstrdup(text);
    if (cell->tail_bytes > 0)
        end_width = report_grid_min_of(text_columns(text + n - cell->tail_bytes, cell->tail_bytes), width - ELLIPSIS);
    int begin = (int)text_beginning(text, n, width - ELLIPSIS - end_width);
    return xasprintf("%.*s%s%s", begin, text, ellipsis, text + n - text_end(text, n, end_width));
}

static int report_grid_compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The number of different texts in a column that has been shortened so. */
static size_t count_different(const struct grid *g, unsigned column, size_t width, size_t end_width)
{
    size_t rows = g->used / g->columns - 1, different = 0;
    char **texts = xcalloc(rows + 1, sizeof *texts);
    for (size_t r = 0; r < rows; r++)
        texts[r] = shorten(&g->cells[(r + 1) * g->columns + column], width, end_width);
    qsort(texts, rows, sizeof *texts, report_grid_compare_texts);
    for (size_t r = 0; r < rows; r++)
        different += r == 0 || strcmp(texts[r], texts[r - 1]) != 0;
    for (size_t r = 0; r < rows; r++)
        free(texts[r]);
    free(texts);
    return different;
}

/* How much of a column's shortened texts is their end: nothing unless more of them differ by their ends too. */
static size_t choose_end(const struct grid *g, unsigned column, size_t width)
{
    static const unsigned quarters[] = {0, 2, 3, 1, 4};
    size_t room = width - ELLIPSIS, best = 0, most = 0;
    for (size_t i = 0; i < sizeof quarters / sizeof quarters[0]; i++) {
        size_t end_width = room * quarters[i] / 4, different = count_different(g, column, width, end_width);
        if (different > most) {
            most = different;
            best = end_width;
        }
    }
    return best;
}

/* ---- printing ---- */

/* The line of a row, without its end, the caller's to free. `of`: the cells with their colours; NULL: without. */
static char *row_line(const struct grid *g, const struct layout *l, char **cells, const struct grid_cell *of)
{
    char *line = NULL;
    size_t size;
    unsigned last = g->columns;
    FILE *out = xopen_text(&line, &size);
    while (last > 0 && (!l->shown[last - 1] || cells[last - 1][0] == '\0'))
        last--; /* no blanks at the end of a line */
    bool first = true;
    for (unsigned c = 0; c < last; c++) {
        if (!l->shown[c])
            continue;
        size_t width = width_of(cells[c]);
        int blanks = width < l->width[c] ? (int)(l->width[c] - width) : 0;
        fprintf(out, "%*s", first ? 0 : GAP, "");
        const char *colour = of != NULL ? of[c].colour : NULL;
        fprintf(out, "%*s%s%s%s%*s", g->left[c] ? 0 : blanks, "", colour != NULL ? colour : "", cells[c],
                colour != NULL ? COLOUR_END : "", g->left[c] && c + 1 < last ? blanks : 0, "");
        first = false;
    }
    xclose_text(out);
    return line;
}

/* Prints a row, with the colours of the cells `of` unless it is NULL or the line is broken; the cells are freed. */
static void report_grid_print_row(const struct grid *g, const struct layout *l, char **cells,
                                  const struct grid_cell *of, FILE *out)
{
    char *line = row_line(g, l, cells, NULL);
    if (of != NULL && (l->max_width == 0 || width_of(line) <= l->max_width)) {
        char *coloured = row_line(g, l, cells, of);
        fputs(coloured, out);
        free(coloured);
    } else {
        fold_print(line, l->max_width, 0, GAP, out);
    }
    fputc('\n', out);
    free(line);
    for (unsigned c = 0; c < g->columns; c++)
        free(cells[c]);
}

/* The last line of each title is next to the column's cells. */
static void print_titles(const struct grid *g, const struct layout *l, FILE *out)
{
    char **cells = xcalloc(g->columns, sizeof *cells);
    unsigned lines = 1;
    for (unsigned c = 0; c < g->columns; c++) {
        unsigned n = l->shown[c] ? count_lines(g->cells[c].text, l->width[c]) : 0;
        lines = n > lines ? n : lines;
    }
    for (unsigned line = 0; line < lines; line++) {
        for (unsigned c = 0; c < g->columns; c++) {
            unsigned n = count_lines(g->cells[c].text, l->width[c]);
            cells[c] = report_grid_find_line(g->cells[c].text, l->width[c], (int)line - (int)(lines - n));
        }
        report_grid_print_row(g, l, cells, NULL, out);
    }
    free(cells);
}

static void print_cells(const struct grid *g, const struct layout *l, FILE *out)
{
    char **cells = xcalloc(g->columns, sizeof *cells);
    for (size_t i = g->columns; i < g->used; i += g->columns) {
        for (unsigned c = 0; c < g->columns; c++)
            cells[c] = g->text[c] ? shorten(&g->cells[i + c], l->width[c], l->end_width[c])
                                  : xstrdup(g->cells[i + c].text);
        report_grid_print_row(g, l, cells, &g->cells[i], out);
    }
    free(cells);
}

/* Prints the columns that are shown. */
static void report_grid_print_part(const struct grid *g, struct layout *l, FILE *out)
{
    for (unsigned c = 0; c < g->columns; c++)
        if (g->text[c])
            l->end_width[c] = l->width[c] < widest_cell(g, c) ? choose_end(g, c, l->width[c]) : 0;
    print_titles(g, l, out);
    print_cells(g, l, out);
}

/* ---- parts ---- */

/* Gives the columns that are shown their natural widths. */
static void widen(const struct grid *g, struct layout *l)
{
    for (unsigned c = 0; c < g->columns; c++)
        l->width[c] = report_grid_max_of(width_of(g->cells[c].text), widest_cell(g, c));
}

/* Shows the texts and, from column `c` on, as many numbers as fit beside them, one at least. Returns the first column
 * that did not fit. */
static unsigned show_part(const struct grid *g, struct layout *l, unsigned c)
{
    bool some = false;
    memcpy(l->shown, g->text, g->columns * sizeof *g->text);
    for (; c < g->columns; c++) {
        if (g->text[c] || report_grid_is_blank(g, c))
            continue;
        l->shown[c] = true;
        if (some && line_width(g, l) > l->max_width) {
            l->shown[c] = false;
            return c;
        }
        some = true;
    }
    return c;
}

/* Prints the table in parts, with the texts in each of them. Which numbers a part has follows from texts of at most two
 * thirds of a line; then the part has the widths that fit it. */
static void print_parts(const struct grid *g, struct layout *l, FILE *out)
{
    size_t *narrow_width = xcalloc(g->columns, sizeof *narrow_width);
    memcpy(l->shown, g->text, g->columns * sizeof *g->text);
    narrow_texts(g, l, MIN_TEXT, l->max_width / 3 * 2);
    memcpy(narrow_width, l->width, g->columns * sizeof *narrow_width);
    for (unsigned c = 0; c < g->columns;) {
        if (c != 0)
            fputc('\n', out);
        memcpy(l->width, narrow_width, g->columns * sizeof *narrow_width);
        c = show_part(g, l, c);
        widen(g, l);
        narrow_titles(g, l, l->max_width);
        narrow_texts(g, l, MIN_TEXT, l->max_width);
        report_grid_print_part(g, l, out);
    }
    free(narrow_width);
}

/* Breaks titles and shortens texts, the texts of a table that can be printed in parts no further than they are legible.
 */
static void fit(const struct grid *g, struct layout *l, bool has_parts)
{
    narrow_titles(g, l, l->max_width);
    if (has_parts) {
        narrow_some(g, l, NAMES, LEGIBLE, l->max_width);
        narrow_some(g, l, NAMES, TIGHT, l->max_width);
    } else {
        narrow_texts(g, l, MIN_TEXT, l->max_width);
    }
}

void grid_print(const struct grid *g, unsigned max_width, FILE *out)
{
    unsigned numbers = 0;
    if (g->columns == 0)
        return;
    if (g->used % g->columns != 0)
        BUG("a grid of %u columns has %zu cells", g->columns, g->used);
    struct layout l = {.width = xcalloc(g->columns, sizeof *l.width),
                       .end_width = xcalloc(g->columns, sizeof *l.end_width),
                       .shown = xcalloc(g->columns, sizeof *l.shown),
                       .max_width = max_width};
    for (unsigned c = 0; c < g->columns; c++) {
        l.shown[c] = !report_grid_is_blank(g, c);
        numbers += l.shown[c] && !g->text[c];
    }
    widen(g, &l);
    if (max_width != 0)
        fit(g, &l, numbers > 1);
    if (max_width != 0 && numbers > 1 && line_width(g, &l) > max_width)
        print_parts(g, &l, out);
    else
        report_grid_print_part(g, &l, out);
    free(l.width);
    free(l.end_width);
    free(l.shown);
}
