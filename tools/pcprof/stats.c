/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof stats: how the profile varies from run to run. Columns and order: DCPI paper, section 3.3 and Figure 3
 * (dcpistats). */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "tools/pcprof/output.h"
#include "tools/pcprof/pcprof.h"
#include "tools/pcprof/run_values.h"

static const char doc[] =
    "Prints how the profile varies across the runs selected, by procedure, image or source line: the normalised range, "
    "(maximum - minimum) / sum, and mean, standard deviation, minimum and maximum of the runs' estimates."
    "\vSTORE alone is its only epoch; STORE:EPOCH an epoch, STORE:RUN[-RUN][,...] runs. Two runs or more are needed. "
    "Rows are sorted by the range. The standard deviation is that of a sample: divided by N - 1.";

static const char *const run_by_names[] = {
#define BY(symbol, name) [PROF_BY_##symbol] = name,
#include "tools/pcprof/run_by.def"
};

struct stats_options {
#define OPTION(...) OPTION_MEMBER(__VA_ARGS__)
#include "tools/pcprof/stats_options.def"
};

static const struct option_row rows[] = {
#define OPTION(...) OPTION_ROW(struct stats_options, __VA_ARGS__)
#include "tools/pcprof/stats_options.def"
};

/* ---- the report ---- */

static double pcprof_stats_sum_of(const struct run_values *v)
{
    double sum = 0;
    for (size_t n = 0; n < v->runs; n++)
        sum += v->run[n].estimate;
    return sum;
}

/* A row for each run: its total. */
static void pcprof_stats_add_runs(const struct run_values *v, struct report *r)
{
    const struct report_column columns[] = {
        {.type = REPORT_COUNT, .member = "run", .title = "run", .plain = true},
        {.type = REPORT_TEXT, .member = "epoch", .title = "epoch"},
        {.type = REPORT_COUNT, .member = "seed", .title = "seed", .plain = true},
        {.type = REPORT_TEXT, .member = "by", .title = "by"},
        {.type = REPORT_REAL, .member = "estimate", .title = "estimate", .unit = v->unit},
        {.type = REPORT_SHARE, .member = "share", .title = "sum %", .decimals = 2, .absent = "-"},
        {.type = REPORT_REAL, .member = "exact", .title = "exact", .unit = v->unit, .absent = "-"},
    };
    double sum = pcprof_stats_sum_of(v);
    struct report_table *t = report_table(r, "totals", "Totals, {shown} of {rows} runs");
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
    for (size_t n = 0; n < v->runs; n++) {
        const struct run_total *run = &v->run[n];
        report_row(t);
        report_cell_count(t, (uint64_t)run->run);
        report_cell_text(t, run->epoch);
        report_cell_count(t, run->seed);
        report_cell_text(t, run->by);
        report_cell_real(t, run->estimate);
        report_cell_share(t, run->estimate / sum);
        report_cell_real(t, run->exact);
    }
}

struct stats_row {
    struct value_spread spread;
    const struct run_place *place;
};

/* By the range; then by the sum, and by name. */
static int by_range(const void *a, const void *b)
{
    const struct stats_row *x = a, *y = b;
    double dx = isnan(x->spread.range) ? -1 : x->spread.range, dy = isnan(y->spread.range) ? -1 : y->spread.range;
    if (dx != dy)
        return dx > dy ? -1 : 1;
    if (x->spread.sum != y->spread.sum)
        return x->spread.sum > y->spread.sum ? -1 : 1;
    return run_values_compare_places(x->place, y->place);
}

static void add_spread(struct report_table *t, const struct value_spread *s, double sum)
{
    report_cell_share(t, s->range);
    report_cell_real(t, s->sum);
    report_cell_share(t, s->sum / sum);
    report_cell_count(t, s->count);
    report_cell_real(t, s->mean);
    report_cell_real(t, s->deviation);
    report_cell_real(t, s->least);
    report_cell_real(t, s->most);
}

