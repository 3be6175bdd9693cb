/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The value profile's section of a report: the driver's activity, the error, and tables of the loads with their
 * values, of the scored values, and of the timeline. */
#include "host/driver/value/value_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "host/driver/value/value_interval.h"
#include "host/driver/value/value_loads.h"
#include "host/driver/value/value_score.h"

/* The text form shows a load's most frequent value and up to two more with relevant shares. */
enum { SHOWN_VALUES = 3 };
#define SHOWN_SHARE 0.05

struct value_report_ranked {
    double estimate;
    struct interval interval;
    unsigned v;
    uint64_t value; /* 64 bits if the high half is known */
};

ORDER(value_report_compare_ranked, struct value_report_ranked, FALLING(estimate) RISING(value))

/* A load's values by descending estimate. The caller frees the array. */
static struct value_report_ranked *rank_values(const struct value_load *l, double correlation)
{
    struct value_report_ranked *r = xcalloc(l->value_count, sizeof *r);
    struct interval *interval = value_intervals_of(l, correlation);
    for (unsigned v = 0; v < l->value_count; v++)
        r[v] = (struct value_report_ranked){.estimate = value_estimate_best(l, v),
                                            .interval = interval[v],
                                            .v = v,
                                            .value = value_whole(&l->values[v])};
    free(interval);
    if (l->value_count != 0)
        qsort(r, l->value_count, sizeof *r, value_report_compare_ranked);
    return r;
}

static double exact_share(const struct value_load *l, unsigned v)
{
    return l->executions != 0 ? (double)l->values[v].exact / (double)l->executions : 0;
}

static void report_thrashing(struct report *r, const struct value_run *run)
{
    report_tally(r, "interrupts_thrash", "  thrashing", run->thrash, "interrupts");
}

static void report_rounds(struct report *r, const struct value_run *run)
{
    report_tally(r, "interrupts_timer", "  of the timer", run->timers, "interrupts");
    report_tally(r, "rounds", "rounds", run->rounds + 1, "rounds");
}

static void report_visits(struct report *r, const struct value_run *run)
{
    report_tally(r, "checks", "checks", run->checks, "visits");
    report_remark(r, "(visits to loads that seemed to have one value)");
    report_tally(r, "high_visits", "visits, second pass", run->high_visits, "visits");
}

static void report_masked(struct report *r, const struct value_profile *p)
{
    report_tally(r, "loads_masked", "  masked", p->masked, "loads");
    report_remark(r, "(sufficiently known)");
}

static void report_mask_writes(struct report *r, const struct value_run *run)
{
    report_tally(r, "mask_writes", "mask words written", run->mask_writes, "writes");
}

/* Reports the loads by classification. */
static void report_judged(struct report *r, const struct value_profile *p, const struct value_run *run,
                          const struct partitions *partitions)
{
    unsigned glacial = 0, one_visit = 0, one_value = 0;
    for (const struct value_load *l = p->loads; l != NULL; l = l->hh.next) {
        glacial += value_load_is_glacial(l);
        one_visit += l->masked_cycle != 0 && l->visits + l->checks <= 1;
        one_value += l->masked_cycle != 0 && l->value_count == 1;
    }
    report_masked(r, p);
    report_tally(r, "loads_glacial", "  glacial", glacial, "loads");
    report_remark(r, "(several values, each with many samples and next to no others)");
    report_tally(r, "loads_one_visit", "  judged in one visit", one_visit, "loads");
    report_remark(r, "(whether they hold their values for long cannot be known)");
    report_tally(r, "loads_one_value", "  judged by one value", one_value, "loads");
    report_tally(r, "partitions", "partitions", partitions->count, "partitions");
    report_tally(r, "partitions_finished", "  finished", partitions->count - partitions->open, "partitions");
    report_tally(r, "hash_changes", "mask hash changes", run->hash_changes, "changes");
    report_mask_writes(r, run);
    if (!run->complete)
        return;
    report_count(r, "complete_cycle", "complete at", run->complete_cycle, "cycles");
    report_remark(r, ": all partitions are finished");
}

