/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON form: the report's values and tables as members of an object. Entry point: report_write_json. */
#include "host/report/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "host/report/formats.h"
#include "host/report/json_stream.h"

json_t *report_text_json(const char *text)
{
    json_t *j = json_string(text);
    if (j != NULL)
        return j;
    char *valid = report_copy_text(text);
    j = json_string(valid);
    free(valid);
    return j;
}

/* JSON numbers are not wide enough for 64 bits. */
static json_t *hex_json(uint64_t n) { return json_sprintf("0x%" PRIx64, n); }
static json_t *count_json(uint64_t n) { return n > INT64_MAX ? hex_json(n) : json_integer((json_int_t)n); }

void report_place_json(json_t *j, const struct report_place *p)
{
    json_object_set_new(j, "pc", hex_json(p->pc));
    if (p->function != NULL) {
        json_object_set_new(j, "function", report_text_json(p->function));
        json_object_set_new(j, "offset", count_json(p->offset));
    }
    if (p->address != p->pc)
        json_object_set_new(j, "address", hex_json(p->address));
    if (p->library != NULL)
        json_object_set_new(j, "library", report_text_json(p->library));
    if (p->file != NULL) {
        json_object_set_new(j, "file", report_text_json(p->file));
        json_object_set_new(j, "line", json_integer(p->line));
    }
}

static json_t *pair_json(double low, double high) { return json_pack("[f, f]", low, high); }

json_t *report_cell_json(const struct report_cell *c)
{
    json_t *place;
    switch (c->type) {
    case REPORT_TEXT:
        return report_text_json(c->text);
    case REPORT_COUNT:
        return count_json(c->count);
    case REPORT_REAL:
    case REPORT_SHARE:
        return json_real(c->real);
    case REPORT_FLAG:
        return json_boolean(c->flag);
    case REPORT_HEX:
        return hex_json(c->count);
    case REPORT_ADDRESS:
        place = json_object();
        report_place_json(place, c->place);
        return place;
    case REPORT_INTERVAL:
        return pair_json(c->interval[0], c->interval[1]);
    default:
        return NULL;
    }
}

static json_t *exact_json(const struct report_value *v)
{
    bool is_count = v->type == REPORT_COUNT && !signbit(v->exact) && v->exact < 0x1p63 && v->exact == floor(v->exact);
    return is_count ? json_integer((json_int_t)v->exact) : json_real(v->exact);
}

static json_t *rows_json(const struct report_table *t, size_t first, size_t count);

/* The object of the row that has the group's members. */
static json_t *report_json_group_of(json_t *row, const char *group)
{
    json_t *j = group != NULL ? json_object_get(row, group) : row;
    if (j == NULL) {
        j = json_object();
        json_object_set_new(row, group, j);
    }
    return j;
}

static void report_json_add_cell(json_t *row, const struct report_table *t, size_t at, unsigned column)
{
    const struct report_column *c = &t->column[column];
    const struct report_cell *cell = report_cell_at(t, at, column);
    if (cell->type == REPORT_ABSENT)
        return;
    if (cell->type == REPORT_ROWS)
        json_object_set_new(row, c->member, rows_json(t->nested[column], cell->rows.first, cell->rows.count));
    else if (c->member == NULL && cell->type == REPORT_ADDRESS)
        report_place_json(report_json_group_of(row, c->group), cell->place);
    else if (c->member != NULL)
        json_object_set_new(report_json_group_of(row, c->group), c->member, report_cell_json(cell));
}

static json_t *row_json(const struct report_table *t, size_t at)
{
    json_t *row = json_object();
    for (unsigned c = 0; c < t->columns; c++)
        report_json_add_cell(row, t, at, c);
    return row;
}

static json_t *rows_json(const struct report_table *t, size_t first, size_t count)
{
    json_t *rows = json_array();
    for (size_t i = first; i < first + count; i++)
        json_array_append_new(rows, row_json(t, i));
    return rows;
}

/* ---- the stream ----
 * Members are written as they are found, the rows of a table one by one: a report of many rows needs no second copy of
 * them in memory. */

/* Writes a member of an object whose keys are in `seen`. Keys differ: a second one would hide the first. */
static void put_key(struct json_stream *s, json_t *seen, const char *key)
{
    if (json_object_get(seen, key) != NULL)
        BUG("the report has two members of the key '%s'", key);
    json_object_set_new(seen, key, json_true());
    json_stream_key(s, key);
}

/* Takes the value. */
static void put_member(struct json_stream *s, json_t *seen, const char *key, const char *suffix, json_t *value)
{
    char *name = xasprintf("%s%s", key, suffix);
    put_key(s, seen, name);
    json_stream_value(s, value);
    json_decref(value);
    free(name);
}

static void report_json_put_value(struct json_stream *s, json_t *seen, const struct report_value *v)
{
    if (v->key == NULL)
        return;
    json_t *content = report_cell_json(&v->cell);
    put_member(s, seen, v->key, "", content != NULL ? content : json_null());
    if (v->has_exact)
        put_member(s, seen, v->key, REPORT_SUFFIX_EXACT, exact_json(v));
    if (v->has_interval)
        put_member(s, seen, v->key, REPORT_SUFFIX_INTERVAL, pair_json(v->low, v->high));
}

static void report_json_put_table(struct json_stream *s, json_t *seen, const struct report_table *t)
{
    put_key(s, seen, t->key);
    json_stream_begin(s, '[');
    for (size_t n = 0; n < t->rows; n++) {
        json_t *row = row_json(t, n);
        json_stream_item(s);
        json_stream_value(s, row);
        json_decref(row);
    }
    json_stream_end(s, ']');
}

static void put_members(struct json_stream *s, json_t *seen, const struct report *r);

static void report_json_put_object(struct json_stream *s, const struct report *r)
{
    json_t *seen = json_object();
    json_stream_begin(s, '{');
    put_members(s, seen, r);
    json_stream_end(s, '}');
    json_decref(seen);
}

static void report_json_put_section(struct json_stream *s, json_t *seen, const struct report *r)
{
    if (report_is_transparent(r)) {
        put_members(s, seen, r);
        return;
    }
    put_key(s, seen, r->key);
    if (!r->list) {
        report_json_put_object(s, r);
        return;
    }
    json_stream_begin(s, '[');
    for (const struct report_node *n = r->first; n != NULL; n = n->next) {
        json_stream_item(s);
        report_json_put_object(s, n->section);
    }
    json_stream_end(s, ']');
}

static void put_members(struct json_stream *s, json_t *seen, const struct report *r)
{
    for (const struct report_node *n = r->first; n != NULL; n = n->next) {
        if (n->kind == REPORT_VALUE)
            report_json_put_value(s, seen, &n->value);
        else if (n->kind == REPORT_SECTION)
            report_json_put_section(s, seen, n->section);
        else if (n->kind == REPORT_TABLE)
            report_json_put_table(s, seen, n->table);
    }
}

void report_write_json(const struct report *r, const struct report_view *v, FILE *out)
{
    struct json_stream s = {.out = out};
    json_t *seen = json_object();
    (void)v;
    json_stream_begin(&s, '{');
    put_member(&s, seen, REPORT_MEMBER_FORMAT, "", json_string(REPORT_FORMAT_NAME));
    put_member(&s, seen, REPORT_MEMBER_VERSION, "", json_integer(REPORT_VERSION));
    put_members(&s, seen, r);
    put_member(&s, seen, REPORT_MEMBER_PRESENTATION, "", report_presentation_json(r));
    json_stream_end(&s, '}');
    fputc('\n', out);
    json_decref(seen);
}
