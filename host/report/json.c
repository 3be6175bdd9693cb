/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON form: the report's values and tables as members of an object, written as they are found, so that a report of
 * many rows needs no second copy of them in memory. Entry point: report_write_json. */
#include "host/report/json.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "host/report/formats.h"

/* JSON numbers are not wide enough for 64 bits. */
static void put_hex(struct json_stream *s, const char *key, uint64_t n)
{
    char text[20];
    snprintf(text, sizeof text, "0x%" PRIx64, n);
    json_stream_text(s, key, text);
}

void report_json_count(struct json_stream *s, const char *key, uint64_t n)
{
    (n > INT64_MAX ? put_hex : json_stream_count)(s, key, n);
}

static void report_json_put_place(struct json_stream *s, const struct report_place *p)
{
    put_hex(s, "pc", p->pc);
    if (p->function != NULL) {
        json_stream_text(s, "function", p->function);
        report_json_count(s, "offset", p->offset);
    }
    if (p->address != p->pc)
        put_hex(s, "address", p->address);
    if (p->library != NULL)
        json_stream_text(s, "library", p->library);
    if (p->file != NULL) {
        json_stream_text(s, "file", p->file);
        json_stream_integer(s, "line", p->line);
    }
}

static void put_pair(struct json_stream *s, const char *key, double low, double high)
{
    json_stream_begin(s, key, '[');
    json_stream_real(s, NULL, low);
    json_stream_real(s, NULL, high);
    json_stream_end(s, ']');
}

void report_json_cell(struct json_stream *s, const char *key, const struct report_cell *c)
{
    switch (c->type) {
    case REPORT_TEXT:
        json_stream_text(s, key, c->text);
        break;
    case REPORT_COUNT:
        report_json_count(s, key, c->count);
        break;
    case REPORT_REAL:
    case REPORT_SHARE:
        json_stream_real(s, key, c->real);
        break;
    case REPORT_FLAG:
        json_stream_flag(s, key, c->flag);
        break;
    case REPORT_HEX:
        put_hex(s, key, c->count);
        break;
    case REPORT_ADDRESS:
        json_stream_begin(s, key, '{');
        report_json_put_place(s, c->place);
        json_stream_end(s, '}');
        break;
    case REPORT_INTERVAL:
        put_pair(s, key, c->interval[0], c->interval[1]);
        break;
    default:
        json_stream_null(s, key);
    }
}

static void put_exact(struct json_stream *s, const char *key, const struct report_value *v)
{
    if (v->type == REPORT_COUNT && !signbit(v->exact) && v->exact < 0x1p63 && v->exact == floor(v->exact))
        json_stream_count(s, key, (uint64_t)v->exact);
    else
        json_stream_real(s, key, v->exact);
}

static void report_json_put_rows(struct json_stream *s, const struct report_table *t, size_t first, size_t count);

static void report_json_put_cell(struct json_stream *s, const struct report_table *t, size_t at, unsigned column)
{
    const struct report_column *c = &t->column[column];
    const struct report_cell *cell = report_cell_at(t, at, column);
    if (cell->type == REPORT_ABSENT)
        return;
    if (cell->type == REPORT_ROWS) {
        json_stream_begin(s, c->member, '[');
        report_json_put_rows(s, t->nested[column], cell->rows.first, cell->rows.count);
        json_stream_end(s, ']');
    } else if (c->member != NULL) {
        report_json_cell(s, c->member, cell);
    } else if (cell->type == REPORT_ADDRESS) {
        report_json_put_place(s, cell->place);
    }
}

static bool is_of_group(const struct report_table *t, unsigned column, const char *group)
{
    return t->column[column].group != NULL && strcmp(t->column[column].group, group) == 0;
}

/* Writes the object with the group's cells at the first that is there. */
static void report_json_put_group(struct json_stream *s, const struct report_table *t, size_t at, unsigned column)
{
    const char *group = t->column[column].group;
    if (report_cell_at(t, at, column)->type == REPORT_ABSENT)
        return;
    for (unsigned c = column; c-- > 0;)
        if (is_of_group(t, c, group) && report_cell_at(t, at, c)->type != REPORT_ABSENT)
            return;
    json_stream_begin(s, group, '{');
    for (unsigned c = column; c < t->columns; c++)
        if (is_of_group(t, c, group))
            report_json_put_cell(s, t, at, c);
    json_stream_end(s, '}');
}

