/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The value profile as text and as JSON: what was done, how right it is, and a table of loads with their top values.
 * The text form's table has as many loads as asked for; JSON has all of them. */
#include "host/value_report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "host/table.h"
#include "host/value_score.h"
#include "isa/contract/sample.h"

/* The text form shows a load's best value, and up to two more that may matter. */
enum { SHOWN_VALUES = 3 };
#define SHOWN_SHARE 0.05

static int compare_loads(const void *a, const void *b)
{
    const struct value_load *x = *(struct value_load *const *)a, *y = *(struct value_load *const *)b;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return (x->pc32 > y->pc32) - (x->pc32 < y->pc32);
}

/* All loads by falling count; the caller's to free. */
static struct value_load **sort_loads(const struct value_profile *p)
{
    unsigned n = value_profile_count(p), i = 0;
    struct value_load **loads = xcalloc(n, sizeof(struct value_load *));
    for (struct value_load *l = p->loads; l != NULL; l = l->hh.next)
        loads[i++] = l;
    if (n != 0)
        qsort(loads, n, sizeof(struct value_load *), compare_loads);
    return loads;
}

struct ranked {
    double estimate;
    unsigned v;
    uint64_t value; /* whole, where the high half is known */
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->estimate != y->estimate)
        return x->estimate > y->estimate ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* A load's values by falling estimate; the caller's to free. */
static struct ranked *rank_values(const struct value_load *l)
{
    struct ranked *r = xcalloc(l->value_count, sizeof *r);
    for (unsigned v = 0; v < l->value_count; v++)
        r[v] = (struct ranked){.estimate = value_estimate_best(l, v), .v = v, .value = value_whole(&l->values[v])};
    if (l->value_count != 0)
        qsort(r, l->value_count, sizeof *r, compare_ranked);
    return r;
}

static double exact_share(const struct value_load *l, unsigned v)
{
    return l->executions != 0 ? (double)l->values[v].exact / (double)l->executions : 0;
}

static void report_visits(struct report *r, const struct value_run *run)
{
    report_count(r, "interrupts_thrash", "  thrashing", run->thrash, "");
    report_count(r, "interrupts_timer", "  of the timer", run->timers, "");
    report_count(r, "rounds", "rounds", run->rounds + 1, "");
    report_count(r, "checks", "checks", run->checks, "(visits to loads that seemed to have one value)");
    report_count(r, "high_visits", "visits, second pass", run->high_visits, "");
}

static void report_run(struct report *r, const struct value_profile *p, const struct value_run *run, const struct partitions *partitions)
{
    unsigned glacial = 0, one_visit = 0, one_value = 0;
    for (const struct value_load *l = p->loads; l != NULL; l = l->hh.next) {
        glacial += value_load_is_glacial(l);
        one_visit += l->masked_cycle != 0 && l->visits + l->checks <= 1;
        one_value += l->masked_cycle != 0 && l->value_count == 1;
    }
    report_count(r, "interrupts_full", "  slots full", run->full, "");
    if (partitions != NULL)
        report_visits(r, run);
    report_count(r, "records", "slots copied", run->records, "");
    report_count(r, "loads_profiled", "loads profiled", value_profile_count(p), "");
    if (partitions == NULL)
        return;
    report_count(r, "loads_masked", "  masked", p->masked, "(sufficiently known)");
    report_count(r, "loads_glacial", "  glacial", glacial, "(several values, each with many samples and next to no others)");
    report_count(r, "loads_one_visit", "  judged in one visit", one_visit, "(whether they hold their values for long cannot be known)");
    report_count(r, "loads_one_value", "  judged by one value", one_value, "");
    report_count(r, "partitions", "partitions", partitions->count, "");
    report_count(r, "partitions_finished", "  finished", partitions->count - partitions->open, "");
    report_count(r, "hash_changes", "mask hash changes", run->hash_changes, "");
    report_count(r, "mask_writes", "mask words written", run->mask_writes, "");
    if (run->complete)
        report_count(r, "complete_cycle", "complete at", run->complete_cycle, "cycles: all partitions are finished");
}

