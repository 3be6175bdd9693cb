/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof diff: what changed from one set of runs to another, with its significance. */
#include "tools/pcprof/diff.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command/output.h"
#include "tools/pcprof/pcprof.h"

static const char doc[] =
    "Compares two sets of runs, such as those of two versions of a program: by procedure, image or source line the "
    "estimates per run, their difference, its 95 % interval, and whether it is significant."
    "\vBEFORE and AFTER are STORE, STORE:EPOCH or STORE:RUN[-RUN][,...], of one store or of two. Images and "
    "procedures are matched by their names, lines by the instructions that they have in procedures of one name. The "
    "intervals are computed from the spread of the runs (Welch's test) if "
    "each side has 2 or more runs that differ, and otherwise from the number of samples (Poisson distribution). Of the "
    "rows that are marked as significant, at most 5 % are expected to be due to chance, however many rows there are "
    "(the rule of Benjamini and Hochberg).";

static const char *const run_by_names[] = {
#define BY(symbol, name) [PROF_BY_##symbol] = name,
#include "tools/pcprof/run_by.def"
};

static const char examples[] = "pcprof diff before.db after.db        # two stores, of all their runs\n"
                               "pcprof diff --by line runs.db:1 runs.db:2\n";

#define TOOL pcprof
#define NAME diff
#define OPTIONS "tools/pcprof/diff_options.def"
#define ARGUMENTS "BEFORE AFTER"
#define CHECK diff_check
#define EXIT_STATUS "0; 1 if --fail-if-slower names a row; 2 for bad usage or input."
#include "tools/command/command.inc"

static enum status diff_check(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    const struct diff_arguments *o = options;
    if (o->after == NULL)
        return fail(err, ST_INPUT, "expected two selections of runs");
    if (o->junit != NULL && !o->limit.given)
        return fail(err, ST_INPUT, "--junit requires --fail-if-slower, whose tests it writes");
    return option_check_files(syntax, options, err);
}

/* ---- the report ---- */

/* Shares are of the total difference. */
static void difference_columns(const struct diff *d, struct report_table *t, const struct diff_row *row,
                               const struct diff_row *total, bool share)
{
    const struct spread_difference *x = &row->absolute;
    const char *unit = d->values.unit;
    REPORT_COLUMN(t, REAL, row->mean[0], .member = "before", .title = "before", .unit = unit);
    REPORT_COLUMN(t, REAL, row->mean[1], .member = "after", .title = "after", .unit = unit);
    REPORT_COLUMN(t, REAL, x->difference, .member = "difference", .title = "difference", .unit = unit);
    REPORT_COLUMN(t, SHARE, row->relative.difference, .member = "change", .title = "change %", .decimals = 1,
                  .sign = true, .absent = "new");
    if (share)
        REPORT_COLUMN(t, SHARE, x->difference / diff_total_difference(total), .member = "share", .title = "share %",
                      .decimals = 1, .absent = "-");
    REPORT_COLUMN_IF(t, !isnan(x->low), INTERVAL, *x, .member = "interval", .title = "95 % interval", .unit = unit,
                     .absent = "-");
    REPORT_COLUMN(t, REAL, x->probability, .member = "probability", .title = "p", .decimals = 4, .absent = "-");
    REPORT_COLUMN_IF(t, !isnan(x->probability), FLAG, diff_is_significant(row), .member = "significant", .title = "sig",
                     .absent = "-");
    REPORT_COLUMN(t, REAL, row->exact, .member = "exact", .title = "exact", .unit = unit, .absent = "-");
}

/* The rows of the table, from 1 on: those with an estimate, not with exact values alone. Row 0 is for the total of
 * --fail-if-slower. The caller frees them. */
static struct diff_row *diff_shown_rows(const struct diff *d, const struct diff_row *total, size_t *count)
{
    struct diff_row *all = diff_rows(d), *row = xcalloc(d->values.places + 1, sizeof *row);
    row[0] = diff_gate_total(d, total);
    *count = 1;
    for (size_t n = 0; n < d->values.places; n++)
        if (all[n].mean[0] != 0 || all[n].mean[1] != 0)
            row[(*count)++] = all[n];
    free(all);
    return row;
}

static void diff_add_row(const struct diff *d, struct report_table *t, const struct diff_row *row,
                         const struct diff_row *total, bool share)
{
    static char name[] = "(total)";
    static const struct run_place all = {.procedure = name, .line = name, .image = name};
    report_row(t);
    difference_columns(d, t, row, total, share);
    run_values_place_columns(&d->values, t, row->place != NULL ? row->place : &all);
}

static void add_places(const struct diff *d, const struct diff_row *row, size_t count, const struct diff_row *total,
                       struct report *r)
{
    static const char *const titles[] = {[PROF_BY_PROCEDURE] = "Procedures by {order}, {shown} of {rows}",
                                         [PROF_BY_IMAGE] = "Images by {order}, {shown} of {rows}",
                                         [PROF_BY_LINE] = "Lines by {order}, {shown} of {rows}"};
    struct report_table *t = report_table(r, "differences", titles[d->values.by]);
    report_order(t, "difference per run");
    difference_columns(d, t, total, total, true);
    run_values_place_columns(&d->values, t, &(struct run_place){0});
    for (size_t n = 1; n < count; n++)
        diff_add_row(d, t, &row[n], total, true);
}