static void report_run(struct report *r, const struct value_profile *p, const struct value_run *run,
                       const struct partitions *partitions)
{
    report_note(r, "The driver:");
    report_tally(r, "interrupts_full", "interrupts, slots full", run->full, "interrupts");
    if (partitions != NULL)
        report_thrashing(r, run);
    if (!p->plain)
        report_rounds(r, run);
    if (partitions != NULL)
        report_visits(r, run);
    report_tally(r, "records", "slots copied", run->records, "slots");
    report_tally(r, "loads_profiled", "loads profiled", value_profile_count(p), "loads");
    if (partitions != NULL) {
        report_judged(r, p, run, partitions);
    } else if (!p->plain) {
        report_masked(r, p);
        report_mask_writes(r, run);
    }
}

/* The tables of loads, of their values, and of the 64-bit values of each of these. */
struct loads_table {
    struct report_table *loads, *values, *wholes;
    bool has_exact;
    double correlation; /* of the profile (value_interval.h) */
    /* Of values with an interval and an exact share: their number, and of those whose interval contains it. Executions
     * of loads that have such a value. */
    unsigned checked, holding;
    uint64_t executions;
};

static void report_intervals(struct report *r, const struct loads_table *t, const struct value_score *s)
{
    report_tally(r, "intervals_checked", "intervals", t->checked, "values");
    report_share(r, "intervals_holding", "  with the exact share",
                 t->checked != 0 ? (double)t->holding / t->checked : (double)NAN, 1);
    report_share(r, "interval_share", "  of loads with",
                 s->executions != 0 ? (double)t->executions / (double)s->executions : (double)NAN, 2);
    report_remark(r, "of the executions (a load of one visit has none)");
}

static void report_loads_scored(struct report *r, const struct value_score *s)
{
    report_tally(r, "exact_loads", "loads executed", s->loads, "loads");
    report_remark(r, "static");
    report_tally(r, "exact_executions", "", s->executions, "instructions");
    report_remark(r, "times");
    if (s->executions != 0)
        report_share(r, "profiled_share", "  of them profiled", (double)s->executions_profiled / (double)s->executions,
                     2);
    report_tally(r, "aliased_loads", "loads aliasing", s->aliased, "loads");
    report_remark(r, "(different values with equal low 32 bits)");
    report_tally(r, "exact_glacial", "glacial loads", s->glacial, "loads");
    report_remark(r, "(one value for 1,000 instances and more, but not for 95 % of all)");
    report_tally(r, "glacial_found", "  found", s->glacial_found, "loads");
    report_tally(r, "glacial_false", "  false positives", s->glacial_false, "loads");
}

static void value_report_score(struct report *r, const struct value_score *s, const struct loads_table *t)
{
    report_tally(r, "pairs_min_count", NULL, SCORE_MIN_COUNT, "executions");
    report_share(r, "pairs_min_share", NULL, SCORE_MIN_SHARE, 0);
    report_note(r, "Against the exact profile: values of at least {pairs_min_count} occurrences and {pairs_min_share} "
                   "of their load's");
    report_loads_scored(r, s);
    report_tally(r, "pairs_scored", "values scored", s->count, "values");
    report_tally(r, "pairs_found", "  found", s->found, "values");
    report_tally(r, "phantoms", "  false positives", s->phantoms, "values");
    report_remark(r, "(estimated at twice their true share and more)");
    report_share(r, "rms_error", "RMS error, weighted", s->rms, 2);
    report_share(r, "rms_error_claimed", "  with false positives", s->rms_claimed, 2);
    report_share(r, "rms_error_uncorrected", "  before correction", s->rms_measured, 2);
    report_share(r, "rms_error_low", "  low 32 bits alone", s->rms_low, 2);
    report_intervals(r, t, s);
}

static void whole_columns(struct report_table *t, uint64_t value, double estimate)
{
    REPORT_COLUMN(t, HEX, value, .member = "value");
    REPORT_COLUMN(t, SHARE, estimate, .member = "estimated");
}