static void report_score(struct report *r, const struct value_score *s)
{
    report_line(r, "\nAgainst the exact profile: values of at least %d occurrences and %.0f %% of their load's", SCORE_MIN_COUNT,
                100 * SCORE_MIN_SHARE);
    report_count(r, "exact_loads", "loads executed", s->loads, "static");
    report_count(r, "exact_executions", "", s->executions, "times");
    if (s->executions != 0)
        report_share(r, "profiled_share", "  of them profiled", (double)s->executions_profiled / (double)s->executions, 2);
    report_count(r, "aliased_loads", "loads aliasing", s->aliased, "(different values with equal low 32 bits)");
    report_count(r, "exact_glacial", "loads truly glacial", s->glacial, "(one value for 1,000 instances and more, but not for 95 % of all)");
    report_count(r, "glacial_found", "  diagnosed", s->glacial_found, "");
    report_count(r, "glacial_false", "  diagnosed, not so", s->glacial_false, "");
    report_count(r, "pairs_scored", "values scored", s->count, "");
    report_count(r, "pairs_found", "  found", s->found, "");
    report_count(r, "phantoms", "values imagined", s->phantoms, "(estimated at twice their true share and more; not in the error)");
    report_share(r, "rms_error", "RMS error, weighted", s->rms, 2);
    report_share(r, "rms_error_uncorrected", "  before correction", s->rms_measured, 2);
    report_share(r, "rms_error_low", "  low 32 bits alone", s->rms_low, 2);
}

static void add_value_cells(struct table *t, const struct value_load *l, const struct ranked *value, bool exact)
{
    table_add(t, "0x%" PRIx64, value->value);
    table_add(t, "%.1f", 100 * value->estimate);
    if (exact && l->known)
        table_add(t, "%.1f", 100 * exact_share(l, value->v));
    else if (exact)
        table_add(t, "-");
}

static void add_load_cells(struct table *t, const struct value_load *l, bool exact)
{
    char buf[REPORT_NUMBER];
    table_add(t, "%s", report_number(buf, l->total));
    if (exact)
        table_add(t, "%s", l->known ? report_number(buf, l->executions) : "-");
}

/* One line for each value shown; those after the first leave the load's own columns blank. */
static void add_load(struct table *t, const struct value_load *l, const struct symbols *symbols, bool exact)
{
    struct ranked *ranked = rank_values(l);
    char *place = report_place(symbols, sample_pc_of(l->pc32));
    for (unsigned i = 0; i < l->value_count && i < SHOWN_VALUES; i++) {
        if (i != 0 && ranked[i].estimate < SHOWN_SHARE)
            break;
        if (i == 0) {
            add_load_cells(t, l, exact);
        } else {
            table_add(t, "%s", "");
            if (exact)
                table_add(t, "%s", "");
        }
        add_value_cells(t, l, &ranked[i], exact);
        table_add(t, "%s%s", i == 0 && l->masked ? "M" : "", i == 0 && value_load_is_glacial(l) ? "G" : "");
        table_add(t, "%s", i == 0 ? place : "");
    }
    free(place);
    free(ranked);
}

static void print_loads(struct report *r, struct value_load *const *loads, unsigned count, const struct symbols *symbols, bool exact)
{
    static const struct table_column with_exact[] = {{"samples", true},   {"executions", true}, {"value", true}, {"est. %", true},
                                                     {"exact %", true}, {"flags", false},     {"load", false}};
    static const struct table_column plain[] = {{"samples", true}, {"value", true}, {"est. %", true}, {"flags", false}, {"load", false}};
    unsigned shown = r->options->top != 0 && r->options->top < count ? r->options->top : count;
    struct table *t = exact ? table_new(with_exact, sizeof with_exact / sizeof with_exact[0])
                            : table_new(plain, sizeof plain / sizeof plain[0]);
    for (unsigned i = 0; i < shown; i++)
        add_load(t, loads[i], symbols, exact);
    report_line(r, "\nLoads by samples, %u of %u", shown, count);
    table_print(t, r->out);
    table_free(t);
    report_line(r, "\nsamples: seen by the co-processor's slots. value: low 32 bits, or the likeliest of 64 bits with these, where the second");
    report_line(r, "pass has looked. est. %%: estimated invariance, the share of the load's");
    report_line(r, "executions that have the value. Flags: M masked, sufficiently known; G glacial, holds one value for long, then another.");
    if (exact)
        report_line(r, "executions, exact %%: what the model knows exactly.");
}

