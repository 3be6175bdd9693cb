/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting the tables of a report by a member or a column's title. Entry point: report_sort. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/diag.h"
#include "contract/report_tree.h"
#include "host/report/render.h"

static bool is_sortable(const struct report_column *c)
{
    return c->type != REPORT_INTERVAL && report_type_has_cells(c->type);
}

static const char *report_sort_member_of(const struct report_column *c) { return c->member != NULL ? c->member : "pc"; }

static bool is_member(const struct report_column *c, const char *name)
{
    return is_sortable(c) && strcmp(report_sort_member_of(c), name) == 0;
}

/* The column of the table that a member without its group names: the first one of that name which the text form shows,
 * else the first one. `columns`: there is none. */
static unsigned column_of_member(const struct report_table *t, const char *name)
{
    unsigned first = t->columns;
    for (unsigned c = 0; c < t->columns; c++) {
        if (is_member(&t->column[c], name) && t->column[c].title != NULL)
            return c;
        if (is_member(&t->column[c], name) && first == t->columns)
            first = c;
    }
    return first;
}

/* Name of a column for --sort: its member, "pc" for an address without one; preceded by its group if the member alone
 * names another column of the table. The caller's to free. */
static char *report_sort_name_of(const struct report_table *t, unsigned column)
{
    const struct report_column *c = &t->column[column];
    const char *member = report_sort_member_of(c);
    return column_of_member(t, member) != column && c->group != NULL ? xasprintf("%s.%s", c->group, member)
                                                                     : xstrdup(member);
}

/* Kinds of names, in the order of comparison: members come first, since a title can be the member of another column. */
enum name_kind { NAME_MEMBER, NAME_TITLE };

static bool is_called(const struct report_table *t, unsigned column, enum name_kind kind, const char *name)
{
    const struct report_column *c = &t->column[column];
    if (!is_sortable(c))
        return false;
    if (kind == NAME_TITLE)
        return c->title != NULL && strcasecmp(c->title, name) == 0;
    size_t group = c->group != NULL ? strlen(c->group) : 0;
    return column_of_member(t, name) == column ||
           (group != 0 && strncmp(c->group, name, group) == 0 && name[group] == '.' &&
            strcmp(report_sort_member_of(c), name + group + 1) == 0);
}

/* The column of that name: the table's, or one of a table nested in it. */
static bool find_of_kind(const struct report_table *t, enum name_kind kind, const char *name,
                         const struct report_table **table, unsigned *column)
{
    for (unsigned c = 0; c < t->columns; c++)
        if (is_called(t, c, kind, name)) {
            *table = t;
            *column = c;
            return true;
        }
    for (unsigned c = 0; c < t->columns; c++)
        if (t->nested[c] != NULL && find_of_kind(t->nested[c], kind, name, table, column))
            return true;
    return false;
}

static bool report_sort_find(const struct report_table *t, const char *name, const struct report_table **table,
                             unsigned *column)
{
    return find_of_kind(t, NAME_MEMBER, name, table, column) || find_of_kind(t, NAME_TITLE, name, table, column);
}

/* The cell that a row is sorted by: its own, or of the first of its nested rows; an absent one if there is none. Of an
 * address it is the pc. */
static struct report_cell key_cell(const struct report_table *t, size_t row, const struct report_table *table,
                                   unsigned column)
{
    if (table == t) {
        struct report_cell key = *report_cell_at(t, row, column);
        return key.type == REPORT_ADDRESS ? (struct report_cell){.type = REPORT_HEX, .count = key.place->pc} : key;
    }
    const struct report_table *inner = table;
    while (inner->parent != t)
        inner = inner->parent;
    const struct report_cell *rows = report_cell_at(t, row, inner->parent_column);
    return rows->rows.count != 0 ? key_cell(inner, rows->rows.first, table, column)
                                 : (struct report_cell){.type = REPORT_ABSENT};
}

struct item {
    struct report_cell key;
    size_t row;
    bool up;
};

static int report_sort_compare_keys(const struct report_cell *x, const struct report_cell *y)
{
    switch (x->type) {
    case REPORT_TEXT:
        return strcmp(x->text, y->text);
    case REPORT_REAL:
    case REPORT_SHARE:
        return (x->real > y->real) - (x->real < y->real);
    case REPORT_FLAG:
        return x->flag - y->flag;
    default:
        return (x->count > y->count) - (x->count < y->count);
    }
}

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    bool absent_x = x->key.type == REPORT_ABSENT, absent_y = y->key.type == REPORT_ABSENT;
    int order = absent_x || absent_y ? absent_x - absent_y
                : x->up              ? report_sort_compare_keys(&x->key, &y->key)
                                     : report_sort_compare_keys(&y->key, &x->key);
    return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

static void sort_table(struct report_table *t, const struct report_table *table, unsigned column, bool up)
{
    if (t->rows < 2)
        return;
    struct item *items = xcalloc(t->rows, sizeof *items);
    for (size_t row = 0; row < t->rows; row++)
        items[row] = (struct item){key_cell(t, row, table, column), row, up};
    qsort(items, t->rows, sizeof *items, compare_items);
    size_t *order = xcalloc(t->rows, sizeof *order);
    for (size_t row = 0; row < t->rows; row++)
        order[row] = items[row].row;
    report_rows_order(t, order);
    free(order);
    free(items);
}

/* Sorts what has the member; false: nothing has. */
static bool sort_section(struct report *r, const char *name, bool up)
{
    bool found = false;
    for (struct report_node *n = r->first; n != NULL; n = n->next) {
        const struct report_table *table;
        unsigned column;
        if (n->kind == REPORT_SECTION)
            found = sort_section(n->section, name, up) || found;
        if (n->kind != REPORT_TABLE || !report_sort_find(n->table, name, &table, &column))
            continue;
        sort_table(n->table, table, column, up);
        char *order = xasprintf("%s%s", name, up ? " (smallest first)" : "");
        report_order(n->table, order);
        report_peaks(n->table, NULL);
        free(order);
        found = true;
    }
    return found;
}

