/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layouts as tables: the key, then the members in the order in which the program declares them.
 * The text form's tables have as many rows as asked for; JSON has all of them. */
#include "host/generic_report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "host/table.h"
#include "isa/sample.h"

static void add_cell(struct table *t, unsigned format, uint64_t n, const struct symbols *symbols)
{
    char buf[REPORT_NUMBER];
    if (format == FORMAT_PC) {
        char *place = report_place(symbols, sample_pc_of((uint32_t)n));
        table_add(t, "%s", place);
        free(place);
    } else if (format == FORMAT_HEX) {
        table_add(t, "0x%" PRIx64, n);
    } else if (format == FORMAT_DEC) {
        table_add(t, "%" PRIu64, n);
    } else {
        table_add(t, "%s", report_number(buf, n));
    }
}

static void print_rows(struct report *r, const struct generic_rows *g, const struct symbols *symbols)
{
    const struct image_layout *l = g->layout;
    struct table_column columns[IMAGE_MEMBERS + 1];
    unsigned n = 0, count = generic_rows_count(g), top = r->options->top;
    bool keyed = l->key != FORMAT_NONE, first = keyed || g->by_slot;
    if (first)
        columns[n++] = (struct table_column){.title = keyed ? "key" : "slot", .right = l->key != FORMAT_PC};
    for (unsigned m = 0; m < l->members; m++)
        columns[n++] = (struct table_column){.title = l->member[m].name, .right = l->member[m].format != FORMAT_PC};
    unsigned shown = top != 0 && top < count ? top : count;
    report_line(r, "\n%s: by the largest count, %u of %u", l->name, shown, count);
    if (n == 0)
        return; /* a layout that declares nothing */
    const struct generic_row **rows = generic_rows_sort(g);
    struct table *t = table_new(columns, n);
    for (unsigned i = 0; i < shown; i++) {
        if (first)
            add_cell(t, keyed ? l->key : FORMAT_DEC, keyed ? rows[i]->identity.key : rows[i]->identity.slot, symbols);
        for (unsigned m = 0; m < l->members; m++)
            add_cell(t, l->member[m].format, rows[i]->member[m], symbols);
    }
    table_print(t, r->out);
    table_free(t);
    free(rows);
}

static json_t *cell_json(unsigned format, uint64_t n, const struct symbols *symbols)
{
    if (format == FORMAT_PC)
        return report_place_json(symbols, sample_pc_of((uint32_t)n));
    if (format == FORMAT_HEX || n > INT64_MAX)
        return report_hex_json(n);
    return json_integer((json_int_t)n);
}

static json_t *row_json(const struct generic_rows *g, const struct generic_row *row, const struct symbols *symbols)
{
    const struct image_layout *l = g->layout;
    json_t *j = json_object(), *members = json_object();
    if (l->key != FORMAT_NONE)
        json_object_set_new(j, "key", cell_json(l->key, row->identity.key, symbols));
    else if (g->by_slot)
        json_object_set_new(j, "slot", json_integer((json_int_t)row->identity.slot));
    for (unsigned m = 0; m < l->members; m++)
        json_object_set_new(members, l->member[m].name, cell_json(l->member[m].format, row->member[m], symbols));
    json_object_set_new(j, "members", members);
    return j;
}

void generic_report(struct report *r, const struct generic_rows *g, const struct symbols *symbols, json_t *layouts)
{
    if (r->root == NULL) {
        print_rows(r, g, symbols);
        return;
    }
    json_t *j = json_object(), *list = json_array();
    const struct generic_row **rows = generic_rows_sort(g);
    unsigned count = generic_rows_count(g);
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(list, row_json(g, rows[i], symbols));
    free(rows);
    json_object_set_new(j, "name", json_string(g->layout->name));
    json_object_set_new(j, "rows", list);
    json_array_append_new(layouts, j);
}
