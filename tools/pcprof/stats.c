/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof stats: how the profile varies from run to run. Columns and order: DCPI paper, section 3.3 and Figure 3
 * (dcpistats). */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "tools/command/output.h"
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

static const char examples[] = "pcprof stats runs.db                  # which procedures vary most\n"
                               "pcprof stats --by line runs.db:1-2\n";

#define TOOL pcprof
#define NAME stats
#define OPTIONS "tools/pcprof/stats_options.def"
#define ARGUMENTS PCPROF_SELECTION
#include "tools/command/command.inc"

/* ---- the report ---- */

static double pcprof_stats_sum_of(const struct run_values *v)
{
    double sum = 0;
    for (size_t n = 0; n < v->runs; n++)
        sum += v->run[n].estimate;
    return sum;
}

/* A run's total. */
static void total_columns(struct report_table *t, const struct run_values *v, const struct run_total *run, double sum)
{
    REPORT_COLUMN(t, COUNT, (uint64_t)run->run, .member = "run", .title = "run", .plain = true);
    REPORT_COLUMN(t, TEXT, run->epoch, .member = "epoch", .title = "epoch");
    REPORT_COLUMN(t, COUNT, run->seed, .member = "seed", .title = "seed", .plain = true);
    REPORT_COLUMN(t, TEXT, run->by, .member = "by", .title = "by");
    REPORT_COLUMN(t, REAL, run->estimate, .member = "estimate", .title = "estimate", .unit = v->unit);
    REPORT_COLUMN(t, SHARE, run->estimate / sum, .member = "share", .title = "sum %", .decimals = 2, .absent = "-");
    REPORT_COLUMN(t, REAL, run->exact, .member = "exact", .title = "exact", .unit = v->unit, .absent = "-");
}

static void pcprof_stats_add_runs(const struct run_values *v, struct report *r)
{
    struct report_table *t = report_table(r, "totals", "Totals, {shown} of {rows} runs");
    const double sum = pcprof_stats_sum_of(v);
    total_columns(t, v, v->run, sum);
    for (size_t n = 0; n < v->runs; n++) {
        report_row(t);
        total_columns(t, v, &v->run[n], sum);
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

static void spread_columns(struct report_table *t, const struct run_values *v, const struct stats_row *row, double sum)
{
    const struct value_spread *s = &row->spread;
    REPORT_COLUMN(t, SHARE, s->range, .member = "range", .title = "range %", .decimals = 2, .absent = "-");
    REPORT_COLUMN(t, REAL, s->sum, .member = "sum", .title = "sum", .unit = v->unit);
    REPORT_COLUMN(t, SHARE, s->sum / sum, .member = "share", .title = "sum %", .decimals = 2, .heat = true,
                  .absent = "-");
    REPORT_COLUMN(t, COUNT, s->count, .member = "runs", .title = "N", .unit = "runs");
    REPORT_COLUMN(t, REAL, s->mean, .member = "mean", .title = "mean", .unit = v->unit, .decimals = 2);
    REPORT_COLUMN(t, REAL, s->deviation, .member = "deviation", .title = "std-dev", .unit = v->unit, .decimals = 2);
    REPORT_COLUMN(t, REAL, s->least, .member = "minimum", .title = "min", .unit = v->unit);
    REPORT_COLUMN(t, REAL, s->most, .member = "maximum", .title = "max", .unit = v->unit);
    run_values_place_columns(v, t, row->place);
}

static void add_statistics(const struct run_values *v, struct report *r)
{
    static const char *const titles[] = {[PROF_BY_PROCEDURE] = "Procedures by {order}, {shown} of {rows}",
                                         [PROF_BY_IMAGE] = "Images by {order}, {shown} of {rows}",
                                         [PROF_BY_LINE] = "Lines by {order}, {shown} of {rows}"};
    double sum = pcprof_stats_sum_of(v);
    struct stats_row *row = xcalloc(v->places + 1, sizeof *row);
    for (size_t n = 0; n < v->places; n++)
        row[n] = (struct stats_row){spread_of(v->place[n]->estimate, v->runs), v->place[n]};
    qsort(row, v->places, sizeof *row, by_range);
    struct report_table *t = report_table(r, "statistics", titles[v->by]);
    report_order(t, "range");
    spread_columns(t, v, &(struct stats_row){.place = &(struct run_place){0}}, sum);
    for (size_t n = 0; n < v->places; n++)
        if (row[n].spread.sum != 0) { /* not a place with exact values alone */
            report_row(t);
            spread_columns(t, v, &row[n], sum);
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
                                      const struct stats_arguments *o, struct errmsg *err)
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
    enum status st = command_write(&COMMAND_OUTPUT(o), r, err);
    report_free(r);
    return st;
}

static enum status stats_command(const struct stats_arguments *o, struct errmsg *err)
{
    struct pcprof_input in;
    struct run_values v = {.by = o->by};
    enum status st = pcprof_open(&in, o->input, err);
    if (st == ST_OK)
        st = run_values_add(&v, &in, o->event, err);
    if (st == ST_OK)
        st = pcprof_stats_print(&in, &v, o, err);
    run_values_release(&v);
    pcprof_close(&in);
    return st;
}
