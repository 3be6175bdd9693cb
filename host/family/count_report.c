/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report section of the count profilers. A row of the tables by function and by instruction has one line per
 * profiler. */
#include "host/family/count_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/interval.h"
#include "base/order.h"
#include "base/status.h"
#include "host/family/count_score.h"
#include "host/family/instruction.h"
#include "host/report/words.h"

/* State shared by the parts of the section. */
struct count_report_view {
    const struct count_result *result;
    const struct symbols *symbols;
    const struct count_profile *profile, *main, *exact; /* exact: NULL if there is none */
    unsigned profiles;
};

/* The profilers. */

/* Whether the estimates of a kind are within their standard deviation of the exact counts, as a share. */
static double share_within(const struct count_report_view *v, const struct count_profile *p, enum count_kind kind)
{
    struct count_envelope e = {0};
    if (v->exact != NULL && !p->exact && count_has(p, kind) && count_has(v->exact, kind))
        e = count_envelope(p, v->exact, kind);
    return e.instructions != 0 ? (double)e.inside / (double)e.instructions : (double)NAN;
}

static void count_profiler_columns(struct report_table *t, const struct count_report_view *v,
                                   const struct count_profile *p)
{
    REPORT_COLUMN(t, TEXT, p->label, .member = "profiler", .title = "profiler");
    REPORT_COLUMN(t, FLAG, p->exact, .member = "exact");
    REPORT_COLUMN(t, COUNT, p->samples, .member = "samples", .title = "samples", .unit = "samples", .flag = "exact",
                  .flag_text = "all");
    REPORT_COLUMN(t, COUNT, p->lost, .member = "lost", .title = "lost", .unit = "samples", .flag = "exact",
                  .flag_text = "");
    REPORT_COLUMN(t, COUNT, p->useless, .member = "useless", .title = "useless", .unit = "samples", .flag = "exact",
                  .flag_text = "");
    REPORT_COLUMN(t, COUNT, p->interrupts, .member = "interrupts", .title = "interrupts", .unit = "interrupts",
                  .flag = "exact", .flag_text = "");
    REPORT_COLUMN(t, REAL, p->scale, .member = "scale", .title = "a sample stands for", .decimals = 1, .flag = "exact",
                  .flag_text = "1");
    REPORT_COLUMN(t, COUNT, p->rows, .member = "instructions", .title = "instructions", .unit = "instructions");
    REPORT_COLUMN(t, COUNT, count_few(p), .member = "few", .title = "of few samples", .unit = "instructions",
                  .flag = "exact", .flag_text = "");
    REPORT_COLUMN(t, SHARE, share_within(v, p, COUNT_RETIRED), .member = "retired", .group = "within",
                  .title = "within 1 sd: retired", .decimals = 1, .flag = "exact", .flag_text = "", .absent = "-");
    REPORT_COLUMN(t, SHARE, share_within(v, p, COUNT_DCACHE_MISS), .member = "dcache-miss", .group = "within",
                  .title = "L1D misses", .decimals = 1, .flag = "exact", .flag_text = "", .absent = "-");
}

static void count_report_profilers(const struct count_report_view *v, struct report *r)
{
    struct report_table *t = report_table(r, "profilers", NULL);
    report_whole(t);
    count_profiler_columns(t, v, v->profile);
    for (unsigned i = 0; i < v->profiles; i++) {
        report_row(t);
        count_profiler_columns(t, v, &v->profile[i]);
    }
}

/* Warns of profilers that lost so many selections that instructions after one in flight are under-represented. */
static void count_report_warn_of_lost(const struct count_report_view *v, struct report *r)
{
    for (unsigned i = 0; i < v->profiles; i++) {
        const struct count_profile *p = &v->profile[i];
        if (p->exact || p->lost * 100 <= p->samples + p->lost)
            continue;
        double share = 100 * (double)p->lost / (double)(p->samples + p->lost);
        char *words = xasprintf("Warning: %s: %.1f %% of the selections found no free register set, so instructions "
                                "fetched behind a sample in flight are under-represented; more sets (n=N) or a longer "
                                "period (period=N) lose fewer",
                                p->label, share);
        report_note(r, words);
        free(words);
    }
}

