/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layouts as tables: the key, then the members in the program's order of declaration. A counting member is shown as
 * its estimate, followed by the exact count if known. */
#include "host/driver/generic_report.h"

#include <stdlib.h>

#include "base/interval.h"

/* A layout and its data for the report. */
struct generic_report_view {
    const struct image_layout *layout;
    const struct generic_rows *rows;
    const struct generic_score *score; /* NULL: exact counts are unknown, or no member has one */
    struct generic_scale scale;
};

static bool shows_exact(const struct generic_report_view *v, unsigned member)
{
    return v->score != NULL && generic_is_counted(v->layout, member);
}

/* Counts that only the driver has scaled for drops have no interval: drops occur in bursts, so an instruction's share
 * of them is unknown. */
static bool has_interval(const struct generic_report_view *v)
{
    return v->scale.counts_dropped || v->scale.period != 1;
}

static bool shows_interval(const struct generic_report_view *v, unsigned member)
{
    return v->score != NULL && generic_is_event(v->layout, member) && has_interval(v);
}

static bool is_count(const struct generic_report_view *v, unsigned member)
{
    return v->layout->member[member].format == FORMAT_COUNT;
}

/* Whether the estimates differ from the members' counts. */
static bool shows_estimates(const struct generic_report_view *v)
{
    return v->scale.thinned != 1 || v->layout->parts != 1;
}

/* The unit of a member with an exact count; NULL: no exact count. */
static const char *generic_report_unit_of(const struct generic_report_view *v, unsigned member)
{
    return generic_is_counted(v->layout, member)
               ? exact_kinds[v->layout->exact].count[v->layout->member[member].exact].unit
               : NULL;
}

static enum report_type type_of(unsigned format)
{
    static const enum report_type types[] = {[PRINT_NUMBER] = REPORT_COUNT,
                                             [PRINT_SIGNED] = REPORT_REAL,
                                             [PRINT_HEX] = REPORT_HEX,
                                             [PRINT_CODE_ADDRESS] = REPORT_ADDRESS,
                                             [PRINT_DATA_ADDRESS] = REPORT_ADDRESS};
    return types[slot_format_print(format)];
}

static void generic_report_add_cell(struct report_table *t, unsigned format, uint64_t held, unsigned bits)
{
    uint64_t n = slot_format_value(format, held, bits);
    switch (slot_format_print(format)) {
    case PRINT_NUMBER:
        report_cell_count(t, n);
        break;
    case PRINT_SIGNED:
        report_cell_real(t, (double)(int64_t)n);
        break;
    case PRINT_HEX:
        report_cell_hex(t, n);
        break;
    case PRINT_CODE_ADDRESS:
        report_cell_address(t, n);
        break;
    case PRINT_DATA_ADDRESS:
        report_cell_data_address(t, n);
        break;
    }
}

/* Positions of the columns in the text form. A member's exact count follows it, and its estimate replaces it if they
 * differ: such columns have the same position and are declared in that order. */
enum { KEY_AT = 0, MEMBER_AT = 1, ERROR_AT = MEMBER_AT + IMAGE_MEMBERS };

static void declare_members(struct report_table *t, const struct generic_report_view *v)
{
    const struct image_layout *l = v->layout;
    for (unsigned m = 0; m < l->members; m++) {
        unsigned format = l->member[m].format;
        bool is_replaced = is_count(v, m) && shows_estimates(v);
        report_column(t, &(struct report_column){.type = type_of(format),
                                                 .group = "members",
                                                 .member = l->member[m].name,
                                                 .at = MEMBER_AT + m,
                                                 .title = is_replaced ? NULL : l->member[m].name});
    }
}

/* Declares a column of the group for each member for which `shows` is true. The title "" means the member's name. */
static void declare_counts(struct report_table *t, const struct generic_report_view *v, const char *group,
                           enum report_type type, const char *title,
                           bool (*shows)(const struct generic_report_view *v, unsigned member))
{
    for (unsigned m = 0; m < v->layout->members; m++) {
        const char *name = v->layout->member[m].name;
        if (shows(v, m))
            report_column(t, &(struct report_column){.type = type,
                                                     .group = group,
                                                     .member = name,
                                                     .title = title != NULL && *title == '\0' ? name : title,
                                                     .unit = generic_report_unit_of(v, m),
                                                     .at = MEMBER_AT + m});
    }
}

