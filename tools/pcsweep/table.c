/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcsweep table: numbers of a study's reports, with means over seeds and ratios to a configuration. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/interval.h"
#include "base/options.h"
#include "contract/report.h"
#include "tools/command/output.h"
#include "tools/pcsweep/complete.h"
#include "tools/pcsweep/pcsweep.h"
#include "tools/pcsweep/table_plot.h"
#include "tools/pcsweep/table_values.h"

static const char doc[] =
    "Prints numbers of a study's reports by program, configuration and profile: means over the seeds with 95 % "
    "intervals of Student's distribution. With a baseline, also ratios to it, and their geometric means over the "
    "programs."
    "\vThe interval of a ratio is computed from the spread of the seeds (of logarithms, by the delta method); it is "
    "unknown with a single seed. A geometric mean has that interval, too, which is for these programs; the interval "
    "over programs takes them as a sample of others. All results are compared with their hashes first.";
static const char examples[] = "pcsweep table study\n"
                               "pcsweep table study -c cpi --plot cpi.gp && gnuplot cpi.gp\n"
                               "pcsweep table study --format csv -o table.csv\n";

#define TOOL pcsweep
#define NAME table
#define OPTIONS "tools/pcsweep/table_options.def"
#define ARGUMENTS "FOLDER"
#include "tools/command/command.inc"

enum { TABLE_DECIMALS = 4 };

static void table_name_columns(struct report_table *t, const struct job_names *n)
{
    REPORT_COLUMN(t, TEXT, n->program, .member = "program", .title = "program");
    REPORT_COLUMN(t, TEXT, n->configuration, .member = "configuration", .title = "configuration");
    REPORT_COLUMN(t, TEXT, n->profile[0] != '\0' ? n->profile : NULL, .member = "profile", .title = "profile",
                  .absent = "-");
}

static struct interval table_cell_interval(const struct table_cell *c)
{
    if (c->count < 2)
        return (struct interval){false, 0, 0};
    const struct value_spread s = spread_of(c->value, c->count);
    return interval_of_mean(s.mean, s.deviation, (unsigned)c->count);
}

/* Columns of whole numbers have few decimals. */
static unsigned table_decimals(const struct table_values *v, size_t column)
{
    for (size_t i = 0; i < v->rows; i++)
        if (v->row[i].cell[column].mean.mean >= 1000)
            return 0;
    return TABLE_DECIMALS;
}

static void table_value_columns(struct report_table *t, const struct table_values *v, const struct table_row *r)
{
    table_name_columns(t, r->names);
    REPORT_COLUMN(t, COUNT, r->seeds, .member = "seeds", .title = "seeds");
    for (size_t i = 0; i < v->columns; i++) {
        const struct table_cell *c = &r->cell[i];
        const struct interval x = table_cell_interval(c);
        char *member = xasprintf("%s_interval", v->column[i]);
        REPORT_COLUMN(t, REAL, c->mean.mean, .member = v->column[i], .title = v->column[i],
                      .decimals = table_decimals(v, i), .absent = "-");
        REPORT_COLUMN_IF(t, x.is_known, INTERVAL, x, .member = member, .title = "95 % interval",
                         .decimals = table_decimals(v, i), .absent = "-");
        free(member);
    }
}

static void table_add_values(const struct table_values *v, struct report *r)
{
    struct report_table *t = report_table(r, "values", "Means over seeds, {shown} of {rows}");
    table_value_columns(t, v, &v->row[0]);
    for (size_t i = 0; i < v->rows; i++) {
        report_row(t);
        table_value_columns(t, v, &v->row[i]);
    }
}

/* ---- ratios ---- */

/* A row of ratios: of a program, or geometric means over programs. */
struct table_ratio_row {
    struct job_names names;
    struct table_ratio *ratio;   /* of each column */
    struct interval *by_program; /* of each column, of a geometric mean, by the spread of programs; logarithms */
};

