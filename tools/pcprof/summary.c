/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof summary: how a program, or some of its procedures, spend their cycles (DCPI paper, Figure 4). */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "tools/command/output.h"
#include "tools/pcprof/analysed.h"
#include "tools/pcprof/pcprof.h"
#include "tools/pcprof/summary_culprits.h"

static const char doc[] =
    "Summarises how the cycles of a program are spent: execution, static stalls, and dynamic stalls by possible cause, "
    "each with its least and its largest share. If procedures are named, only these are summarised."
    "\vPROCEDURE is a name, IMAGE:NAME, or the address of an instruction, 0xADDRESS. docs/analysis.md describes how "
    "causes are found.";

static const char examples[] = "pcprof summary runs.db                # cycles by cause\n"
                               "pcprof summary runs.db main           # of a procedure\n";

#define TOOL pcprof
#define NAME summary
#define OPTIONS "tools/pcprof/summary_options.def"
#define ARGUMENTS PCPROF_SELECTION " [PROCEDURE...]"
#include "tools/command/command.inc"

/* ---- the parts of a sum ---- */

static double pcprof_summary_share_of(int tenths) { return tenths / 1000.0; }

/* A part: its share, or its range if that is NULL. */
static void part_columns(struct report_table *t, const char *key, const char *label, const int range[2],
                         const int *share)
{
    REPORT_COLUMN(t, TEXT, key, .member = "part");
    REPORT_COLUMN(t, TEXT, label, .member = "label", .title = "part");
    REPORT_COLUMN_IF(t, range != NULL, SHARE, pcprof_summary_share_of(range[0]), .member = "least", .title = "least %",
                     .decimals = 1);
    REPORT_COLUMN_IF(t, range != NULL, SHARE, pcprof_summary_share_of(range[1]), .member = "most", .title = "most %",
                     .decimals = 1);
    REPORT_COLUMN_IF(t, share != NULL, SHARE, pcprof_summary_share_of(*share), .member = "share", .title = "share %",
                     .decimals = 1, .heat = true);
}

static void add_part(struct report_table *t, const char *key, const char *label, int share)
{
    report_row(t);
    part_columns(t, key, label, NULL, &share);
}

static void add_range(struct report_table *t, const char *key, const char *label, int least, int most)
{
    report_row(t);
    part_columns(t, key, label, (const int[]){least, most}, NULL);
}

static void add_parts(struct report_table *t, const struct analysis_shares *s)
{
#define DYNAMIC_STALL(sym, key, label, ...) add_range(t, key, label, s->least[DYNAMIC_##sym], s->most[DYNAMIC_##sym]);
#include "contract/stall.def"
    add_range(t, "unexplained-stall", "Unexplained stall", s->unexplained_stall, s->unexplained_stall);
    add_range(t, "unexplained-gain", "Unexplained gain", s->unexplained_gain, s->unexplained_gain);
    add_part(t, "dynamic", "Subtotal dynamic", s->dynamic);
#define STATIC_STALL(sym, key, label, ...) add_part(t, key, label, s->by_static[STATIC_##sym]);
#include "contract/stall.def"
    add_part(t, "static", "Subtotal static", s->all_static);
    add_part(t, "stall", "Total stall", s->stall);
    add_part(t, "execution", "Execution", s->execution);
    add_part(t, "error", "Net sampling error", s->error);
    add_part(t, "tallied", "Total tallied", s->stall + s->execution + s->error);
}

static void report_parts(const struct analysis_summary *sum, struct report *r)
{
    struct analysis_shares s = analysis_shares(sum);
    struct report_table *t = report_table(r, "parts", "How the tallied cycles are spent");
    report_whole(t);
    part_columns(t, NULL, NULL, NULL, NULL);
    add_parts(t, &s);
}

/* ---- procedures ---- */

struct pcprof_summary_row {
    struct analysed_procedure procedure;
    struct analysis_summary sum;
};

ORDER(pcprof_summary_by_samples, struct pcprof_summary_row,
      FALLING(sum.samples) RISING(procedure.image) RISING(procedure.start))