static void generic_report_declare_columns(struct report_table *t, const struct generic_report_view *v)
{
    const struct image_layout *l = v->layout;
    if (l->key != FORMAT_NONE)
        report_column(t,
                      &(struct report_column){
                          .type = type_of(slot_format_of_key(l->key)), .member = "key", .title = "key", .at = KEY_AT});
    else if (v->rows->by_slot)
        report_column(t, &(struct report_column){
                             .type = REPORT_COUNT, .member = "slot", .title = "slot", .at = KEY_AT, .plain = true});
    declare_members(t, v);
    declare_counts(t, v, "estimated", REPORT_REAL, shows_estimates(v) ? "" : NULL, is_count);
    if (v->score == NULL)
        return;
    if (shows_estimates(v))
        declare_counts(t, v, "interval", REPORT_INTERVAL, NULL, shows_interval);
    declare_counts(t, v, "exact", REPORT_COUNT, "exact", shows_exact);
    report_column(t, &(struct report_column){.type = REPORT_SHARE,
                                             .member = "error",
                                             .title = "error %",
                                             .decimals = 1,
                                             .sign = true,
                                             .absent = "-",
                                             .at = ERROR_AT});
}

/* Adds the error of the sum of the row's scored events relative to the exact one; absent if that is 0. */
static void add_error(struct report_table *t, const struct generic_report_view *v, const struct generic_row *row)
{
    double estimated = 0, exact = 0;
    for (unsigned m = 0; m < v->layout->members; m++)
        if (generic_is_scored(v->layout, m)) {
            estimated += generic_estimate(v->scale.period, v->layout, row, m);
            exact += (double)row->exact[m];
        }
    if (exact != 0)
        report_cell_share(t, (estimated - exact) / exact);
}

static void add_estimates(struct report_table *t, const struct generic_report_view *v, const struct generic_row *row)
{
    for (unsigned m = 0; m < v->layout->members; m++)
        if (is_count(v, m))
            report_cell_real(t, generic_estimate(v->scale.period, v->layout, row, m));
}

/* Each of N events is delivered with probability 1 / period and then admitted with probability q. If an admitted
 * event counts `period` / q, the sum has the variance N (period / q - 1). If it counts by its weight, `period` times
 * a geometric variable with mean 1 / q, the variance is N (2 period / q - period - 1). */
static struct interval interval_of(const struct generic_report_view *v, double estimate)
{
    const struct generic_scale *s = &v->scale;
    double scale = s->counts_dropped ? 2 * s->thinned - s->period : s->thinned;
    return interval_of_thinned(estimate / scale, scale);
}

static void add_exact(struct report_table *t, const struct generic_report_view *v, const struct generic_row *row)
{
    const struct image_layout *l = v->layout;
    for (unsigned m = 0; m < l->members && shows_estimates(v); m++) {
        if (!shows_interval(v, m))
            continue;
        struct interval i = interval_of(v, generic_estimate(v->scale.period, l, row, m));
        report_cell_interval(t, i.low, i.high);
    }
    for (unsigned m = 0; m < l->members; m++)
        if (shows_exact(v, m))
            report_cell_count(t, row->exact[m]);
    add_error(t, v, row);
}

static void generic_report_add_row(struct report_table *t, const struct generic_report_view *v,
                                   const struct generic_row *row)
{
    const struct image_layout *l = v->layout;
    report_row(t);
    if (l->key != FORMAT_NONE)
        generic_report_add_cell(t, slot_format_of_key(l->key), row->identity.key, IMAGE_KEY_BITS);
    else if (v->rows->by_slot)
        report_cell_count(t, row->identity.slot);
    for (unsigned m = 0; m < l->members; m++)
        generic_report_add_cell(t, l->member[m].format, row->member[m], isa_lanes[l->member[m].lane].width);
    add_estimates(t, v, row);
    if (v->score != NULL)
        add_exact(t, v, row);
}

