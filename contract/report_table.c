/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report's tables and cells. Entry points: report.h, report_tree.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "contract/report_parts.h"

char *report_copy_text(const char *text) { return text != NULL ? text_make_printable(xstrdup(text)) : NULL; }

static void report_table_free_place(struct report_place *p)
{
    free((void *)(uintptr_t)p->function);
    free((void *)(uintptr_t)p->library);
    free((void *)(uintptr_t)p->file);
    free(p);
}

void report_clear_cell(struct report_cell *c)
{
    if (c->type == REPORT_TEXT)
        free(c->text);
    else if (c->type == REPORT_ADDRESS)
        report_table_free_place(c->place);
    else if (c->type == REPORT_INTERVAL)
        free(c->interval);
    *c = (struct report_cell){0};
}

void report_set_text(struct report_cell *c, const char *text)
{
    if (text != NULL)
        *c = (struct report_cell){.type = REPORT_TEXT, .text = report_copy_text(text)};
}

void report_set_place(struct report_cell *c, const struct report_place *p)
{
    struct report_place *copy = xmalloc(sizeof *copy);
    *copy = *p;
    copy->function = report_copy_text(p->function);
    copy->library = report_copy_text(p->library);
    copy->file = report_copy_text(p->file);
    *c = (struct report_cell){.type = REPORT_ADDRESS, .place = copy};
}

void report_set_interval(struct report_cell *c, double low, double high)
{
    if (!isfinite(low) || !isfinite(high))
        return;
    double *interval = xmalloc(2 * sizeof *interval);
    interval[0] = low;
    interval[1] = high;
    *c = (struct report_cell){.type = REPORT_INTERVAL, .interval = interval};
}

struct report_table *report_new_table(const char *key, const char *title)
{
    struct report_table *t = xcalloc(1, sizeof *t);
    t->key = report_copy_text(key);
    t->title = report_copy_text(title);
    t->store = report_rows_new();
    return t;
}

static void free_column(struct report_column *c)
{
#define FREE_TEXT(name) free((void *)(uintptr_t)c->name);
#define FREE_NUMBER(name)
#define FREE_COUNT(name)
#define FREE_FLAG(name)
#define FIELD(kind, name) FREE_##kind(name)
#include "contract/report_column.def"
#undef FREE_FLAG
#undef FREE_COUNT
#undef FREE_NUMBER
#undef FREE_TEXT
}

void report_free_table(struct report_table *t)
{
    report_rows_free(t->store, t->rows, t->columns);
    for (unsigned c = 0; c < t->columns; c++) {
        free_column(&t->column[c]);
        if (t->nested[c] != NULL)
            report_free_table(t->nested[c]);
    }
    free(t->column);
    free(t->nested);
    free(t->least_of);
    free(t->key);
    free(t->title);
    free(t->order);
    free(t->peaks);
    free(t);
}

void report_order(struct report_table *t, const char *words)
{
    char *order = report_copy_text(words);
    free(t->order);
    t->order = order;
}

void report_whole(struct report_table *t) { t->whole = true; }

void report_peaks(struct report_table *t, const char *member)
{
    char *peaks = report_copy_text(member);
    free(t->peaks);
    t->peaks = peaks;
}

void report_column(struct report_table *t, const struct report_column *c)
{
    if (t->rows != 0)
        BUG("table %s: a column after the first row", t->key);
    t->column = xrealloc(t->column, (t->columns + 1) * sizeof *t->column);
    t->nested = xrealloc(t->nested, (t->columns + 1) * sizeof *t->nested);
    struct report_column *copy = &t->column[t->columns];
    t->nested[t->columns++] = NULL;
    copy->type = c->type;
#define COPY_TEXT(name) report_copy_text(c->name)
#define COPY_NUMBER(name) c->name
#define COPY_COUNT(name) c->name
#define COPY_FLAG(name) c->name
#define FIELD(kind, name) copy->name = COPY_##kind(name);
#include "contract/report_column.def"
#undef COPY_FLAG
#undef COPY_COUNT
#undef COPY_NUMBER
#undef COPY_TEXT
}

bool report_declares(const struct report_table *t) { return t->rows == 0; }

struct report_table *report_nested(struct report_table *t, const char *member, unsigned limit, const char *least_of,
                                   double least)
{
    report_column(t, &(struct report_column){.member = member, .type = REPORT_ROWS});
    struct report_table *n = report_new_table(member, NULL);
    n->parent = t;
    n->parent_column = t->columns - 1;
    n->limit = limit;
    n->least_of = report_copy_text(least_of);
    n->least = least;
    t->nested[n->parent_column] = n;
    return n;
}

