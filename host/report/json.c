/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON form: the report's values and tables as members of an object. Entry point: report_write_json. */
#include "host/report/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "host/report/formats.h"

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

/* Keys differ: a second one would hide the first. */
static void set_member(json_t *j, const char *key, json_t *value)
{
    if (json_object_get(j, key) != NULL)
        BUG("the report has two members of the key '%s'", key);
    json_object_set_new(j, key, value);
}

static void set_suffixed(json_t *j, const char *key, const char *suffix, json_t *value)
{
    char *name = xasprintf("%s%s", key, suffix);
    set_member(j, name, value);
    free(name);
}

static void add_value(json_t *j, const struct report_value *v)
{
    if (v->key == NULL)
        return;
    json_t *content = report_cell_json(&v->cell);
    set_member(j, v->key, content != NULL ? content : json_null());
    if (v->has_exact)
        set_suffixed(j, v->key, REPORT_SUFFIX_EXACT, exact_json(v));
    if (v->has_interval)
        set_suffixed(j, v->key, REPORT_SUFFIX_INTERVAL, pair_json(v->low, v->high));
}

static json_t *rows_json(const struct report_table *t, size_t first, size_t count);

/* The object of the row that has the group's members. */
static json_t *group_of(json_t *row, const char *group)
{
    json_t *j = group != NULL ? json_object_get(row, group) : row;
    if (j == NULL) {
        j = json_object();
        json_object_set_new(row, group, j);
    }
    return j;
}

static void add_cell(json_t *row, const struct report_table *t, size_t at, unsigned column)
{
    const struct report_column *c = &t->column[column];
    const struct report_cell *cell = report_cell_at(t, at, column);
    if (cell->type == REPORT_ABSENT)
        return;
    if (cell->type == REPORT_ROWS)
        json_object_set_new(row, c->member, rows_json(t->nested[column], cell->rows.first, cell->rows.count));
    else if (c->member == NULL && cell->type == REPORT_ADDRESS)
        report_place_json(group_of(row, c->group), cell->place);
    else if (c->member != NULL)
        json_object_set_new(group_of(row, c->group), c->member, report_cell_json(cell));
}

static json_t *rows_json(const struct report_table *t, size_t first, size_t count)
{
    json_t *rows = json_array();
    for (size_t i = first; i < first + count; i++) {
        json_t *row = json_object();
        for (unsigned c = 0; c < t->columns; c++)
            add_cell(row, t, i, c);
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *add_members(json_t *j, const struct report *r);

static json_t *elements_json(const struct report *list)
{
    json_t *elements = json_array();
    for (const struct report_node *n = list->first; n != NULL; n = n->next)
        json_array_append_new(elements, add_members(json_object(), n->section));
    return elements;
}

static void add_section(json_t *j, const struct report *r)
{
    if (report_is_transparent(r))
        add_members(j, r);
    else
        set_member(j, r->key, r->list ? elements_json(r) : add_members(json_object(), r));
}

/* Adds the section's members to the object; returns the object. */
static json_t *add_members(json_t *j, const struct report *r)
{
    for (const struct report_node *n = r->first; n != NULL; n = n->next) {
        if (n->kind == REPORT_VALUE)
            add_value(j, &n->value);
        else if (n->kind == REPORT_SECTION)
            add_section(j, n->section);
        else if (n->kind == REPORT_TABLE)
            set_member(j, n->table->key, rows_json(n->table, 0, n->table->rows));
    }
    return j;
}

void report_write_json(const struct report *r, const struct report_view *v, FILE *out)
{
    (void)v;
    json_t *root = json_object();
    json_object_set_new(root, REPORT_MEMBER_FORMAT, json_string(REPORT_FORMAT_NAME));
    json_object_set_new(root, REPORT_MEMBER_VERSION, json_integer(REPORT_VERSION));
    add_members(root, r);
    json_object_set_new(root, REPORT_MEMBER_PRESENTATION, report_presentation_json(r));
    if (json_dumpf(root, out, JSON_INDENT(1)) != 0 && !ferror(out))
        BUG("the report is no JSON");
    fputc('\n', out);
    json_decref(root);
}