/* Reports the sums over all rows of each member with an exact count. */
static void report_counts(struct report *score, const struct generic_report_view *v)
{
    const struct image_layout *l = v->layout;
    struct report_table *t = report_table(score, "counts", NULL);
    report_whole(t);
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "member", .title = "sum of"});
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "unit", .title = "unit"});
    report_column(t, &(struct report_column){.type = REPORT_REAL, .member = "estimated", .title = "estimated"});
    report_column(t, &(struct report_column){.type = REPORT_COUNT, .member = "exact", .title = "exact"});
    report_column(
        t, &(struct report_column){.type = REPORT_SHARE, .member = "error", .title = "misplaced %", .decimals = 2});
    for (unsigned m = 0; m < l->members; m++) {
        if (!shows_exact(v, m))
            continue;
        report_row(t);
        report_cell_text(t, l->member[m].name);
        report_cell_text(t, generic_report_unit_of(v, m));
        report_cell_real(t, v->score->count[m].estimated);
        report_cell_count(t, v->score->count[m].exact);
        report_cell_share(t, v->score->count[m].error);
    }
}

static void generic_report_score(struct report *r, const struct generic_report_view *v)
{
    const struct generic_score *s = v->score;
    const struct exact_kind *kind = &exact_kinds[v->layout->exact];
    report_note(r, "{name} against the exact reference {score.reference}:");
    report_note_line(r, "{score.meaning}");
    struct report *score = report_section(r, "score");
    report_text(score, "reference", NULL, kind->name);
    report_text(score, "meaning", NULL, kind->meaning);
    report_count(score, "exact_rows", "exact rows", s->rows, NULL);
    report_unit(score, "rows");
    report_count(score, "rows_profiled", "  profiled", s->rows_profiled, NULL);
    report_unit(score, "rows");
    report_count(score, "rows_false", "  false positives", s->rows_false, NULL);
    report_unit(score, "rows");
    report_count(score, "exact_events", "exact events", s->events, NULL);
    report_unit(score, generic_scored_unit(v->layout));
    report_share(score, "profiled_share", s->events != 0 ? "  of profiled rows" : NULL,
                 s->events != 0 ? (double)s->events_profiled / (double)s->events : 0, 2);
    report_share(score, "error", "events misplaced", s->error, 2);
    report_counts(score, v);
}

static void generic_report_legend(struct report *r, const struct generic_report_view *v)
{
    if (v->rows->saturated != 0)
        report_note(r, "Counts as large as their members can hold, which may be too low: {saturated}.");
    if (v->scale.counts_dropped)
        report_note(r, "Counts are estimates: the program counts each sample with those that were dropped before it.");
    else if (shows_estimates(v))
        report_note(r, "Counts are estimates: a processed sample stands for {scale} events on average.");
    if (v->score == NULL)
        return;
    static const char words[] = "exact: ground truth from the simulator. error: of a line's scored counts.";
    (shows_estimates(v) ? report_note_line : report_note)(r, words);
}

void generic_report(struct report *r, const struct generic_rows *g, const struct generic_score *score,
                    struct generic_scale scale)
{
    const bool scored = score != NULL && generic_scored_unit(g->layout) != NULL;
    const struct generic_report_view v = {
        .layout = g->layout, .rows = g, .score = scored ? score : NULL, .scale = scale};
    report_text(r, "name", NULL, g->layout->name);
    report_real(r, "scale", NULL, scale.counts_dropped ? scale.period : scale.thinned, 3, NULL);
    report_flag(r, "counts_dropped", NULL, scale.counts_dropped);
    report_count(r, "saturated", NULL, g->saturated, NULL);
    struct report_table *t = report_table(r, "rows", "{name}: by {order}, {shown} of {rows}");
    report_order(t, "the largest count");
    generic_report_declare_columns(t, &v);
    const struct generic_row **rows = generic_rows_sort(g);
    for (unsigned i = 0; i < generic_rows_count(g); i++)
        generic_report_add_row(t, &v, rows[i]);
    free(rows);
    generic_report_legend(r, &v);
    if (v.score != NULL)
        generic_report_score(r, &v);
    else
        report_absent(r, "score", NULL);
}