static void procedure_columns(const struct analysed *a, struct report_table *t, const struct pcprof_summary_row *row,
                              double all)
{
    static const char *const dynamic_keys[] = {
#define DYNAMIC_STALL(sym, key, ...) key,
#include "contract/stall.def"
    };
    const struct analysis_shares s = analysis_shares(&row->sum);
    char *name = report_declares(t) ? NULL : analysed_name(a, &row->procedure);
    REPORT_COLUMN(t, REAL, row->sum.samples, .member = "samples", .title = "samples");
    REPORT_COLUMN(t, SHARE, row->sum.samples / all, .member = "share", .title = "%", .decimals = 2, .heat = true);
    REPORT_COLUMN(t, REAL, row->sum.best / row->sum.instructions, .member = "best_cpi", .title = "best CPI",
                  .decimals = 2, .absent = "-");
    REPORT_COLUMN(t, REAL, row->sum.tallied / row->sum.instructions, .member = "cpi", .title = "CPI", .decimals = 2,
                  .absent = "-");
    REPORT_COLUMN(t, SHARE, pcprof_summary_share_of(s.dynamic), .member = "dynamic", .title = "dynamic %",
                  .decimals = 1);
    REPORT_COLUMN(t, SHARE, pcprof_summary_share_of(s.unexplained_stall), .member = "unexplained",
                  .title = "unexplained %", .decimals = 1);
    REPORT_COLUMN(t, SHARE, pcprof_summary_share_of(s.all_static), .member = "static", .title = "static %",
                  .decimals = 1);
    REPORT_COLUMN(t, SHARE, pcprof_summary_share_of(s.execution), .member = "execution", .title = "execution %",
                  .decimals = 1);
    REPORT_COLUMN(t, SHARE, pcprof_summary_share_of(s.error), .member = "error", .title = "error %", .decimals = 1);
    REPORT_COLUMN(t, TEXT, name, .member = "procedure", .title = "procedure", .function = true);
    REPORT_COLUMN(t, TEXT, profile_image(a->profile, row->procedure.image)->name, .member = "image", .title = "image");
    REPORT_COLUMN(t, HEX, row->procedure.start, .member = "address");
    for (int c = 0; c < DYNAMIC_STALLS; c++) {
        REPORT_COLUMN(t, SHARE, pcprof_summary_share_of(s.least[c]), .member = "least", .group = dynamic_keys[c]);
        REPORT_COLUMN(t, SHARE, pcprof_summary_share_of(s.most[c]), .member = "most", .group = dynamic_keys[c]);
    }
    free(name);
}

/* ---- the command ---- */

/* The procedures asked for, or all with samples. The caller frees them. */
static enum status pcprof_summary_choose(struct analysed *a, const struct option_list *asked,
                                         struct analysed_procedure **chosen, size_t *count, struct errmsg *err)
{
    enum status st = ST_OK;
    if (asked->count == 0) {
        *chosen = analysed_procedures(a, count);
        return ST_OK;
    }
    *chosen = xcalloc(asked->count, sizeof **chosen);
    for (*count = 0; *count < asked->count && st == ST_OK; ++*count)
        st = analysed_find(a, asked->text[*count], &(*chosen)[*count], err);
    return st;
}

static void report_all(struct analysed *a, const struct analysed_procedure *chosen, size_t count, struct report *r)
{
    struct analysis_summary sum = {0};
    struct summary_culprits culprits = {0};
    struct pcprof_summary_row *row = xcalloc(count + 1, sizeof *row);
    double period = 1, exact_executions = 0, exact_time = 0;
    for (size_t n = 0; n < count; n++) {
        struct analysis *one = analysed_run(a, &chosen[n]);
        exact_executions += analysed_tallied(a, a->exact_executions, &chosen[n], one);
        exact_time += analysed_tallied(a, a->exact_time, &chosen[n], one);
        row[n] = (struct pcprof_summary_row){chosen[n], one->summary};
        summary_culprits_add(&culprits, &chosen[n], one, a->image[chosen[n].image].schedule.machine.width);
        analysis_summary_add(&sum, &one->summary);
        analysis_summary_bound(&row[n].sum);
        period = one->period;
        analysis_free(one);
    }
    analysis_summary_bound(&sum);
    qsort(row, count, sizeof *row, pcprof_summary_by_samples);
    analysed_report(a, r);
    analysed_report_cpi(&sum, period, exact_executions, exact_time, r);
    report_parts(&sum, r);
    struct report_table *t = report_table(r, "procedures", "Procedures by {order}, {shown} of {rows}");
    report_order(t, "samples");
    procedure_columns(a, t, &(struct pcprof_summary_row){0}, 0);
    for (size_t n = 0; n < count; n++) {
        report_row(t);
        procedure_columns(a, t, &row[n], sum.samples);
    }
    summary_culprits_report(&culprits, a, sum.samples, r);
    summary_culprits_free(&culprits);
    free(row);
}

static enum status pcprof_summary_run(struct analysed *a, const struct summary_arguments *o, struct errmsg *err)
{
    struct analysed_procedure *chosen = NULL;
    size_t count = 0;
    enum status st = pcprof_summary_choose(a, &o->procedures, &chosen, &count, err);
    if (st == ST_OK && count == 0)
        st = fail(err, ST_INPUT, "%s: no sample is in code that the store has", o->input);
    if (st == ST_OK) {
        struct report *r = report_new();
        report_all(a, chosen, count, r);
        st = command_write(&COMMAND_OUTPUT(o), r, err);
        report_free(r);
    }
    free(chosen);
    return st;
}

static enum status summary_command(const struct summary_arguments *o, struct errmsg *err)
{
    struct analysed a;
    enum status st = analysed_open(&a, &(struct analysed_choice){o->input, o->time, o->frequency, NULL}, err);
    if (st == ST_OK)
        st = pcprof_summary_run(&a, o, err);
    analysed_close(&a);
    return st;
}