void report_json_row(struct json_stream *s, const char *key, const struct report_table *t, size_t row)
{
    json_stream_begin(s, key, '{');
    for (unsigned c = 0; c < t->columns; c++)
        (t->column[c].group != NULL ? report_json_put_group : report_json_put_cell)(s, t, row, c);
    json_stream_end(s, '}');
}

static void report_json_put_rows(struct json_stream *s, const struct report_table *t, size_t first, size_t count)
{
    for (size_t at = first; at < first + count; at++)
        report_json_row(s, NULL, t, at);
}

/* Returns a key of an object whose keys are in `seen`. Keys differ: a second one would hide the first. */
static const char *unique_key(json_t *seen, const char *key)
{
    if (json_object_get(seen, key) != NULL)
        BUG("the report has two members of the key '%s'", key);
    json_object_set_new(seen, key, json_true());
    return key;
}

static void report_json_put_value(struct json_stream *s, json_t *seen, const struct report_value *v)
{
    if (v->key == NULL)
        return;
    char *exact = xasprintf("%s" REPORT_SUFFIX_EXACT, v->key),
         *interval = xasprintf("%s" REPORT_SUFFIX_INTERVAL, v->key);
    report_json_cell(s, unique_key(seen, v->key), &v->cell);
    if (v->has_exact)
        put_exact(s, unique_key(seen, exact), v);
    if (v->has_interval)
        put_pair(s, unique_key(seen, interval), v->low, v->high);
    free(exact);
    free(interval);
}

/* What is written of a report. */
enum json_parts { JSON_ALL, JSON_WITHOUT_TABLES };

static void put_members(struct json_stream *s, json_t *seen, const struct report *r, enum json_parts parts);

static void report_json_put_object(struct json_stream *s, const char *key, const struct report *r,
                                   enum json_parts parts)
{
    json_t *seen = json_object();
    json_stream_begin(s, key, '{');
    put_members(s, seen, r, parts);
    json_stream_end(s, '}');
    json_decref(seen);
}

static void report_json_put_section(struct json_stream *s, json_t *seen, const struct report *r, enum json_parts parts)
{
    if (report_is_transparent(r)) {
        put_members(s, seen, r, parts);
        return;
    }
    const char *key = unique_key(seen, r->key);
    if (!r->list) {
        report_json_put_object(s, key, r, parts);
        return;
    }
    json_stream_begin(s, key, '[');
    for (const struct report_node *n = r->first; n != NULL; n = n->next)
        report_json_put_object(s, NULL, n->section, parts);
    json_stream_end(s, ']');
}

static void report_json_put_table(struct json_stream *s, json_t *seen, const struct report_table *t)
{
    json_stream_begin(s, unique_key(seen, t->key), '[');
    report_json_put_rows(s, t, 0, t->rows);
    json_stream_end(s, ']');
}

static void put_members(struct json_stream *s, json_t *seen, const struct report *r, enum json_parts parts)
{
    for (const struct report_node *n = r->first; n != NULL; n = n->next)
        if (n->kind == REPORT_VALUE)
            report_json_put_value(s, seen, &n->value);
        else if (n->kind == REPORT_SECTION)
            report_json_put_section(s, seen, n->section, parts);
        else if (n->kind == REPORT_TABLE && parts == JSON_ALL)
            report_json_put_table(s, seen, n->table);
}

/* Begins the object of a report with its values, and its tables if `parts` has them. */
static json_t *report_json_begin(struct json_stream *s, const char *key, const struct report *r, enum json_parts parts)
{
    json_t *seen = json_object();
    json_stream_begin(s, key, '{');
    json_stream_text(s, unique_key(seen, REPORT_MEMBER_FORMAT), REPORT_FORMAT_NAME);
    json_stream_count(s, unique_key(seen, REPORT_MEMBER_VERSION), REPORT_VERSION);
    put_members(s, seen, r, parts);
    return seen;
}

void report_json_values(struct json_stream *s, const char *key, const struct report *r)
{
    json_t *seen = report_json_begin(s, key, r, JSON_WITHOUT_TABLES);
    json_stream_end(s, '}');
    json_decref(seen);
}

void report_write_json(const struct report *r, const struct report_view *v, FILE *out)
{
    struct json_stream s = {.out = out, .lines = true};
    json_t *seen = report_json_begin(&s, NULL, r, JSON_ALL);
    (void)v;
    report_json_presentation(&s, unique_key(seen, REPORT_MEMBER_PRESENTATION), r);
    json_stream_end(&s, '}');
    fputc('\n', out);
    json_decref(seen);
}
