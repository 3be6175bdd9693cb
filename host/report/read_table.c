/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading tables: the description's columns, and rows by them. Entry points: read.h. */
#include "host/report/read.h"

enum { COLUMNS_MAX = 1024 };

static enum status read_fields(const struct reader *in, const struct read_at *at, const json_t *j,
                               struct report_column *c)
{
    enum status st = read_type(in, at, j, &c->type);
#define FIELD_TEXT read_text
#define FIELD_NUMBER read_number
#define FIELD_COUNT read_count
#define FIELD_FLAG read_flag
#define FIELD(kind, name) \
    if (st == ST_OK)      \
        st = FIELD_##kind(in, at, j, #name, &c->name);
#include "contract/report_column.def"
    return st == ST_OK ? read_decimals(in, at, j, &c->decimals) : st;
}

/* The columns of a nested table. */
static enum status read_nested(const struct reader *in, const struct read_at *at, const json_t *j, const char *member,
                               struct report_table *t)
{
    unsigned limit;
    const char *least_of;
    bool above = false;
    const json_t *least = json_object_get(j, "least");
    enum status st = read_number(in, at, j, "limit", &limit);
    if (st == ST_OK)
        st = read_flag(in, at, j, "above", &above);
    if (st == ST_OK)
        st = read_text(in, at, j, "least_of", &least_of);
    if (st == ST_OK && least != NULL && !json_is_number(least))
        st = read_refuse(in, &(struct read_at){at, "least", 0}, "a number", least);
    if (st != ST_OK)
        return st;
    struct report_table *n = report_nested(t, member, limit, least_of, json_number_value(least));
    n->above = above;
    return read_columns(in, at, j, n);
}

/* Cells are found by their member; those of an address can be the row's own. */
static bool has_member(const struct report_column *c)
{
    return c->member != NULL || c->type == REPORT_ADDRESS || c->type == REPORT_LARGEST || c->type == REPORT_LETTERS;
}

static enum status read_column(const struct reader *in, const struct read_at *at, const json_t *j,
                               struct report_table *t)
{
    struct report_column c = {0};
    if (json_typeof(j) != JSON_OBJECT)
        return read_refuse(in, at, "an object", j);
    enum status st = read_fields(in, at, j, &c);
    if (st == ST_OK && !has_member(&c))
        st = read_refuse(in, &(struct read_at){at, "member", 0}, "a string", json_object_get(j, "member"));
    if (st != ST_OK)
        return st;
    if (c.type == REPORT_ROWS)
        return read_nested(in, at, j, c.member, t);
    report_column(t, &c);
    return ST_OK;
}

enum status read_columns(const struct reader *in, const struct read_at *at, const json_t *description,
                         struct report_table *t)
{
    const json_t *columns;
    enum status st = read_array(in, at, description, "columns", &columns);
    const struct read_at list = {at, "columns", 0};
    if (st == ST_OK && json_array_size(columns) > COLUMNS_MAX)
        return read_refuse_words(in, &list, "at most 1024 columns", "more");
    for (size_t i = 0; i < json_array_size(columns) && st == ST_OK; i++)
        st = read_column(in, &(struct read_at){&list, NULL, i}, json_array_get(columns, i), t);
    return st;
}

/* The cell's JSON; without a member the row's own. */
static const json_t *content_of(const json_t *row, const struct report_column *c)
{
    const json_t *object = c->group != NULL ? json_object_get(row, c->group) : row;
    return c->member != NULL ? json_object_get(object, c->member) : object;
}

/* A cell that is not there is absent, where the column is optional. */
static enum status read_own_cell(const struct reader *in, const struct read_at *at, const json_t *row,
                                 const struct report_column *c, struct report_cell *cell)
{
    const json_t *content = content_of(row, c);
    const struct read_at group = {at, c->group, 0}, *in_row = c->group != NULL ? &group : at,
                         member = {in_row, c->member, 0};
    bool is_there = c->member != NULL ? content != NULL : json_object_get(content, "pc") != NULL; /* of an address */
    if (!is_there && c->optional)
        return ST_OK;
    return read_cell(in, c->member != NULL ? &member : in_row, content, c->type, cell);
}

static enum status read_row(const struct reader *in, const struct read_at *at, const json_t *row,
                            struct report_table *t)
{
    enum status st = json_typeof(row) == JSON_OBJECT ? ST_OK : read_refuse(in, at, "an object", row);
    report_row(t);
    for (unsigned i = 0; i < t->columns && st == ST_OK; i++) {
        const struct report_column *c = &t->column[i];
        const struct read_at member = {at, c->member, 0};
        if (c->type == REPORT_ROWS)
            st = read_rows(in, &member, json_object_get(row, c->member), t->nested[i]);
        else if (report_type_has_cells(c->type))
            st = read_own_cell(in, at, row, c, report_next_cell(t, c->type));
    }
    return st;
}

enum status read_rows(const struct reader *in, const struct read_at *rows_at, const json_t *rows,
                      struct report_table *t)
{
    enum status st = json_is_array(rows) ? ST_OK : read_refuse(in, rows_at, "an array", rows);
    for (size_t i = 0; i < json_array_size(rows) && st == ST_OK; i++)
        st = read_row(in, &(struct read_at){rows_at, NULL, i}, json_array_get(rows, i), t);
    return st;
}
