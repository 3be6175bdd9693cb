/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of the text form: of a row with nested rows the first ones are shown, a line each. Entry point: text.h. */
#include <stdlib.h>
#include <string.h>

#include "base/colour.h"
#include "base/order.h"
#include "host/report/fold.h"
#include "host/report/grid.h"
#include "host/report/template.h"
#include "host/report/text.h"
#include "host/report/words.h"

static const struct report_column *report_text_table_column_of(const struct text_column *s)
{
    return &s->table->column[s->column];
}

static int compare_shown(const void *a, const void *b)
{
    const struct text_column *x = a, *y = b;
    unsigned at_x = report_text_table_column_of(x)->at, at_y = report_text_table_column_of(y)->at;
    return at_x != at_y ? (at_x > at_y) - (at_x < at_y) : (x->order > y->order) - (x->order < y->order);
}

static void choose_of(const struct report_table *t, struct text_column **list, unsigned *count)
{
    for (unsigned c = 0; c < t->columns; c++) {
        if (t->column[c].title != NULL) {
            *list = xrealloc(*list, (*count + 1) * sizeof **list);
            (*list)[*count] = (struct text_column){.table = t, .column = c, .order = *count};
            ++*count;
        }
        if (t->nested[c] != NULL && t->parent == NULL)
            choose_of(t->nested[c], list, count);
    }
}

struct text_column *text_choose_columns(const struct report_table *t, unsigned *count)
{
    struct text_column *list = NULL;
    *count = 0;
    choose_of(t, &list, count);
    if (*count != 0)
        qsort(list, *count, sizeof *list, compare_shown);
    return list;
}

/* The number of nested rows that are shown, a line each. */
static size_t nested_shown(const struct report_table *n, const struct report_cell *rows)
{
    int least_of = n->least_of != NULL ? report_find_column(n, NULL, n->least_of) : -1;
    size_t shown = 0;
    for (; shown < rows->rows.count && (n->limit == 0 || shown < n->limit); shown++) {
        if (shown == 0 || least_of < 0)
            continue;
        const struct report_cell *c = report_cell_at(n, rows->rows.first + shown, (unsigned)least_of);
        double x = c->type == REPORT_COUNT                             ? (double)c->count
                   : c->type == REPORT_SHARE || c->type == REPORT_REAL ? c->real
                                                                       : 0;
        if (x < n->least)
            break;
    }
    return shown;
}

static bool is_zero(const struct report_cell *c)
{
    switch (c->type) {
    case REPORT_COUNT:
    case REPORT_HEX:
        return c->count == 0;
    case REPORT_REAL:
    case REPORT_SHARE:
        return c->real == 0;
    case REPORT_ADDRESS:
        return c->place->pc == 0;
    default:
        return false;
    }
}

static const struct report_cell *member_cell(const struct report_table *t, size_t row, const char *member)
{
    int column = member != NULL ? report_find_column(t, NULL, member) : -1;
    return column >= 0 ? report_cell_at(t, row, (unsigned)column) : NULL;
}

/* The member of the column's group that has the largest count; "" where all are absent. */
static char *largest_text(const struct report_table *t, size_t row, const char *group)
{
    const char *name = "";
    uint64_t largest = 0;
    for (unsigned c = 0; c < t->columns; c++) {
        const struct report_cell *cell = report_cell_at(t, row, c);
        bool in_group = group != NULL && t->column[c].group != NULL && strcmp(t->column[c].group, group) == 0;
        if (!in_group || cell->type != REPORT_COUNT || (name[0] != '\0' && cell->count <= largest))
            continue;
        name = t->column[c].member != NULL ? t->column[c].member : "";
        largest = cell->count;
    }
    return xstrdup(name);
}

static char *letters_text(const struct report_table *t, size_t row)
{
    char *letters = xstrdup("");
    for (unsigned c = 0; c < t->columns; c++) {
        const struct report_cell *cell = report_cell_at(t, row, c);
        if (t->column[c].letter == NULL || cell->type != REPORT_FLAG || !cell->flag)
            continue;
        char *longer = xasprintf("%s%s", letters, t->column[c].letter);
        free(letters);
        letters = longer;
    }
    return letters;
}