static void add_slower(const struct diff *d, const struct diff_row *row, size_t count, const struct diff_limit *limit,
                       struct report *r)
{
    char *title = xasprintf("Significantly more %s, by at least %g %%: {rows} of %zu tests", d->values.name,
                            100 * limit->share, count);
    struct report_table *t = report_table(r, "differences_slower", title);
    free(title);
    report_whole(t);
    difference_columns(d, t, row, row, false);
    run_values_place_columns(&d->values, t, &(struct run_place){0});
    for (size_t n = 0; n < count; n++)
        if (diff_is_slower(&row[n], limit))
            diff_add_row(d, t, &row[n], row, false);
}

static void add_notes(const struct diff *d, const struct diff_row *row, size_t count, bool full_names, struct report *r)
{
    static const char *const notes[] = {
        [DIFF_FROM_RUNS] =
            "Intervals and p: from the spread of the runs, by Welch's test; of rows that do not vary, from "
            "the number of samples.",
        [DIFF_FROM_SAMPLES] =
            "Intervals and p: from the number of samples, by Poisson's distribution, because a side has "
            "no runs that differ.",
        [DIFF_NONE] = "The values are exact.",
        [DIFF_UNKNOWN] = "The error of the estimates is unknown: their number of samples is not in the store. Several "
                         "runs of each side give intervals."};
    bool partial = false;
    for (unsigned s = 0; s < 2; s++)
        for (size_t n = 0; n < d->side[s].input->contents.runs; n++)
            partial = partial || d->side[s].input->contents.run[n].partial;
    report_note(r, notes[d->error]);
    char *moved = diff_tell_moved(d, row, count, full_names);
    if (moved != NULL)
        report_note(r, moved);
    free(moved);
    if (partial)
        report_note(r, "Some runs were stopped early, so the sides may have done different amounts of work.");
    if (!diff_has_common_image(d))
        report_note(r, "The sides have no image in common. Versions of a program are compared by procedure if their "
                       "files have the same name.");
}

static enum status diff_report(const struct diff *d, const struct diff_row *row, size_t count,
                               const struct diff_row *total, const struct diff_arguments *o, struct errmsg *err)
{
    struct report *r = report_new();
    diff_report_head(d, total, r);
    struct report_table *t = report_table(r, "difference", "Per run");
    difference_columns(d, t, total, total, false);
    report_row(t);
    difference_columns(d, t, total, total, false);
    add_places(d, row, count, total, r);
    if (o->limit.given)
        add_slower(d, row, count, &o->limit, r);
    add_notes(d, row, count, o->full_names, r);
    enum status st = command_write(&COMMAND_OUTPUT(o), r, err);
    report_free(r);
    return st;
}

static enum status diff_print(const struct diff *d, const struct diff_arguments *o, struct errmsg *err)
{
    size_t count;
    const struct diff_row total = diff_total(d);
    struct diff_row *row = diff_shown_rows(d, &total, &count);
    enum status st = diff_report(d, row, count, &total, o, err);
    if (st == ST_OK && o->junit != NULL)
        st = diff_gate_write(d, row, count, &o->limit, o->junit, err);
    if (st == ST_OK && o->limit.given)
        st = diff_gate_judge(d, row, count, &o->limit, err);
    free(row);
    return st;
}

/* ---- the command ---- */

static enum status add_side(struct diff *d, struct diff_side *side, const char *event, struct errmsg *err)
{
    side->first = d->values.runs;
    enum status st = run_values_add(&d->values, side->input, event, err);
    side->end = d->values.runs;
    return st;
}

static enum status diff_run(struct pcprof_input in[2], const struct diff_arguments *o, struct errmsg *err)
{
    struct diff d = {.values = {.by = o->by, .with_exact = true},
                     .side = {{.name = o->before, .input = &in[0]}, {.name = o->after, .input = &in[1]}}};
    struct line_pairs *pairs = NULL;
    enum status st = pcprof_open(&in[0], o->before, err);
    if (st == ST_OK)
        st = pcprof_open(&in[1], o->after, err);
    if (st == ST_OK && o->by == PROF_BY_LINE)
        st = line_pairs_load(&pairs, &in[0], &in[1], o->event, err);
    for (unsigned s = 0; s < 2 && st == ST_OK; s++) {
        d.values.pairs = s == 0 ? pairs : NULL;
        d.values.side = s;
        st = add_side(&d, &d.side[s], o->event, err);
    }
    if (st == ST_OK) {
        d.has_exact = run_values_are_exact(&d.values, 0, d.values.runs);
        diff_choose_error(&d);
        st = diff_print(&d, o, err);
    }
    line_pairs_free(pairs);
    run_values_release(&d.values);
    return st;
}

static enum status diff_command(const struct diff_arguments *o, struct errmsg *err)
{
    struct pcprof_input in[2] = {0};
    enum status st = diff_run(in, o, err);
    pcprof_close(&in[0]);
    pcprof_close(&in[1]);
    return st;
}