/* Warns of profilers with too few samples for a ranking of instructions. */
static void count_report_warn_of_few(const struct count_report_view *v, struct report *r)
{
    bool warned = false;
    char few_number[REPORT_NUMBER], rows[REPORT_NUMBER];
    for (unsigned i = 0; i < v->profiles; i++) {
        const struct count_profile *p = &v->profile[i];
        size_t few = count_few(p);
        if (few == 0)
            continue;
        char *words = xasprintf("Warning: %s: too few samples to rank %s of %s instructions (fewer than %d each, a "
                                "standard error of more than a quarter; marked ?); a shorter period (period=N) or a "
                                "longer run has more",
                                p->label, report_number(few_number, few), report_number(rows, p->rows), RANKED_SAMPLES);
        if (!warned)
            report_note(r, words);
        else
            report_note_line(r, words);
        warned = true;
        free(words);
    }
}

/* Totals. */

/* Reports an estimate or an exact count; in the text form only if it has a label. */
static void count_report_total(const struct count_report_view *v, const struct count_profile *p,
                               const struct count_row *sum, const struct count_row *truth, enum count_kind kind,
                               struct report *r)
{
    bool shown = !p->exact || v->profiles == 1;
    char *label = xasprintf("  %s", count_name(kind));
    struct interval interval = count_interval(p, sum, kind);
    report_real(r, count_name(kind), shown ? label : NULL, count_estimate(p, sum, kind), 0, count_unit(kind));
    if (!p->exact && truth != NULL && count_has(v->exact, kind))
        report_exact(r, (double)truth->count[kind]);
    if (interval.is_known)
        report_interval(r, interval.low, interval.high);
    free(label);
}

static void count_report_totals(const struct count_report_view *v, struct report *r)
{
    struct report *list = report_list(r, "totals");
    struct count_row truth = {0};
    if (v->exact != NULL)
        truth = count_total(v->exact);
    for (unsigned i = 0; i < v->profiles; i++) {
        const struct count_profile *p = &v->profile[i];
        struct count_row sum = count_total(p);
        struct report *e = report_element(list, p->label);
        if (!p->exact || v->profiles == 1)
            report_note(e, "Totals of {profiler}:");
        report_text(e, "profiler", NULL, p->label);
        for (int k = 0; k < COUNT_KINDS; k++)
            if (count_has(p, (enum count_kind)k) && (sum.count[k] != 0 || truth.count[k] != 0))
                count_report_total(v, p, &sum, v->exact != NULL ? &truth : NULL, (enum count_kind)k, e);
        double wasted = count_wasted(p, &sum);
        if (isfinite(wasted)) {
            report_real(e, "wasted_slots", !p->exact || v->profiles == 1 ? "  wasted slots" : NULL, wasted, 0, "slots");
            if (!p->exact && v->exact != NULL && isfinite(count_wasted(v->exact, &truth)))
                report_exact(e, count_wasted(v->exact, &truth));
        }
    }
}

/* The lines of functions and instructions. */

/* Titles of the kinds that the text form shows. */
static const char *const titles[COUNT_KINDS] = {
#define COUNT_COLUMN(kind, title, meaning) [COUNT_##kind] = title,
#include "contract/count_column.def"
};
static const struct {
    enum count_kind kind, of;
    const char *title;
} averages[] = {
#define COUNT_AVERAGE(kind, of, title, meaning) {COUNT_##kind, COUNT_##of, title},
#include "contract/count_column.def"
};
enum { AVERAGES = sizeof averages / sizeof averages[0] };

/* The first columns of a line, of one profiler in a row. */
static void line_head_columns(struct report_table *t, const struct count_profile *p, const struct count_row *row)
{
    REPORT_COLUMN(t, TEXT, p->label, .member = "profiler", .title = "profiler", .at = 5);
    REPORT_COLUMN_IF(t, !p->exact, COUNT, row->samples, .member = "samples", .title = "samples", .at = 5,
                     .unit = "samples");
    REPORT_COLUMN(t, FLAG, !p->exact && row->samples < RANKED_SAMPLES, .member = "few", .letter = "?");
    REPORT_COLUMN_ONLY(t, LETTERS, .title = "", .at = 5);
}

/* The row of a profiler that has no samples there. */
static const struct count_row no_row;