static void table_ratio_columns(struct report_table *t, const struct table_values *v, const struct table_ratio_row *r)
{
    table_name_columns(t, &r->names);
    for (size_t i = 0; i < v->columns; i++) {
        const struct spread_difference x = table_ratio_interval(&r->ratio[i]);
        const struct interval p = {r->by_program[i].is_known, exp(r->by_program[i].low), exp(r->by_program[i].high)};
        char *interval = xasprintf("%s_interval", v->column[i]), *programs = xasprintf("%s_programs", v->column[i]);
        REPORT_COLUMN(t, REAL, x.difference, .member = v->column[i], .title = v->column[i], .decimals = TABLE_DECIMALS,
                      .absent = "-");
        REPORT_COLUMN_IF(t, !isnan(x.low), INTERVAL, x, .member = interval, .title = "95 % interval",
                         .decimals = TABLE_DECIMALS, .absent = "-");
        REPORT_COLUMN_IF(t, p.is_known, INTERVAL, p, .member = programs, .title = "over programs",
                         .decimals = TABLE_DECIMALS, .absent = "-");
        free(interval);
        free(programs);
    }
}

static void table_add_ratio_row(struct report_table *t, const struct table_values *v, const struct table_row *r,
                                const struct table_row *base, struct table_ratio *ratio, struct interval *unknown)
{
    for (size_t c = 0; c < v->columns; c++)
        ratio[c] = table_ratio_of(&r->cell[c], &base->cell[c]);
    report_row(t);
    table_ratio_columns(t, v, &(struct table_ratio_row){*r->names, ratio, unknown});
}

/* The programs' ratios of a configuration and profile, of one column; returns their number. */
static size_t table_collect_ratios(const struct table_values *v, const struct job_names *n, const char *baseline,
                                   size_t column, struct table_ratio *ratio)
{
    size_t count = 0;
    for (size_t i = 0; i < v->rows; i++) {
        const struct table_row *r = &v->row[i], *base = table_values_find(v, r, baseline);
        if (base == NULL || strcmp(r->names->configuration, n->configuration) != 0 ||
            strcmp(r->names->profile, n->profile) != 0)
            continue;
        ratio[count] = table_ratio_of(&r->cell[column], &base->cell[column]);
        count += isnan(ratio[count].log) ? 0 : 1;
    }
    return count;
}

static struct interval table_program_interval(const struct table_ratio *ratio, size_t count)
{
    double *log = xcalloc(count + 1, sizeof *log);
    struct interval x = {false, 0, 0};
    for (size_t i = 0; i < count; i++)
        log[i] = ratio[i].log;
    if (count > 1) {
        const struct value_spread s = spread_of(log, count);
        x = interval_of_mean(s.mean, s.deviation, (unsigned)count);
    }
    free(log);
    return x;
}

static void table_add_mean_row(struct report_table *t, const struct table_values *v, const struct job_names *n,
                               const char *baseline)
{
    struct table_ratio *each = xcalloc(v->rows, sizeof *each), *mean = xcalloc(v->columns, sizeof *mean);
    struct interval *by_program = xcalloc(v->columns, sizeof *by_program);
    for (size_t c = 0; c < v->columns; c++) {
        const size_t count = table_collect_ratios(v, n, baseline, c, each);
        mean[c] = count > 0 ? table_ratio_mean(each, count) : (struct table_ratio){NAN, NAN, NAN};
        by_program[c] = table_program_interval(each, count);
    }
    report_row(t);
    table_ratio_columns(
        t, v, &(struct table_ratio_row){{"(geometric mean)", n->configuration, n->profile}, mean, by_program});
    free(each);
    free(mean);
    free(by_program);
}

/* Whether no row before has the same configuration and profile. */
static bool table_is_first_of_series(const struct table_values *v, size_t row)
{
    const struct job_names *n = v->row[row].names;
    for (size_t i = 0; i < row; i++)
        if (strcmp(v->row[i].names->configuration, n->configuration) == 0 &&
            strcmp(v->row[i].names->profile, n->profile) == 0)
            return false;
    return true;
}