/* Adds the 64-bit values that the second pass found for one value. */
static void add_wholes(struct report_table *t, const struct value_load *l, unsigned v)
{
    const struct value_set *highs = &l->values[v].highs;
    for (unsigned i = 0; i < highs->count; i++) {
        uint64_t value = (uint64_t)highs->list[i].value << 32 | l->values[v].value;
        report_row(t);
        whole_columns(t, value, value_estimate_whole(l, v, value));
    }
}

static void value_columns(struct loads_table *tables, const struct value_load *l,
                          const struct value_report_ranked *ranked)
{
    struct report_table *t = tables->values;
    const struct value_count *value = &l->values[ranked->v];
    const struct interval interval = ranked->interval;
    REPORT_COLUMN(t, HEX, ranked->value, .member = "value", .title = "value", .at = 3);
    REPORT_COLUMN(t, COUNT, value->hits, .member = "hits", .unit = "samples");
    REPORT_COLUMN(t, COUNT, value->misses, .member = "misses", .unit = "samples");
    REPORT_COLUMN(t, SHARE, ranked->estimate, .member = "estimated", .title = "est. %", .decimals = 1, .at = 4);
    REPORT_COLUMN_IF(t, interval.is_known, INTERVAL, interval, .member = "interval", .title = "95 %", .percent = true,
                     .decimals = 1, .absent = "-", .at = 5);
    REPORT_COLUMN(t, SHARE, value_measured(l, ranked->v), .member = "measured");
    if (report_declares(t)) {
        tables->wholes = report_nested(t, "whole", 0, NULL, 0);
        whole_columns(tables->wholes, 0, 0);
    } else {
        add_wholes(tables->wholes, l, ranked->v);
    }
    REPORT_COLUMN_IF(t, l->known, SHARE, exact_share(l, ranked->v), .member = "exact",
                     .title = tables->has_exact ? "exact %" : NULL, .decimals = 1, .absent = "-", .at = 6);
}

static void load_columns(struct report_table *t, const struct program_member m[], const struct program_row *row,
                         const struct value_load *l, bool has_exact)
{
    REPORT_COLUMN(t, ADDRESS, row->key, .title = "load", .at = 8);
    REPORT_COLUMN(t, COUNT, row->number[VALUE_LOADS_SAMPLES].held, .member = "samples", .title = "samples",
                  .unit = m[VALUE_LOADS_SAMPLES].unit, .at = 1);
    REPORT_COLUMN(t, COUNT, row->number[VALUE_LOADS_VISITS].held, .member = "visits",
                  .unit = m[VALUE_LOADS_VISITS].unit);
    REPORT_COLUMN(t, COUNT, row->number[VALUE_LOADS_CHECKS].held, .member = "checks",
                  .unit = m[VALUE_LOADS_CHECKS].unit);
    REPORT_COLUMN(t, FLAG, l->masked, .member = "masked", .letter = "M");
    REPORT_COLUMN_IF(t, l->masked_cycle != 0, COUNT, l->masked_cycle, .member = "masked_cycle", .unit = "cycles",
                     .no_part = true);
    REPORT_COLUMN(t, FLAG, value_load_is_glacial(l), .member = "glacial", .letter = "G");
    REPORT_COLUMN_ONLY(t, LETTERS, .title = "flags", .at = 7);
    REPORT_COLUMN_IF(t, l->known, COUNT, l->executions, .member = "executions",
                     .title = has_exact ? "executions" : NULL, .unit = "instructions", .no_part = true, .absent = "-",
                     .at = 2);
}

/* Counts the intervals of a load, and those that contain the exact share. */
static void count_intervals(struct loads_table *t, const struct value_load *l, const struct value_report_ranked *ranked)
{
    unsigned before = t->checked;
    for (unsigned i = 0; l->known && i < l->value_count; i++) {
        const struct interval *interval = &ranked[i].interval;
        double exact = exact_share(l, ranked[i].v);
        t->checked += interval->is_known;
        t->holding += interval->is_known && interval->low <= exact && exact <= interval->high;
    }
    if (t->checked != before)
        t->executions += l->executions;
}