static char *share_of_total(uint64_t n, const struct report_column *c)
{
    struct report_cell share = {.type = REPORT_SHARE, .real = c->total != 0 ? (double)n / (double)c->total : 0};
    return cell_text(&share, &(struct number_style){.decimals = c->decimals});
}

/* With the member that follows it, if there is one. */
static char *with_suffix(char *text, const struct report_table *t, size_t row, const struct report_column *c)
{
    const struct report_cell *suffix = member_cell(t, row, c->suffix_of);
    if (c->suffix == NULL || suffix == NULL || suffix->type == REPORT_ABSENT)
        return text;
    char *more = cell_text(suffix, &(struct number_style){0}), *both = xasprintf("%s%s%s", text, c->suffix, more);
    free(more);
    free(text);
    return both;
}

static char *report_text_table_shown_text(const struct text_column *s, size_t row)
{
    const struct report_table *t = s->table;
    const struct report_column *c = report_text_table_column_of(s);
    const struct report_cell *cell = report_cell_at(t, row, s->column), *flag = member_cell(t, row, c->flag);
    if (c->type == REPORT_LARGEST)
        return largest_text(t, row, c->group);
    if (c->type == REPORT_LETTERS)
        return letters_text(t, row);
    if (flag != NULL && flag->type == REPORT_FLAG && flag->flag)
        return xstrdup(c->flag_text != NULL ? c->flag_text : "");
    /* Each row has a cell of each column. */
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    if (cell->type == REPORT_ABSENT || cell->type == REPORT_ROWS)
        return xstrdup(c->absent != NULL ? c->absent : "");
    if (c->zero != NULL && is_zero(cell))
        return xstrdup(c->zero);
    if (c->of_total && cell->type == REPORT_COUNT)
        return share_of_total(cell->count, c);
    if (c->function && cell->type == REPORT_TEXT)
        return with_suffix(names_show(s->names, cell->text), t, row, c);
    return with_suffix(cell_text(cell, &(struct number_style){.decimals = c->decimals,
                                                              .plain = c->plain,
                                                              .sign = c->sign,
                                                              .percent = c->percent,
                                                              .names = s->names}),
                       t, row, c);
}

/* The colour of a cell; NULL: none. */
static const char *text_table_colour(const struct text_column *s, size_t row)
{
    const struct report_column *c = report_text_table_column_of(s);
    const struct report_cell *cell = report_cell_at(s->table, row, s->column);
    if (!s->colours || !c->heat)
        return NULL;
    if (cell->type == REPORT_COUNT && c->of_total && c->total != 0)
        return colour_of_heat((double)cell->count / (double)c->total);
    return cell->type == REPORT_SHARE ? colour_of_heat(cell->real) : NULL;
}

/* Adds the cell of a line of a row: the row's own are in line `own`, nested ones in a line each from the first one on.
 * Of a place the name is shortened. */
static void report_text_table_add_cell(struct grid *g, const struct text_column *s, const struct report_table *t,
                                       size_t row, size_t line, size_t own)
{
    if (s->table == t ? line != own : line >= s->lines) {
        grid_add(g, xstrdup(""), 0);
        return;
    }
    if (s->table != t)
        row = report_cell_at(t, row, s->table->parent_column)->rows.first + line;
    char *text = report_text_table_shown_text(s, row);
    size_t tail_bytes = cell_tail(report_cell_at(s->table, row, s->column));
    grid_add(g, text, tail_bytes < strlen(text) ? tail_bytes : 0);
    grid_colour(g, text_table_colour(s, row));
}

static void report_text_table_add_row(struct grid *g, const struct report_table *t, size_t row,
                                      struct text_column *list, unsigned count)
{
    size_t lines = 1, above = 0; /* above: lines of nested rows that are above the row */
    for (unsigned i = 0; i < count; i++) {
        struct text_column *s = &list[i];
        s->lines = s->table == t ? 1 : nested_shown(s->table, report_cell_at(t, row, s->table->parent_column));
        above = s->table->above && s->lines > above ? s->lines : above;
        lines = s->lines > lines ? s->lines : lines;
    }
    lines = lines > above ? lines : above + 1;
    for (size_t line = 0; line < lines; line++)
        for (unsigned i = 0; i < count; i++)
            report_text_table_add_cell(g, &list[i], t, row, line, above);
}