static void count_line_columns(struct report_table *t, const struct count_profile *p, const struct count_row *row)
{
    const bool known = row != &no_row;
    struct interval interval = count_interval(p, row, COUNT_RETIRED);
    line_head_columns(t, p, row);
    REPORT_COLUMN_IF(t, interval.is_known && count_has(p, COUNT_RETIRED), INTERVAL, interval, .group = "interval",
                     .member = "retired", .title = "retired, 95 %", .at = 7, .unit = "instructions");
    REPORT_COLUMN_IF(t, known, REAL, count_wasted(p, row), .member = "wasted_slots", .title = "wasted slots", .at = 9,
                     .unit = "slots");
    REPORT_COLUMN_IF(t, known, REAL, count_ipc_near(p, row), .member = "ipc_near", .title = "IPC near", .at = 9,
                     .decimals = 2);
    for (enum count_kind k = 0; k < COUNT_KINDS; k++)
        REPORT_COLUMN_IF(t, count_has(p, k) && row->count[k] != 0, REAL, count_estimate(p, row, k), .group = "counts",
                         .member = count_name(k), .unit = count_unit(k), .title = titles[k], .at = 6);
    for (unsigned i = 0; i < AVERAGES; i++) {
        const enum count_kind k = averages[i].kind;
        REPORT_COLUMN_IF(t, count_has(p, k) && row->count[k] != 0, REAL, count_average(row, k, averages[i].of),
                         .group = "average", .member = count_name(k), .unit = "cycles", .title = averages[i].title,
                         .at = 8, .decimals = 1);
    }
}

/* Adds the table of a row's lines, one per profiler. */
static struct report_table *nest_lines(struct report_table *t, const struct count_report_view *v,
                                       void (*columns)(struct report_table *t, const struct count_profile *p,
                                                       const struct count_row *row))
{
    struct report_table *lines = report_nested(t, "profiles", 0, NULL, 0);
    columns(lines, v->main, &no_row);
    return lines;
}

/* Adds the line of one profiler. A row may be NULL: the profiler has no samples there. */
static void count_report_add_line(struct report_table *t, const struct count_profile *p, const struct count_row *row)
{
    report_row(t);
    count_line_columns(t, p, row != NULL ? row : &no_row);
}

/* Functions and instructions in order. */

struct count_report_ranked {
    double weight;
    const struct count_row *row;
};

ORDER(by_weight, struct count_report_ranked, FALLING(weight) RISING(row->pc))

/* The sort key of the tables: wasted issue slots if known, otherwise cycles in progress. */
static const char *order_name(const struct count_report_view *v)
{
    static const struct count_row nothing;
    return isfinite(count_wasted(v->main, &nothing)) ? "wasted issue slots" : "cycles in progress";
}

static double count_report_weight_of(const struct count_report_view *v, const struct count_row *row)
{
    double wasted = count_wasted(v->main, row);
    return isfinite(wasted) ? wasted : (double)row->count[COUNT_IN_PROGRESS];
}

/* Freed by the caller. */
static struct count_report_ranked *count_report_rank(const struct count_report_view *v, const struct count_row *row,
                                                     size_t rows)
{
    struct count_report_ranked *order = xcalloc(rows + 1, sizeof *order);
    for (size_t i = 0; i < rows; i++)
        order[i] = (struct count_report_ranked){count_report_weight_of(v, &row[i]), &row[i]};
    qsort(order, rows, sizeof *order, by_weight);
    return order;
}

static void count_report_functions(const struct count_report_view *v, struct report *r)
{
    struct report_table *t = report_table(r, "functions", "Functions by {order}, {shown} of {rows}");
    struct count_profile *sums = xcalloc(v->profiles, sizeof *sums);
    const struct count_profile *main = &sums[v->main - v->profile];
    for (unsigned n = 0; n < v->profiles; n++) {
        sums[n] = v->profile[n];
        sums[n].row = count_functions(&v->profile[n], v->symbols, &sums[n].rows);
    }
    struct count_report_ranked *order = count_report_rank(v, main->row, main->rows);
    report_order(t, order_name(v));
    function_columns(t, v->symbols, 0, 1, NULL);
    struct report_table *lines = nest_lines(t, v, count_line_columns);
    for (size_t i = 0; i < main->rows; i++) {
        report_row(t);
        function_columns(t, v->symbols, order[i].row->pc, 1, NULL);
        for (unsigned n = 0; n < v->profiles; n++)
            count_report_add_line(lines, &v->profile[n], count_find(&sums[n], order[i].row->pc));
    }
    free(order);
    for (unsigned n = 0; n < v->profiles; n++)
        free((void *)sums[n].row);
    free(sums);
}

