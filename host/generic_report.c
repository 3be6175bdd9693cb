/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layouts as tables: the key, then the members in the order in which the program declares them, each that counts events beside what it stands
 * for where samples were dropped, and the exact count. The text form's tables have as many rows as asked for; JSON has all of them. */
#include "host/generic_report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "host/table.h"
#include "isa/contract/sample.h"

/* A layout and what there is to print of it. */
struct view {
    const struct image_layout *layout;
    const struct generic_rows *rows;
    const struct generic_score *score; /* NULL: nothing exact is known */
    const struct symbols *symbols;
};

static bool shows_exact(const struct view *v, unsigned member)
{
    return v->score != NULL && image_format_is_event(v->layout->member[member].format);
}

static bool shows_estimates(const struct view *v) { return v->score != NULL && v->score->scale != 1; }

/* ---- text ---- */

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

enum { MAX_COLUMNS = 3 * IMAGE_MEMBERS + 2 };

static unsigned choose_columns(const struct view *v, bool first, struct table_column columns[MAX_COLUMNS])
{
    const struct image_layout *l = v->layout;
    unsigned n = 0;
    if (first)
        columns[n++] = (struct table_column){.title = l->key != FORMAT_NONE ? "key" : "slot", .right = l->key != FORMAT_PC};
    for (unsigned m = 0; m < l->members; m++) {
        columns[n++] = (struct table_column){.title = l->member[m].name, .right = l->member[m].format != FORMAT_PC};
        if (shows_exact(v, m) && shows_estimates(v))
            columns[n++] = (struct table_column){.title = "est.", .right = true};
        if (shows_exact(v, m))
            columns[n++] = (struct table_column){.title = "exact", .right = true};
    }
    if (v->score != NULL)
        columns[n++] = (struct table_column){.title = "error %", .right = true};
    return n;
}

static void add_row(struct table *t, const struct view *v, const struct generic_row *row, bool first)
{
    const struct image_layout *l = v->layout;
    bool keyed = l->key != FORMAT_NONE;
    char buf[REPORT_NUMBER];
    if (first)
        add_cell(t, keyed ? l->key : FORMAT_DEC, keyed ? row->identity.key : row->identity.slot, v->symbols);
    for (unsigned m = 0; m < l->members; m++) {
        add_cell(t, l->member[m].format, row->member[m], v->symbols);
        if (shows_exact(v, m) && shows_estimates(v))
            table_add(t, "%s", report_number(buf, (uint64_t)(v->score->scale * (double)row->member[m] + 0.5)));
        if (shows_exact(v, m))
            table_add(t, "%s", report_number(buf, row->exact[m]));
    }
    if (v->score == NULL)
        return;
    double exact = (double)generic_exact_events(l, row), error = generic_estimated_events(v->score, l, row) - exact;
    if (exact == 0)
        table_add(t, "-");
    else if (error == 0)
        table_add(t, "0");
    else
        table_add(t, "%+.1f", 100 * error / exact);
}

static void print_score(struct report *r, const struct view *v)
{
    const struct generic_score *s = v->score;
    report_line(r, "\n%s against the exact counts, of all instructions of the classes that pass", v->layout->name);
    report_count(r, NULL, "instructions executed", s->instructions, "static");
    report_count(r, NULL, "", s->executions, "times");
    if (s->executions != 0)
        report_share(r, NULL, "  of them profiled", (double)s->executions_profiled / (double)s->executions, 2);
    report_share(r, NULL, "counts misplaced", s->error, 2);
}

static void print_legend(struct report *r, const struct view *v)
{
    if (shows_estimates(v))
        report_line(r, "\nest.: the count times %.3f, the samples delivered for each that was not dropped.", v->score->scale);
    if (v->score != NULL)
        report_line(r, "%sexact: what the model knows exactly. error: of %s.", shows_estimates(v) ? "" : "\n",
                    shows_estimates(v) ? "the estimates of a line together" : "the counts of a line together");
}

