/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layouts as tables: the key, then the members in the order in which the program declares them. Beside each member that
 * counts events stand what it stands for where samples were dropped, and the exact count. */
#include "host/generic_report.h"

#include <stdlib.h>

#include "host/interval.h"
#include "isa/contract/sample.h"

/* A layout and what there is to report of it. */
struct view {
    const struct image_layout *layout;
    const struct generic_rows *rows;
    const struct generic_score *score; /* NULL: nothing exact is known */
};

static bool shows_exact(const struct view *v, unsigned member)
{
    return v->score != NULL && image_format_is_event(v->layout->member[member].format);
}

static bool shows_estimates(const struct view *v) { return v->score != NULL && v->score->scale != 1; }

static enum report_type type_of(unsigned format)
{
    return format == FORMAT_PC ? REPORT_ADDRESS : format == FORMAT_HEX ? REPORT_HEX : REPORT_COUNT;
}

static void add_cell(struct report_table *t, unsigned format, uint64_t n)
{
    if (format == FORMAT_PC)
        report_cell_address(t, sample_pc_of((uint32_t)n));
    else if (format == FORMAT_HEX)
        report_cell_hex(t, n);
    else
        report_cell_count(t, n);
}

/* In the text form each member has its estimate and its exact count beside it: such columns have the same place, and
 * are declared in that order. */
enum { KEY_AT = 0, MEMBER_AT = 1, ERROR_AT = MEMBER_AT + IMAGE_MEMBERS };

static void declare_members(struct report_table *t, const struct image_layout *l)
{
    for (unsigned m = 0; m < l->members; m++) {
        unsigned format = l->member[m].format;
        report_column(t, &(struct report_column){.type = type_of(format),
                                                 .group = "members",
                                                 .member = l->member[m].name,
                                                 .at = MEMBER_AT + m,
                                                 .title = l->member[m].name,
                                                 .plain = format == FORMAT_DEC});
    }
}

/* A column of the group for each member that counts events. */
static void declare_events(struct report_table *t, const struct view *v, const char *group, enum report_type type,
                           const char *title)
{
    for (unsigned m = 0; m < v->layout->members; m++)
        if (shows_exact(v, m))
            report_column(t, &(struct report_column){.type = type,
                                                     .group = group,
                                                     .member = v->layout->member[m].name,
                                                     .title = title,
                                                     .unit = "events",
                                                     .at = MEMBER_AT + m});
}

static void declare_columns(struct report_table *t, const struct view *v)
{
    const struct image_layout *l = v->layout;
    if (l->key != FORMAT_NONE)
        report_column(
            t,
            &(struct report_column){
                .type = type_of(l->key), .member = "key", .title = "key", .at = KEY_AT, .plain = l->key == FORMAT_DEC});
    else if (v->rows->by_slot)
        report_column(t, &(struct report_column){
                             .type = REPORT_COUNT, .member = "slot", .title = "slot", .at = KEY_AT, .plain = true});
    declare_members(t, l);
    if (v->score == NULL)
        return;
    declare_events(t, v, "estimated", REPORT_REAL, shows_estimates(v) ? "est." : NULL);
    if (shows_estimates(v))
        declare_events(t, v, "interval", REPORT_INTERVAL, NULL);
    declare_events(t, v, "exact", REPORT_COUNT, "exact");
    report_column(t, &(struct report_column){.type = REPORT_SHARE,
                                             .member = "error",
                                             .title = "error %",
                                             .decimals = 1,
                                             .sign = true,
                                             .absent = "-",
                                             .at = ERROR_AT});
}

static void add_estimates(struct report_table *t, const struct view *v, const struct generic_row *row)
{
    const struct image_layout *l = v->layout;
    for (unsigned m = 0; m < l->members; m++)
        if (shows_exact(v, m))
            report_cell_real(t, v->score->scale * (double)row->member[m]);
    for (unsigned m = 0; m < l->members && shows_estimates(v); m++) {
        struct interval i = interval_of_thinned((double)row->member[m], v->score->scale);
        if (shows_exact(v, m))
            report_cell_interval(t, i.low, i.high);
    }
    for (unsigned m = 0; m < l->members; m++)
        if (shows_exact(v, m))
            report_cell_count(t, row->exact[m]);
    double exact = (double)generic_exact_events(l, row), error = generic_estimated_events(v->score, l, row) - exact;
    if (exact != 0)
        report_cell_share(t, error / exact);
}

static void add_row(struct report_table *t, const struct view *v, const struct generic_row *row)
{
    const struct image_layout *l = v->layout;
    report_row(t);
    if (l->key != FORMAT_NONE)
        add_cell(t, l->key, row->identity.key);
    else if (v->rows->by_slot)
        report_cell_count(t, row->identity.slot);
    for (unsigned m = 0; m < l->members; m++)
        add_cell(t, l->member[m].format, row->member[m]);
    if (v->score != NULL)
        add_estimates(t, v, row);
}

static void report_score(struct report *r, const struct generic_score *s)
{
    report_note(r, "{name} against the exact counts, of all instructions of the classes that pass");
    struct report *score = report_section(r, "score");
    report_count(score, "exact_instructions", "instructions executed", s->instructions, NULL);
    report_unit(score, "instructions");
    report_remark(score, "static");
    report_count(score, "exact_executions", "", s->executions, NULL);
    report_unit(score, "instructions");
    report_remark(score, "times");
    report_share(score, "profiled_share", s->executions != 0 ? "  of them profiled" : NULL,
                 s->executions != 0 ? (double)s->executions_profiled / (double)s->executions : 0, 2);
    report_real(score, "scale", NULL, s->scale, 3, NULL);
    report_share(score, "error", "counts misplaced", s->error, 2);
}

static void report_legend(struct report *r, const struct view *v)
{
    if (shows_estimates(v)) {
        report_note(r, "est.: the count times {score.scale}, the samples delivered for each that was not dropped.");
        report_note_line(r, "exact: what the model knows exactly. error: of the estimates of a line together.");
    } else if (v->score != NULL) {
        report_note(r, "exact: what the model knows exactly. error: of the counts of a line together.");
    }
}

void generic_report(struct report *r, const struct generic_rows *g, const struct generic_score *score)
{
    const struct view v = {.layout = g->layout, .rows = g, .score = score};
    report_text(r, "name", NULL, g->layout->name);
    if (score != NULL)
        report_score(r, score);
    else
        report_absent(r, "score", NULL);
    struct report_table *t = report_table(r, "rows", "{name}: by {order}, {shown} of {rows}");
    report_order(t, "the largest count");
    declare_columns(t, &v);
    const struct generic_row **rows = generic_rows_sort(g);
    for (unsigned i = 0; i < generic_rows_count(g); i++)
        add_row(t, &v, rows[i]);
    free(rows);
    report_legend(r, &v);
}