void report_above(struct report_table *nested) { nested->above = true; }

static void attach_to_parent(struct report_table *t)
{
    struct report_table *p = t->parent;
    if (p->rows == 0)
        BUG("table %s: a nested row before the first row around it", t->key);
    struct report_cell *c = &report_rows_last(p->store)[t->parent_column];
    if (c->rows.count++ == 0)
        c->rows.first = (uint32_t)t->rows;
}

void report_row(struct report_table *t)
{
    if (t->parent != NULL)
        attach_to_parent(t);
    struct report_cell *row = report_rows_add(t->store, t->rows, t->columns);
    t->rows++;
    for (unsigned c = 0; c < t->columns; c++)
        row[c] = (struct report_cell){.type = t->column[c].type == REPORT_ROWS ? REPORT_ROWS : REPORT_ABSENT};
    t->cursor = 0;
}

struct report_cell *report_next_cell(struct report_table *t, enum report_type type)
{
    while (t->cursor < t->columns && !report_type_has_cells(t->column[t->cursor].type))
        t->cursor++;
    if (t->rows == 0 || t->cursor == t->columns)
        BUG("table %s: a cell without a column", t->key);
    enum report_type expected = t->column[t->cursor].type;
    if (type != REPORT_ABSENT && type != expected)
        BUG("table %s: cell %u is %s, its column %s", t->key, t->cursor, report_type_name(type),
            report_type_name(expected));
    return &report_rows_last(t->store)[t->cursor++];
}

void report_cell_absent(struct report_table *t) { report_next_cell(t, REPORT_ABSENT); }
void report_cell_text(struct report_table *t, const char *text)
{
    report_set_text(report_next_cell(t, REPORT_TEXT), text);
}

void report_cell_count(struct report_table *t, uint64_t n)
{
    *report_next_cell(t, REPORT_COUNT) = (struct report_cell){.type = REPORT_COUNT, .count = n};
}

static void set_real(struct report_table *t, enum report_type type, double x)
{
    struct report_cell *c = report_next_cell(t, type);
    if (isfinite(x))
        *c = (struct report_cell){.type = type, .real = x};
}

void report_cell_real(struct report_table *t, double x) { set_real(t, REPORT_REAL, x); }
void report_cell_share(struct report_table *t, double share) { set_real(t, REPORT_SHARE, share); }

void report_cell_flag(struct report_table *t, bool flag)
{
    *report_next_cell(t, REPORT_FLAG) = (struct report_cell){.type = REPORT_FLAG, .flag = flag};
}

void report_cell_hex(struct report_table *t, uint64_t n)
{
    *report_next_cell(t, REPORT_HEX) = (struct report_cell){.type = REPORT_HEX, .count = n};
}

void report_cell_address(struct report_table *t, uint64_t pc)
{
    report_set_place(report_next_cell(t, REPORT_ADDRESS), &(struct report_place){.pc = pc, .address = pc});
}

void report_cell_data_address(struct report_table *t, uint64_t address)
{
    report_set_place(report_next_cell(t, REPORT_ADDRESS),
                     &(struct report_place){.pc = address, .is_data = true, .address = address});
}

void report_cell_interval(struct report_table *t, double low, double high)
{
    report_set_interval(report_next_cell(t, REPORT_INTERVAL), low, high);
}

static bool report_table_is_same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

int report_find_column(const struct report_table *t, const char *group, const char *member)
{
    for (unsigned c = 0; c < t->columns; c++)
        if (t->column[c].member != NULL && strcmp(t->column[c].member, member) == 0 &&
            report_table_is_same(t->column[c].group, group))
            return (int)c;
    return -1;
}

void report_find_place(struct report_place *p, void (*find)(void *ctx, struct report_place *p), void *ctx)
{
    *p = (struct report_place){.pc = p->pc, .is_data = p->is_data, .address = p->pc};
    find(ctx, p);
}

void report_resolve_cell(struct report_cell *c, void (*find)(void *ctx, struct report_place *p), void *ctx)
{
    if (c->type != REPORT_ADDRESS)
        return;
    struct report_place found = *c->place;
    report_find_place(&found, find, ctx);
    report_clear_cell(c);
    report_set_place(c, &found);
}

void report_resolve_table(struct report_table *t, void (*find)(void *ctx, struct report_place *p), void *ctx)
{
    report_rows_resolve(t, find, ctx);
    for (unsigned c = 0; c < t->columns; c++)
        if (t->nested[c] != NULL)
            report_resolve_table(t->nested[c], find, ctx);
}