static void print_rows(struct report *r, const struct view *v)
{
    struct table_column columns[MAX_COLUMNS];
    unsigned count = generic_rows_count(v->rows), top = r->options->top;
    bool first = v->layout->key != FORMAT_NONE || v->rows->by_slot;
    unsigned n = choose_columns(v, first, columns), shown = top != 0 && top < count ? top : count;
    if (v->score != NULL)
        print_score(r, v);
    report_line(r, "\n%s: by the largest count, %u of %u", v->layout->name, shown, count);
    if (n == 0)
        return; /* a layout that declares nothing */
    const struct generic_row **rows = generic_rows_sort(v->rows);
    struct table *t = table_new(columns, n);
    for (unsigned i = 0; i < shown; i++)
        add_row(t, v, rows[i], first);
    table_print(t, r->out);
    table_free(t);
    free(rows);
    print_legend(r, v);
}

/* ---- JSON ---- */

static json_t *cell_json(unsigned format, uint64_t n, const struct symbols *symbols)
{
    if (format == FORMAT_PC)
        return report_place_json(symbols, sample_pc_of((uint32_t)n));
    if (format == FORMAT_HEX || n > INT64_MAX)
        return report_hex_json(n);
    return json_integer((json_int_t)n);
}

static void add_exact_json(json_t *j, const struct view *v, const struct generic_row *row)
{
    const struct image_layout *l = v->layout;
    json_t *estimated = json_object(), *exact = json_object();
    for (unsigned m = 0; m < l->members; m++)
        if (shows_exact(v, m)) {
            json_object_set_new(estimated, l->member[m].name, json_real(v->score->scale * (double)row->member[m]));
            json_object_set_new(exact, l->member[m].name, json_integer((json_int_t)row->exact[m]));
        }
    json_object_set_new(j, "estimated", estimated);
    json_object_set_new(j, "exact", exact);
}

static json_t *row_json(const struct view *v, const struct generic_row *row)
{
    const struct image_layout *l = v->layout;
    json_t *j = json_object(), *members = json_object();
    if (l->key != FORMAT_NONE)
        json_object_set_new(j, "key", cell_json(l->key, row->identity.key, v->symbols));
    else if (v->rows->by_slot)
        json_object_set_new(j, "slot", json_integer((json_int_t)row->identity.slot));
    for (unsigned m = 0; m < l->members; m++)
        json_object_set_new(members, l->member[m].name, cell_json(l->member[m].format, row->member[m], v->symbols));
    json_object_set_new(j, "members", members);
    if (v->score != NULL)
        add_exact_json(j, v, row);
    return j;
}

static json_t *score_json(const struct generic_score *s)
{
    json_t *j = json_object();
    json_object_set_new(j, "exact_instructions", json_integer(s->instructions));
    json_object_set_new(j, "exact_executions", json_integer((json_int_t)s->executions));
    json_object_set_new(j, "profiled_share", json_real(s->executions != 0 ? (double)s->executions_profiled / (double)s->executions : 0));
    json_object_set_new(j, "scale", json_real(s->scale));
    json_object_set_new(j, "error", json_real(s->error));
    return j;
}

static json_t *layout_json(const struct view *v)
{
    json_t *j = json_object(), *list = json_array();
    const struct generic_row **rows = generic_rows_sort(v->rows);
    unsigned count = generic_rows_count(v->rows);
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(list, row_json(v, rows[i]));
    free(rows);
    json_object_set_new(j, "name", json_string(v->layout->name));
    json_object_set_new(j, "score", v->score != NULL ? score_json(v->score) : json_null());
    json_object_set_new(j, "rows", list);
    return j;
}

void generic_report(struct report *r, const struct generic_rows *g, const struct generic_score *score, const struct symbols *symbols,
                    json_t *layouts)
{
    const struct view v = {.layout = g->layout, .rows = g, .score = score, .symbols = symbols};
    if (r->root == NULL)
        print_rows(r, &v);
    else
        json_array_append_new(layouts, layout_json(&v));
}