static struct report_table *pcprof_stats_declare_rows(const struct run_values *v, struct report *r)
{
    static const char *const titles[] = {[PROF_BY_PROCEDURE] = "Procedures by {order}, {shown} of {rows}",
                                         [PROF_BY_IMAGE] = "Images by {order}, {shown} of {rows}",
                                         [PROF_BY_LINE] = "Lines by {order}, {shown} of {rows}"};
    const struct report_column columns[] = {
        {.type = REPORT_SHARE, .member = "range", .title = "range %", .decimals = 2, .absent = "-"},
        {.type = REPORT_REAL, .member = "sum", .title = "sum", .unit = v->unit},
        {.type = REPORT_SHARE, .member = "share", .title = "sum %", .decimals = 2, .absent = "-"},
        {.type = REPORT_COUNT, .member = "runs", .title = "N", .unit = "runs"},
        {.type = REPORT_REAL, .member = "mean", .title = "mean", .unit = v->unit, .decimals = 2},
        {.type = REPORT_REAL, .member = "deviation", .title = "std-dev", .unit = v->unit, .decimals = 2},
        {.type = REPORT_REAL, .member = "minimum", .title = "min", .unit = v->unit},
        {.type = REPORT_REAL, .member = "maximum", .title = "max", .unit = v->unit},
    };
    struct report_table *t = report_table(r, "statistics", titles[v->by]);
    report_order(t, "range");
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
    run_values_declare_place(v, t);
    return t;
}

static void add_statistics(const struct run_values *v, struct report *r)
{
    double sum = pcprof_stats_sum_of(v);
    struct stats_row *row = xcalloc(v->places + 1, sizeof *row);
    for (size_t n = 0; n < v->places; n++)
        row[n] = (struct stats_row){spread_of(v->place[n]->estimate, v->runs), v->place[n]};
    qsort(row, v->places, sizeof *row, by_range);
    struct report_table *t = pcprof_stats_declare_rows(v, r);
    for (size_t n = 0; n < v->places; n++) {
        if (row[n].spread.sum == 0) /* a place with exact values alone */
            continue;
        report_row(t);
        add_spread(t, &row[n].spread, sum);
        run_values_add_place(v, t, row[n].place);
    }
    free(row);
}

/* The statistics of the runs' totals. */
static void add_all(const struct run_values *v, struct report *r)
{
    double *total = xcalloc(v->runs, sizeof *total);
    for (size_t n = 0; n < v->runs; n++)
        total[n] = v->run[n].estimate;
    struct value_spread s = spread_of(total, v->runs);
    report_text(r, "event", "event", v->name);
    report_real(r, "sum", "  sum", s.sum, 0, v->unit);
    report_real(r, "mean", "  mean", s.mean, 2, v->unit);
    report_real(r, "deviation", "  std-dev", s.deviation, 2, v->unit);
    report_share(r, "range", "  range", s.range, 2);
    free(total);
}

static enum status pcprof_stats_print(const struct pcprof_input *in, const struct run_values *v,
                                      const struct stats_options *o, struct errmsg *err)
{
    if (v->runs < 2)
        return fail(err, ST_INPUT, "%s: expected 2 runs or more that have %s, found %zu: statistics are across runs",
                    o->input, v->name, v->runs);
    struct report *r = report_new();
    pcprof_report_input(in, r);
    add_all(v, r);
    pcprof_stats_add_runs(v, r);
    add_statistics(v, r);
    if (!run_values_vary(v, 0, v->runs))
        report_note(r, "All runs have the same profile. Runs of one program vary by --seed if profilers have random "
                       "periods (tip:random).");
    enum status st = pcprof_write(&PCPROF_OUTPUT(o), r, err);
    report_free(r);
    return st;
}

int pcprof_stats(int argc, char **argv)
{
    static const struct option_syntax syntax = {rows, sizeof rows / sizeof rows[0],      PCPROF_SELECTION,
                                                doc,  "0, or 2 for bad usage or input.", NULL};
    struct stats_options o = {0};
    struct pcprof_input in;
    struct errmsg err;
    option_parse(&syntax, &o, argc, argv);
    struct run_values v = {.by = o.by};
    enum status st = pcprof_open(&in, o.input, &err);
    if (st == ST_OK)
        st = run_values_add(&v, &in, o.event, &err);
    if (st == ST_OK)
        st = pcprof_stats_print(&in, &v, &o, &err);
    run_values_release(&v);
    pcprof_close(&in);
    return st == ST_OK ? 0 : pcprof_fail(&err);
}
