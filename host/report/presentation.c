/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON form's description of a report. Defaults are left out: null, 0 and false. Entry point:
 * report_presentation_json; read.c reads it. */
#include "base/status.h"
#include "host/report/json.h"

static void add_text(json_t *j, const char *name, const char *text)
{
    if (text != NULL)
        json_object_set_new(j, name, report_text_json(text));
}

static void report_presentation_add_number(json_t *j, const char *name, unsigned n)
{
    if (n != 0)
        json_object_set_new(j, name, json_integer(n));
}

static void report_presentation_add_count(json_t *j, const char *name, uint64_t n)
{
    if (n != 0)
        json_object_set_new(j, name, report_cell_json(&(struct report_cell){.type = REPORT_COUNT, .count = n}));
}

static void add_flag(json_t *j, const char *name, bool flag)
{
    if (flag)
        json_object_set_new(j, name, json_true());
}

static json_t *value_json(const struct report_value *v)
{
    json_t *j = json_object();
    if (v->key != NULL)
        json_object_set_new(j, "value", report_text_json(v->key));
    json_object_set_new(j, "type", json_string(report_type_name(v->type)));
    add_text(j, "label", v->label);
    add_text(j, "unit", v->unit);
    add_flag(j, "implied", v->implied);
    report_presentation_add_number(j, "decimals", v->decimals);
    add_text(j, "remark", v->remark);
    add_flag(j, "exact", v->has_exact);
    add_flag(j, "interval", v->has_interval);
    if (v->key == NULL) { /* no member has it */
        json_t *content = report_cell_json(&v->cell);
        json_object_set_new(j, "is", content != NULL ? content : json_null());
    }
    return j;
}

static json_t *note_json(const struct report_note *n)
{
    json_t *j = json_object();
    json_object_set_new(j, "note", report_text_json(n->words));
    add_flag(j, "joined", n->joined);
    return j;
}

/* Is a cell of the column absent? Then rows can lack the member. */
static bool is_optional(const struct report_table *t, unsigned column)
{
    return report_type_has_cells(t->column[column].type) && report_has_absent(t, column);
}

static json_t *columns_json(const struct report_table *t);

static json_t *column_json(const struct report_table *t, unsigned column)
{
    struct report_column c = t->column[column];
    json_t *j = json_object();
    c.optional = c.optional || is_optional(t, column);
    json_object_set_new(j, "type", json_string(report_type_name(c.type)));
#define FIELD_TEXT add_text
#define FIELD_NUMBER report_presentation_add_number
#define FIELD_COUNT report_presentation_add_count
#define FIELD_FLAG add_flag
#define FIELD(kind, name) FIELD_##kind(j, #name, c.name);
#include "contract/report_column.def"
#undef FIELD
#undef FIELD_FLAG
#undef FIELD_COUNT
#undef FIELD_NUMBER
#undef FIELD_TEXT
    const struct report_table *n = t->nested[column];
    if (n == NULL)
        return j;
    add_flag(j, "above", n->above);
    report_presentation_add_number(j, "limit", n->limit);
    add_text(j, "least_of", n->least_of);
    if (n->least != 0)
        json_object_set_new(j, "least", json_real(n->least));
    json_object_set_new(j, "columns", columns_json(n));
    return j;
}

static json_t *columns_json(const struct report_table *t)
{
    json_t *columns = json_array();
    for (unsigned c = 0; c < t->columns; c++)
        json_array_append_new(columns, column_json(t, c));
    return columns;
}

static json_t *table_json(const struct report_table *t)
{
    json_t *j = json_object();
    json_object_set_new(j, "table", report_text_json(t->key));
    add_text(j, "title", t->title);
    add_text(j, "order", t->order);
    add_text(j, "peaks", t->peaks);
    add_flag(j, "whole", t->whole);
    json_object_set_new(j, "columns", columns_json(t));
    return j;
}

static json_t *section_json(const struct report *r)
{
    json_t *j = json_object();
    const char *kind = r->list ? "list" : r->parent != NULL && r->parent->list ? "element" : "section";
    json_object_set_new(j, kind, r->key != NULL ? report_text_json(r->key) : json_null());
    add_flag(j, "details", r->details);
    json_object_set_new(j, "parts", report_presentation_json(r));
    return j;
}

static json_t *part_json(const struct report_node *n)
{
    switch (n->kind) {
    case REPORT_VALUE:
        return value_json(&n->value);
    case REPORT_NOTE:
        return note_json(&n->note);
    case REPORT_SECTION:
        return section_json(n->section);
    case REPORT_TABLE:
        return table_json(n->table);
    }
    BUG("a node of kind %d", (int)n->kind);
}

json_t *report_presentation_json(const struct report *r)
{
    json_t *parts = json_array();
    for (const struct report_node *n = r->first; n != NULL; n = n->next)
        json_array_append_new(parts, part_json(n));
    return parts;
}
