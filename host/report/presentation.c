/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON form's description of a report. Defaults are left out: null, 0 and false. Entry point:
 * report_json_presentation; read.c reads it. */
#include "base/status.h"
#include "host/report/json.h"

static void add_text(struct json_stream *s, const char *name, const char *text)
{
    if (text != NULL)
        json_stream_text(s, name, text);
}

static void report_presentation_add_number(struct json_stream *s, const char *name, uint64_t n)
{
    if (n != 0)
        report_json_count(s, name, n);
}

static void add_flag(struct json_stream *s, const char *name, bool flag)
{
    if (flag)
        json_stream_flag(s, name, true);
}

static void report_presentation_put_value(struct json_stream *s, const struct report_value *v)
{
    add_text(s, "value", v->key);
    json_stream_text(s, "type", report_type_name(v->type));
    add_text(s, "label", v->label);
    add_text(s, "unit", v->unit);
    add_flag(s, "implied", v->implied);
    report_presentation_add_number(s, "decimals", v->decimals);
    add_text(s, "remark", v->remark);
    add_flag(s, "exact", v->has_exact);
    add_flag(s, "interval", v->has_interval);
    if (v->key == NULL) /* no member has it */
        report_json_cell(s, "is", &v->cell);
}

/* Is a cell of the column absent? Then rows can lack the member. */
static bool is_optional(const struct report_table *t, unsigned column)
{
    return report_type_has_cells(t->column[column].type) && report_has_absent(t, column);
}

static void report_presentation_put_columns(struct json_stream *s, const struct report_table *t);

static void report_presentation_put_column(struct json_stream *s, const struct report_table *t, unsigned column)
{
    struct report_column c = t->column[column];
    c.optional = c.optional || is_optional(t, column);
    json_stream_text(s, "type", report_type_name(c.type));
#define FIELD_TEXT add_text
#define FIELD_NUMBER report_presentation_add_number
#define FIELD_COUNT report_presentation_add_number
#define FIELD_FLAG add_flag
#define FIELD(kind, name) FIELD_##kind(s, #name, c.name);
#include "contract/report_column.def"
    const struct report_table *n = t->nested[column];
    if (n == NULL)
        return;
    add_flag(s, "above", n->above);
    report_presentation_add_number(s, "limit", n->limit);
    add_text(s, "least_of", n->least_of);
    if (n->least != 0)
        json_stream_real(s, "least", n->least);
    report_presentation_put_columns(s, n);
}

static void report_presentation_put_columns(struct json_stream *s, const struct report_table *t)
{
    json_stream_begin(s, "columns", '[');
    for (unsigned c = 0; c < t->columns; c++) {
        json_stream_begin(s, NULL, '{');
        report_presentation_put_column(s, t, c);
        json_stream_end(s, '}');
    }
    json_stream_end(s, ']');
}

static void report_presentation_put_table(struct json_stream *s, const struct report_table *t)
{
    json_stream_text(s, "table", t->key);
    add_text(s, "title", t->title);
    add_text(s, "order", t->order);
    add_text(s, "peaks", t->peaks);
    add_flag(s, "whole", t->whole);
    report_presentation_put_columns(s, t);
}

static void report_presentation_put_section(struct json_stream *s, const struct report *r)
{
    const char *kind = r->list ? "list" : r->parent != NULL && r->parent->list ? "element" : "section";
    json_stream_text(s, kind, r->key);
    add_flag(s, "details", r->details);
    report_json_presentation(s, "parts", r);
}

void report_json_presentation(struct json_stream *s, const char *key, const struct report *r)
{
    json_stream_begin(s, key, '[');
    for (const struct report_node *n = r->first; n != NULL; n = n->next) {
        json_stream_begin(s, NULL, '{');
        switch (n->kind) {
        case REPORT_VALUE:
            report_presentation_put_value(s, &n->value);
            break;
        case REPORT_NOTE:
            json_stream_text(s, "note", n->note.words);
            add_flag(s, "joined", n->note.joined && !n->note.is_command);
            add_flag(s, "command", n->note.is_command);
            break;
        case REPORT_SECTION:
            report_presentation_put_section(s, n->section);
            break;
        case REPORT_TABLE:
            report_presentation_put_table(s, n->table);
        }
        json_stream_end(s, '}');
    }
    json_stream_end(s, ']');
}