/* All that the second pass found of one value. */
static json_t *whole_json(const struct value_load *l, unsigned v)
{
    const struct value_set *highs = &l->values[v].highs;
    json_t *wholes = json_array();
    for (unsigned i = 0; i < highs->count; i++) {
        uint64_t value = (uint64_t)highs->list[i].value << 32 | l->values[v].value;
        json_t *j = json_object();
        json_object_set_new(j, "value", report_hex_json(value));
        json_object_set_new(j, "estimated", json_real(value_estimate_whole(l, v, value)));
        json_array_append_new(wholes, j);
    }
    return wholes;
}

static json_t *load_json(const struct value_load *l, const struct symbols *symbols)
{
    json_t *j = report_place_json(symbols, sample_pc_of(l->pc32)), *values = json_array();
    struct ranked *ranked = rank_values(l);
    json_object_set_new(j, "samples", json_integer((json_int_t)l->total));
    json_object_set_new(j, "visits", json_integer(l->visits));
    json_object_set_new(j, "checks", json_integer(l->checks));
    json_object_set_new(j, "masked", json_boolean(l->masked));
    if (l->masked_cycle != 0)
        json_object_set_new(j, "masked_cycle", json_integer((json_int_t)l->masked_cycle));
    json_object_set_new(j, "glacial", json_boolean(value_load_is_glacial(l)));
    if (l->known)
        json_object_set_new(j, "executions", json_integer((json_int_t)l->executions));
    for (unsigned i = 0; i < l->value_count; i++) {
        const struct value_count *c = &l->values[ranked[i].v];
        json_t *value = json_object();
        json_object_set_new(value, "value", report_hex_json(ranked[i].value));
        json_object_set_new(value, "hits", json_integer((json_int_t)c->hits));
        json_object_set_new(value, "misses", json_integer((json_int_t)c->misses));
        json_object_set_new(value, "estimated", json_real(ranked[i].estimate));
        json_object_set_new(value, "measured", json_real(value_measured(l, ranked[i].v)));
        json_object_set_new(value, "whole", whole_json(l, ranked[i].v));
        if (l->known)
            json_object_set_new(value, "exact", json_real(exact_share(l, ranked[i].v)));
        json_array_append_new(values, value);
    }
    json_object_set_new(j, "values", values);
    free(ranked);
    return j;
}

/* The points of the paper's Figure 5. */
static json_t *pairs_json(const struct value_score *s)
{
    json_t *pairs = json_array();
    for (unsigned i = 0; i < s->count; i++) {
        const struct value_pair *p = &s->pairs[i];
        json_t *j = json_object();
        json_object_set_new(j, "pc", report_hex_json(p->pc));
        json_object_set_new(j, "value", report_hex_json(p->value));
        json_object_set_new(j, "count", json_integer((json_int_t)p->count));
        json_object_set_new(j, "exact", json_real(p->exact));
        json_object_set_new(j, "estimated", json_real(p->estimated));
        json_object_set_new(j, "measured", json_real(p->measured));
        json_object_set_new(j, "found", json_boolean(p->found));
        json_object_set_new(j, "glacial", json_boolean(p->glacial));
        json_array_append_new(pairs, j);
    }
    return pairs;
}

void value_report(struct report *r, const struct driver_env *env, struct value_profile *p, const struct value_run *run,
                  const struct partitions *partitions, const struct value_timeline *timeline)
{
    struct value_score score = {0};
    bool exact = env->truth != NULL;
    report_run(r, p, run, partitions);
    if (exact) {
        value_score_init(&score, p, env->truth);
        report_score(r, &score);
    }
    unsigned count = value_profile_count(p);
    struct value_load **loads = sort_loads(p);
    if (r->root == NULL) {
        print_loads(r, loads, count, env->symbols, exact);
    } else {
        json_t *list = json_array();
        for (unsigned i = 0; i < count; i++)
            json_array_append_new(list, load_json(loads[i], env->symbols));
        json_object_set_new(r->root, "complete", json_boolean(run->complete));
        json_object_set_new(r->root, "loads", list);
        if (exact) {
            json_object_set_new(r->root, "pairs", pairs_json(&score));
            json_object_set_new(r->root, "timeline", value_timeline_json(timeline, env->truth));
        }
    }
    free(loads);
    value_score_fini(&score);
}