static void instructions_columns(struct report_table *t, const struct count_report_view *v, uint64_t pc)
{
    instruction_columns(t, &v->result->code, v->symbols, pc, 2, NULL);
}

static void count_report_instructions(const struct count_report_view *v, struct report *r)
{
    struct report_table *t = report_table(r, "instructions", "Instructions by {order}, {shown} of {rows}");
    struct count_report_ranked *order = count_report_rank(v, v->main->row, v->main->rows);
    report_order(t, order_name(v));
    instructions_columns(t, v, 0);
    struct report_table *lines = nest_lines(t, v, count_line_columns);
    for (size_t i = 0; i < v->main->rows; i++) {
        uint64_t pc = order[i].row->pc;
        report_row(t);
        instructions_columns(t, v, pc);
        for (unsigned n = 0; n < v->profiles; n++)
            count_report_add_line(lines, &v->profile[n], count_find(&v->profile[n], pc));
    }
    free(order);
}

/* Useful concurrency by stage, for profilers with pairs. */

static bool knows_stages(const struct count_profile *p)
{
    return count_has(p, count_together(PHASE_QUEUED, PHASE_QUEUED));
}

static void stage_line_columns(struct report_table *t, const struct count_profile *p, const struct count_row *row)
{
    static const char *const groups[] = {
#define PHASE(symbol, from, to, cycles, name) "while_" name,
#include "contract/profileme.def"
    };
    line_head_columns(t, p, row);
    for (enum profileme_phase own = 0; own < PHASES; own++) {
        char first[80];
        snprintf(first, sizeof first, "%s: %s", profileme_phase_name(own), profileme_phase_name(0));
        for (enum profileme_phase others = 0; others < PHASES; others++)
            REPORT_COLUMN(t, REAL, count_alongside(p, row, own, others), .group = groups[own],
                          .member = profileme_phase_name(others), .unit = "instructions",
                          .title = others == 0 ? first : profileme_phase_name(others), .at = 6, .decimals = 2);
    }
}

static void add_stage_line(struct report_table *t, const struct count_profile *p, const struct count_row *row)
{
    report_row(t);
    stage_line_columns(t, p, row != NULL ? row : &no_row);
}

static void report_stages(const struct count_report_view *v, struct report *r)
{
    bool known = false;
    for (unsigned n = 0; n < v->profiles; n++)
        known = known || knows_stages(&v->profile[n]);
    if (!known)
        return;
    struct report_table *t = report_table(r, "stages",
                                          "Other retired instructions in each stage while the instruction was queued, "
                                          "executing or waiting to retire: mean number, by {order}, {shown} of {rows}");
    struct count_report_ranked *order = count_report_rank(v, v->main->row, v->main->rows);
    report_order(t, order_name(v));
    instructions_columns(t, v, 0);
    struct report_table *lines = nest_lines(t, v, stage_line_columns);
    for (size_t i = 0; i < v->main->rows; i++) {
        report_row(t);
        instructions_columns(t, v, order[i].row->pc);
        for (unsigned n = 0; n < v->profiles; n++)
            if (knows_stages(&v->profile[n]))
                add_stage_line(lines, &v->profile[n], count_find(&v->profile[n], order[i].row->pc));
    }
    free(order);
}

void count_report(const struct count_result *result, const struct symbols *symbols, struct report *r)
{
    struct count_report_view v = {.result = result,
                                  .symbols = symbols,
                                  .profile = result->profile,
                                  .main = result->profile,
                                  .profiles = result->profiles};
    for (unsigned i = 0; i < v.profiles && v.exact == NULL; i++)
        if (v.profile[i].exact)
            v.main = v.exact = &v.profile[i];
    struct report *section = report_section(r, "counts");
    report_note(section, "Profiles of counts");
    count_report_profilers(&v, section);
    count_report_warn_of_lost(&v, section);
    count_report_warn_of_few(&v, section);
    count_report_totals(&v, section);
    count_report_functions(&v, section);
    count_report_instructions(&v, section);
    report_stages(&v, section);
}