static void value_report_add_load(struct loads_table *t, const struct program_table *p, const struct program_row *row,
                                  const struct value_load *l)
{
    struct value_report_ranked *ranked = rank_values(l, t->correlation);
    report_row(t->loads);
    load_columns(t->loads, p->member, row, l, t->has_exact);
    for (unsigned i = 0; i < l->value_count; i++) {
        report_row(t->values);
        value_columns(t, l, &ranked[i]);
    }
    count_intervals(t, l, ranked);
    free(ranked);
}

static struct loads_table report_loads(struct report *r, const struct program_table *p,
                                       const struct value_profile *values, bool exact)
{
    struct loads_table t = {.loads = report_table(r, "loads", "Loads by {order}, {shown} of {rows}"),
                            .has_exact = exact,
                            .correlation = value_interval_correlation(values)};
    const struct value_load none = {.values = &(struct value_count){0}};
    struct program_number zeros[VALUE_LOADS_MEMBERS] = {0};
    report_order(t.loads, "samples");
    load_columns(t.loads, p->member, &(struct program_row){.number = zeros}, &none, exact);
    t.values = report_nested(t.loads, "values", SHOWN_VALUES, "estimated", SHOWN_SHARE);
    value_columns(&t, &none, &(struct value_report_ranked){0});
    for (size_t i = 0; i < p->rows; i++)
        value_report_add_load(&t, p, &p->row[i], value_loads_find(values, &p->row[i]));
    const char *words =
        "samples: seen by the co-processor's slots. value: low 32 bits, or the likeliest of 64 bits with "
        "these, where the second pass has looked. est. %: estimated invariance, the share of the load's "
        "executions that have the value; 95 %: its confidence interval, - where the samples say too little: of one "
        "visit, or one sample. Flags: M masked, sufficiently known; G glacial, holds one "
        "value for long, then another.";
    char *note = xasprintf("%s%s", words, exact ? " executions, exact %: ground truth from the simulator." : "");
    report_note(r, note);
    free(note);
    return t;
}

/* A point of the paper's Figure 5. */
static void pair_columns(struct report_table *t, const struct value_pair *p)
{
    REPORT_COLUMN(t, HEX, p->pc, .member = "pc");
    REPORT_COLUMN(t, HEX, p->value, .member = "value");
    REPORT_COLUMN(t, COUNT, p->count, .member = "count");
    REPORT_COLUMN(t, SHARE, p->exact, .member = "exact");
    REPORT_COLUMN(t, SHARE, p->estimated, .member = "estimated");
    REPORT_COLUMN(t, SHARE, p->measured, .member = "measured");
    REPORT_COLUMN(t, FLAG, p->found, .member = "found");
    REPORT_COLUMN(t, FLAG, p->glacial, .member = "glacial");
}

static void report_pairs(struct report *r, const struct value_score *s)
{
    struct report_table *t = report_table(r, "pairs", NULL);
    pair_columns(t, &(struct value_pair){0});
    for (unsigned i = 0; i < s->count; i++) {
        report_row(t);
        pair_columns(t, &s->pairs[i]);
    }
}

void value_report(struct report *r, const struct program_profile *profile, const struct driver_env *env,
                  struct value_profile *p, const struct value_run *run, const struct partitions *partitions,
                  const struct value_timeline *timeline)
{
    struct value_score score = {0};
    bool exact = env->truth != NULL;
    report_flag(r, "complete", NULL, run->complete);
    if (exact)
        value_score_init(&score, p, env->truth);
    const struct loads_table loads = report_loads(r, &profile->table[0], p, exact);
    if (exact) {
        value_report_score(r, &score, &loads);
        report_pairs(r, &score);
        value_timeline_report(timeline, env->truth, r);
    }
    report_run(report_details(r), p, run, partitions);
    value_score_fini(&score);
}