/* Adds the function of a cell to the names. */
static void text_table_add_name(struct names *n, const struct report_column *c, const struct report_cell *cell)
{
    if (cell->type == REPORT_TEXT && c->function)
        names_add(n, cell->text);
    else if (cell->type == REPORT_ADDRESS && cell->place->function != NULL)
        names_add(n, cell->place->function);
}

/* Adds the functions of a row, with those of its nested rows. */
static void text_table_add_names(struct names *n, const struct report_table *t, size_t row,
                                 const struct text_column *list, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct text_column *s = &list[i];
        size_t first = row, rows = 1;
        if (s->table != t) {
            const struct report_cell *nested = report_cell_at(t, row, s->table->parent_column);
            first = nested->rows.first;
            rows = nested_shown(s->table, nested);
        }
        for (size_t k = 0; k < rows; k++)
            text_table_add_name(n, report_text_table_column_of(s), report_cell_at(s->table, first + k, s->column));
    }
}

static struct grid_column grid_column_of(const struct report_column *c)
{
    bool is_text = c->type == REPORT_TEXT || c->type == REPORT_ADDRESS || c->type == REPORT_LARGEST ||
                   c->type == REPORT_LETTERS;
    return (struct grid_column){
        .title = c->title, .text = is_text, .left = is_text || c->type == REPORT_INTERVAL, .kept = c->kept};
}

struct peak {
    uint64_t number;
    size_t row;
};

ORDER(by_number, struct peak, FALLING(number) RISING(row))

ORDER(by_row, struct peak, RISING(row))

/* The rows to show, `shown` of them, in order: the first ones, or those with the peaks. The caller's to free. */
static struct peak *rows_shown(const struct report_table *t, size_t shown)
{
    struct peak *rows = xcalloc(t->rows + 1, sizeof *rows);
    for (size_t row = 0; row < t->rows; row++) {
        const struct report_cell *c = member_cell(t, row, t->peaks);
        rows[row] = (struct peak){.number = c != NULL && c->type == REPORT_COUNT ? c->count : 0, .row = row};
    }
    qsort(rows, t->rows, sizeof *rows, by_number);
    qsort(rows, shown, sizeof *rows, by_row);
    return rows;
}

static void print_grid(const struct report_table *t, struct text_column *list, unsigned count, size_t rows,
                       const struct report_view *v, FILE *out)
{
    struct names *names = names_new(v->full_names);
    struct grid_column *columns = xcalloc(count, sizeof *columns);
    for (unsigned i = 0; i < count; i++)
        columns[i] = grid_column_of(report_text_table_column_of(&list[i]));
    for (unsigned i = 0; i < count; i++)
        list[i].names = names, list[i].colours = v->colours;
    struct grid *g = grid_new(columns, count);
    struct peak *order = rows_shown(t, rows);
    for (size_t row = 0; row < rows; row++)
        text_table_add_names(names, t, order[row].row, list, count);
    for (size_t row = 0; row < rows; row++)
        report_text_table_add_row(g, t, order[row].row, list, count);
    free(order);
    grid_print(g, v->width, out);
    grid_free(g);
    names_free(names);
    free(columns);
}

void text_print_table(const struct report_table *t, const struct report *r, const struct report_view *v, FILE *out)
{
    unsigned count;
    struct text_column *list = text_choose_columns(t, &count);
    size_t shown = v->top != 0 && v->top < t->rows && !t->whole ? v->top : t->rows;
    if (count == 0 && t->title == NULL)
        return;
    fputc('\n', out);
    if (t->title != NULL) {
        char *title = template_expand(t->title, r, &(struct template_rows){shown, t->rows, t->order});
        fold_print(title, v->width, 0, 0, out);
        fputc('\n', out);
        free(title);
    }
    print_grid(t, list, count, shown, v, out);
    free(list);
}