static void table_add_ratios(const struct table_values *v, const char *baseline, struct report *r)
{
    struct table_ratio *ratio = xcalloc(v->columns, sizeof *ratio);
    struct interval *unknown = xcalloc(v->columns, sizeof *unknown);
    char *title = xasprintf("Ratios to %s, {shown} of {rows}", baseline);
    struct report_table *t = report_table(r, "ratios", title);
    table_ratio_columns(t, v, &(struct table_ratio_row){{"", "", ""}, ratio, unknown});
    for (size_t i = 0; i < v->rows; i++) {
        const struct table_row *base = table_values_find(v, &v->row[i], baseline);
        if (base != NULL && base != &v->row[i])
            table_add_ratio_row(t, v, &v->row[i], base, ratio, unknown);
    }
    for (size_t i = 0; i < v->rows; i++)
        if (table_is_first_of_series(v, i) && strcmp(v->row[i].names->configuration, baseline) != 0)
            table_add_mean_row(t, v, v->row[i].names, baseline);
    free(title);
    free(ratio);
    free(unknown);
}

/* ---- the command ---- */

static enum status table_check_baseline(const struct table_values *v, const char *baseline, struct errmsg *err)
{
    const char **names = xcalloc(v->rows, sizeof *names);
    bool is_found = false;
    for (size_t i = 0; i < v->rows; i++) {
        names[i] = v->row[i].names->configuration;
        is_found = is_found || strcmp(names[i], baseline) == 0;
    }
    const enum status st = is_found
                               ? ST_OK
                               : fail(err, ST_INPUT, "--baseline: expected a configuration of the study, found '%s'%s",
                                      baseline, diag_hint(diag_nearest(baseline, names, v->rows)).text);
    free(names);
    return st;
}

static void table_add_missing(const struct manifest *m, const bool *is_done, struct report *r)
{
    size_t missing = 0;
    for (size_t i = 0; i < m->jobs; i++)
        missing += is_done[i] ? 0 : 1;
    if (missing == 0)
        return;
    char *note = xasprintf("Partial: %zu job%s no result.", missing, missing == 1 ? " has" : "s have");
    report_flag(r, "partial", NULL, true);
    report_note(r, note);
    free(note);
}

static enum status table_print(const struct manifest *m, const bool *is_done, const struct table_values *v,
                               const struct table_arguments *o, struct errmsg *err)
{
    const char *baseline = o->baseline != NULL ? o->baseline : m->baseline;
    if (baseline != NULL && table_check_baseline(v, baseline, err) != ST_OK)
        return ST_INPUT;
    struct report *r = report_new();
    report_text(r, "study", "study", m->folder);
    table_add_values(v, r);
    if (baseline != NULL)
        table_add_ratios(v, baseline, r);
    table_add_missing(m, is_done, r);
    enum status st = command_write(&COMMAND_OUTPUT(o), r, err);
    report_free(r);
    if (st == ST_OK && o->plot != NULL)
        st = table_plot_write(v, o->plot, err);
    return st;
}

static enum status table_command(const struct table_arguments *o, struct errmsg *err)
{
    static const char *const usual[] = {"instructions", "cycles", "cpi"};
    const bool is_usual = o->column.count == 0;
    struct manifest m;
    struct table_values v = {0};
    bool *is_done = NULL;
    enum status st = manifest_load(o->folder, &m, err);
    if (st == ST_OK)
        st = complete_check(&m, o->partial, &is_done, err);
    if (st == ST_OK)
        st = table_values_load(&m, is_done, is_usual ? usual : o->column.text,
                               is_usual ? sizeof usual / sizeof usual[0] : o->column.count, &v, err);
    if (st == ST_OK)
        st = table_print(&m, is_done, &v, o, err);
    table_values_release(&v);
    free(is_done);
    manifest_release(&m);
    return st;
}