struct report_sort_names {
    const char **list; /* each to be freed */
    size_t count;
};

/* Takes the name. */
static void report_sort_add_name(struct report_sort_names *names, char *name)
{
    size_t i = 0;
    while (i < names->count && strcmp(names->list[i], name) != 0)
        i++;
    if (i < names->count) {
        free(name);
        return;
    }
    names->list = xrealloc(names->list, (names->count + 1) * sizeof *names->list);
    names->list[names->count++] = name;
}

static void add_names(struct report_sort_names *names, enum name_kind kind, const struct report_table *t)
{
    for (unsigned c = 0; c < t->columns; c++) {
        if (t->nested[c] != NULL)
            add_names(names, kind, t->nested[c]);
        if (is_sortable(&t->column[c]) && (kind == NAME_MEMBER || t->column[c].title != NULL))
            report_sort_add_name(names, kind == NAME_MEMBER ? report_sort_name_of(t, c) : xstrdup(t->column[c].title));
    }
}

static void add_section_names(struct report_sort_names *names, enum name_kind kind, const struct report *r)
{
    for (const struct report_node *n = r->first; n != NULL; n = n->next) {
        if (n->kind == REPORT_SECTION)
            add_section_names(names, kind, n->section);
        else if (n->kind == REPORT_TABLE)
            add_names(names, kind, n->table);
    }
}

static void report_sort_free_names(struct report_sort_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free((void *)(uintptr_t)names->list[i]);
    free(names->list);
}

/* The nearest name; otherwise the first one that goes on with an option, as tip:period=101 does of tip. NULL: none. */
static const char *nearest_name(const struct report_sort_names *names, const char *name)
{
    size_t length = strlen(name);
    const char *near = diag_nearest(name, names->list, names->count);
    for (size_t i = 0; i < names->count && near == NULL && length != 0; i++)
        if (strncmp(names->list[i], name, length) == 0 && names->list[i][length] == ':')
            near = names->list[i];
    return near;
}

/* Is the name a member and a suffix other than ":up"? */
static bool has_other_suffix(const struct report_sort_names *names, const char *name)
{
    const char *colon = strrchr(name, ':');
    for (size_t i = 0; i < names->count && colon != NULL; i++)
        if (strncmp(names->list[i], name, (size_t)(colon - name)) == 0 &&
            names->list[i][(size_t)(colon - name)] == '\0')
            return true;
    return false;
}

/* Is the name the title of a column of the table, or of one nested in it, that rows are not sorted by? */
static bool is_shown_only(const struct report_table *t, const char *name)
{
    for (unsigned c = 0; c < t->columns; c++)
        if ((!is_sortable(&t->column[c]) && t->column[c].title != NULL && strcasecmp(t->column[c].title, name) == 0) ||
            (t->nested[c] != NULL && is_shown_only(t->nested[c], name)))
            return true;
    return false;
}

static bool some_table_shows(const struct report *r, const char *name)
{
    for (const struct report_node *n = r->first; n != NULL; n = n->next)
        if ((n->kind == REPORT_SECTION && some_table_shows(n->section, name)) ||
            (n->kind == REPORT_TABLE && is_shown_only(n->table, name)))
            return true;
    return false;
}

/* The names, as many as a message has room for; the caller's to free. */
static char *list_names(const struct report_sort_names *names)
{
    enum { ROOM_BYTES = 300 };
    char *all = xstrdup(names->count == 0 ? "no table" : "");
    size_t i = 0;
    for (; i < names->count && strlen(all) + strlen(names->list[i]) < ROOM_BYTES; i++) {
        char *longer = xasprintf("%s%s%s", all, i == 0 ? "" : ", ", names->list[i]);
        free(all);
        all = longer;
    }
    if (i == names->count)
        return all;
    char *longer = xasprintf("%s and %zu more", all, names->count - i);
    free(all);
    return longer;
}

static enum status report_sort_refuse(const struct report *r, const char *name, struct errmsg *err)
{
    struct report_sort_names names = {0}, titles = {0};
    add_section_names(&names, NAME_MEMBER, r);
    if (names.count == 0)
        return fail(err, ST_INPUT, "no table has the member '%.60s': the report has no tables", name);
    add_section_names(&titles, NAME_TITLE, r);
    const char *near = nearest_name(&names, name);
    if (near == NULL)
        near = nearest_name(&titles, name);
    char *all = list_names(&names);
    enum status st = has_other_suffix(&names, name)
                         ? fail(err, ST_INPUT, "expected MEMBER or MEMBER:up, found '%.60s'", name)
                     : some_table_shows(r, name)
                         ? fail(err, ST_INPUT, "tables are not sorted by the column '%.60s'; there are %s", name, all)
                         : fail(err, ST_INPUT, "no table has the member '%.60s'%s; there are %s", name,
                                diag_aside(near).text, all);
    report_sort_free_names(&names);
    report_sort_free_names(&titles);
    free(all);
    return st;
}

enum status report_sort(struct report *r, const char *member, struct errmsg *err)
{
    static const char up[] = ":up";
    char *name = xstrdup(member);
    size_t length = strlen(name), suffix = sizeof up - 1;
    bool rising = length > suffix && strcmp(name + length - suffix, up) == 0;
    if (rising)
        name[length - suffix] = '\0';
    enum status st = sort_section(r, name, rising) ? ST_OK : report_sort_refuse(r, name, err);
    free(name);
    return st;
}
