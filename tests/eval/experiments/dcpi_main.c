/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the analyses of host/analysis on a guest whose exact counts are known.
 *
 * usage: dcpi CONFIG INSTRUCTIONS PERIOD SOURCE GUEST [ARGUMENT...]
 *   SOURCE: where the analysis has its data from
 *     cycles   samples of the cycle counter alone
 *     events   the same with samples of misses and mispredictions, and exact frequencies
 *     blind    samples of the cycle counter, and exact frequencies
 *     tip      TIP's samples, and frequencies of ProfileMe's samples
 *     runs=N   samples of the cycle counter of N runs that differ in their seeds
 *
 * Prints, separated by tabs, lines of the kinds
 *   guest NAME SAMPLES KEY=VALUE...       shares in per cent
 *   procedure NAME IMISSES LEAST MOST     stall cycles that instruction-cache misses explain, DCPI paper, Figure 10 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core-model/schedule/schedule.h"
#include "host/analysis/analysis.h"
#include "tests/eval/experiments/dcpi_run.h"

enum { BUCKETS = 3, COUNTERS_AT_ONCE = 20 };
static const double bucket[BUCKETS] = {0.05, 0.10, 0.15}, far_off = 0.45;
static const char *const confidence_name[] = {"none", "low", "medium", "high"};

/* Data of one run, by address. */
struct source {
    struct dcpi_run *run;
    struct dcpi_counts time, count, event[ANALYSIS_EVENTS];
    double count_scale, event_scale[ANALYSIS_EVENTS]; /* from samples to estimates */
    bool exact;
};

struct result {
    double samples, within[BUCKETS], by_confidence[4], wrong[4]; /* wrong: by more than the last bucket */
    double far;                                                  /* wrong by more than far_off */
    double edges, edges_within[BUCKETS], branch_edges, branch_edges_within[BUCKETS];
    struct analysis_summary summary;
    double missing; /* samples in procedures whose graph misses edges */
};

static double time_at(void *ctx, uint64_t pc)
{
    const struct source *s = ctx;
    return (double)dcpi_counts_get(&s->time, pc, 0) / (s->run->weighted ? TIME_PER_CYCLE : 1);
}

static double executions_at(void *ctx, uint64_t pc)
{
    const struct source *s = ctx;
    return s->exact ? (double)dcpi_counts_get(&s->run->insn, pc, 0)
                    : (double)dcpi_counts_get(&s->count, pc, 0) * s->count_scale;
}

static double events_at(void *ctx, enum analysis_event event, uint64_t pc)
{
    const struct source *s = ctx;
    return s->event_scale[event] > 0 ? (double)dcpi_counts_get(&s->event[event], pc, 0) * s->event_scale[event] : NAN;
}

static double error_of(struct frequency f, double period, double exact)
{
    if (f.confidence == CONFIDENCE_NONE)
        return INFINITY;
    return exact > 0 ? fabs(f.value * period / exact - 1) : f.value > 0 ? INFINITY : 0;
}

static void add_within(double *within, double error, double weight)
{
    for (int b = 0; b < BUCKETS; b++)
        within[b] += error <= bucket[b] ? weight : 0;
}

static void compare_insns(const struct dcpi_run *r, const struct analysis *a, struct result *out)
{
    for (uint32_t i = 0; i < a->insns; i++) {
        const struct analysis_insn *in = &a->insn[i];
        struct frequency f = a->block[in->block].frequency;
        double error = error_of(f, a->period, (double)dcpi_counts_get(&r->insn, in->pc, 0));
        out->samples += in->samples;
        add_within(out->within, error, in->samples);
        out->by_confidence[f.confidence] += in->samples;
        out->wrong[f.confidence] += error > bucket[BUCKETS - 1] ? in->samples : 0;
        out->far += error > far_off ? in->samples : 0;
    }
}

static double exact_edge(const struct dcpi_run *r, const struct analysis *a, const struct analysis_edge *e)
{
    uint64_t last = a->block[e->from].last;
    if (e->transfer == CODE_GRAPH_FALL || e->transfer == CODE_GRAPH_PAST_CALL)
        return (double)dcpi_counts_get(&r->insn, last, 0);
    return (double)dcpi_counts_get(&r->transfer, last, a->block[e->to].start);
}

static void compare_edges(const struct dcpi_run *r, const struct analysis *a, struct result *out)
{
    for (uint32_t e = 0; e < a->edges; e++) {
        const struct analysis_edge *edge = &a->edge[e];
        if (edge->kind != PROCEDURE_INSIDE)
            continue;
        double exact = exact_edge(r, a, edge), error = error_of(edge->frequency, a->period, exact);
        out->edges += exact;
        add_within(out->edges_within, error, exact);
        if (edge->transfer != CODE_GRAPH_TAKEN && edge->transfer != CODE_GRAPH_NOT_TAKEN &&
            edge->transfer != CODE_GRAPH_INDIRECT)
            continue;
        out->branch_edges += exact;
        add_within(out->branch_edges_within, error, exact);
    }
}

static double imisses_of(const struct dcpi_run *r, const struct analysis *a)
{
    double misses = 0;
    for (uint32_t i = 0; i < a->insns; i++)
        misses += (double)dcpi_counts_get(&r->imiss, a->insn[i].pc, 0);
    return misses;
}

static void print_procedure(const struct dcpi_run *r, const struct analysis *a)
{
    const struct analysis_summary *s = &a->summary;
    const char *name = symbols_find(r->symbols, a->start).function;
    printf("procedure\t%s\t%.0f\t%.0f\t%.0f\n", name != NULL ? name : "?", imisses_of(r, a),
           s->least[DYNAMIC_ICACHE] * a->period, s->most[DYNAMIC_ICACHE] * a->period);
}

static void print_listing(struct dcpi_run *r, const struct analysis *a)
{
    struct code code = rv_code(&r->guest.hart);
    for (uint32_t i = 0; i < a->insns; i++) {
        const struct analysis_insn *in = &a->insn[i];
        struct frequency f = a->block[in->block].frequency;
        struct code_insn text;
        double exact = (double)dcpi_counts_get(&r->insn, in->pc, 0) / a->period;
        if (i == a->block[in->block].first)
            printf("block %u: frequency %.1f, %s, exact %.1f\n", in->block, f.value, confidence_name[f.confidence],
                   exact);
        (void)code.describe(code.ctx, in->pc, &text);
        printf("  %8" PRIx64 " %-34s %9.0f %5.2f%c%c %8.2f ", in->pc, text.text, in->samples, in->minimum,
               in->varies ? 'v' : ' ', in->chosen ? '*' : ' ', in->cpi);
        for (int c = 0; c < DYNAMIC_STALLS; c++)
            if (in->is_stall && in->cause[c].possible)
                printf(" %d:%.0f%%", c, 100 * in->cause[c].most / in->dynamic);
        printf("\n");
    }
}

static void print_within(const char *key, const double *within, double all)
{
    printf("\t%s=%.2f/%.2f/%.2f", key, 100 * within[0] / all, 100 * within[1] / all, 100 * within[2] / all);
}

static void print_guest(const char *name, const struct result *o)
{
    struct analysis_shares s = analysis_shares(&o->summary);
    printf("guest\t%s\t%.0f", name, o->samples);
    print_within("insns", o->within, o->samples);
    print_within("edges", o->edges_within, o->edges);
    print_within("branches", o->branch_edges_within, o->branch_edges);
    for (int c = CONFIDENCE_NONE; c <= CONFIDENCE_HIGH; c++)
        printf("\t%s=%.2f/%.2f", confidence_name[c], 100 * o->by_confidence[c] / o->samples,
               100 * o->wrong[c] / o->samples);
    printf("\tfar=%.2f\tmissing=%.2f", 100 * o->far / o->samples, 100 * o->missing / o->samples);
    printf("\tunexplained=%.1f\tgain=%.1f\tdynamic=%.1f\tstatic=%.1f\texecution=%.1f\terror=%.1f",
           s.unexplained_stall / 10.0, s.unexplained_gain / 10.0, s.dynamic / 10.0, s.all_static / 10.0,
           s.execution / 10.0, s.error / 10.0);
    static const char *const key[] = {
#define DYNAMIC_STALL(sym, text, ...) text,
#include "contract/stall.def"
    };
    for (int c = 0; c < DYNAMIC_STALLS; c++)
        printf("\t%s=%.1f/%.1f", key[c], s.least[c] / 10.0, s.most[c] / 10.0);
    printf("\n");
}

static double samples_of(const struct source *s, const struct code_graph *g, uint32_t block, size_t blocks)
{
    const struct code_graph_block *b = code_graph_blocks(g, &blocks);
    double sum = 0;
    for (uint32_t k = block; k < blocks && b[k].function == block; k++)
        for (uint32_t i = 0; i < b[k].insns; i++)
            sum += time_at((void *)s, code_graph_pc(g, b[k].first + i));
    return sum;
}

static void analyse(struct source *s, const struct analysis_samples *samples, const char *show, struct result *out)
{
    struct dcpi_run *r = s->run;
    struct code_graph *g = dcpi_graph(r);
    struct core_schedule *schedule = core_schedule_new(&r->cfg, rv_decode_in_hart, &r->guest.hart);
    struct code_schedule interface = core_schedule_interface(schedule);
    size_t blocks;
    const struct code_graph_block *b = code_graph_blocks(g, &blocks);
    for (uint32_t k = 0; k < blocks; k++) {
        if (b[k].function != k || samples_of(s, g, k, blocks) <= 0)
            continue;
        struct analysis *a = analysis_new(g, k, &interface, samples);
        const char *name = symbols_find(r->symbols, a->start).function;
        compare_insns(r, a, out);
        compare_edges(r, a, out);
        analysis_summary_add(&out->summary, &a->summary);
        out->missing += a->missing ? a->summary.samples : 0;
        if (show == NULL)
            print_procedure(r, a);
        else if (name != NULL && strcmp(name, show) == 0)
            print_listing(r, a);
        analysis_free(a);
    }
    core_schedule_free(schedule);
    code_graph_free(g);
}

/* The samples of a counter of one event, and the factor to an estimate of events. */
static double take_counter(const struct counter_profile *p, struct dcpi_counts *to)
{
    double samples = 0;
    for (size_t i = 0; i < p->rows; i++) {
        uint64_t count = p->row[i].count[p->event[0].kind];
        samples += (double)count;
        if (count != 0)
            dcpi_counts_add(to, p->row[i].pc, 0, count);
    }
    return samples > 0 ? (double)p->event[0].total / samples : 1;
}

static void take_counts(const struct count_profile *c, enum count_kind kind, struct dcpi_counts *to, double *scale)
{
    *scale = count_scale(c, kind);
    for (size_t i = 0; i < c->rows; i++)
        if (c->row[i].count[kind] != 0)
            dcpi_counts_add(to, c->row[i].pc, 0, c->row[i].count[kind]);
}

/* Misses of fetch by counters, the other events by samples of instructions, as host/analysis/from_profile.c has it. */
static double take_counters(struct source *s)
{
    const struct counter_result *c = observers_counters(s->run->set);
    const struct count_result *counts = observers_counts(s->run->set);
    static const enum count_kind kind[ANALYSIS_EVENTS] = {COUNT_ICACHE_MISS, COUNT_ITLB_MISS, COUNT_DCACHE_MISS,
                                                          COUNT_DTLB_MISS, COUNT_MISPREDICTED};
    for (unsigned i = 1; i < c->profiles; i++)
        for (int e = 0; e < ANALYSIS_DMISS; e++)
            if (c->profile[i].event[0].kind == kind[e])
                s->event_scale[e] = take_counter(&c->profile[i], &s->event[e]);
    for (int e = ANALYSIS_DMISS; counts != NULL && e < ANALYSIS_EVENTS; e++)
        take_counts(counts->profile, kind[e], &s->event[e], &s->event_scale[e]);
    return take_counter(&c->profile[0], &s->time);
}

static double take_tip(struct source *s)
{
    const struct time_profile *t = observers_time(s->run->set)->profile;
    take_counts(observers_counts(s->run->set)->profile, COUNT_RETIRED, &s->count, &s->count_scale);
    for (size_t i = 0; i < t->rows; i++)
        if (t->row[i].pc != 0)
            dcpi_counts_add(&s->time, t->row[i].pc, 0, time_row_total(&t->row[i]) / t->period);
    s->run->weighted = true;
    return (double)t->period;
}

/* The samples of runs with the seeds 1, 2, ...: a run of the core has several counters, which do not disturb it.
 * Returns the period of all samples. */
static double take_runs(struct source *s, char *const *argv, const struct core_config *cfg, const char *period,
                        uint64_t most, unsigned runs)
{
    double samples = 0, total = 0;
    for (unsigned first = 0; first < runs; first += COUNTERS_AT_ONCE) {
        char *text = xstrdup("");
        for (unsigned n = first; n < runs && n < first + COUNTERS_AT_ONCE; n++) {
            char *longer = xasprintf("%s%scounter:event=cycles:period=%s:random:seed=%u", text, n > first ? "," : "",
                                     period, n + 1);
            free(text);
            text = longer;
        }
        struct dcpi_run *run = dcpi_run(argv, cfg, text, most);
        const struct counter_result *c = observers_counters(run->set);
        for (unsigned n = 0; n < c->profiles; n++) {
            total = (double)c->profile[n].event[0].total;
            samples += total / take_counter(&c->profile[n], &s->time);
        }
        if (s->run == NULL)
            s->run = run;
        else
            dcpi_run_free(run);
        free(text);
    }
    return total / samples;
}

static char *profile_text(const char *source, const char *period)
{
    if (strcmp(source, "tip") == 0)
        return xasprintf("tip:period=%s:random,profileme:period=%s", period, period);
    if (strcmp(source, "events") != 0)
        return xasprintf("counter:event=cycles:period=%s:random", period);
    return xasprintf("counter:event=cycles:period=%s:random,counter:event=icache-miss:period=7:random,"
                     "counter:event=itlb-miss:period=3:random,profileme:period=31",
                     period);
}

/* The samples of one run; returns their period. */
static double take_run(struct source *s, char *const *argv, const struct core_config *cfg, const char *period,
                       uint64_t most, const char *source)
{
    char *profile = profile_text(source, period);
    s->run = dcpi_run(argv, cfg, profile, most);
    free(profile);
    return strcmp(source, "tip") == 0 ? take_tip(s) : take_counters(s);
}

static void load_config(const char *path, struct core_config *cfg)
{
    struct errmsg err;
    core_config_default(cfg);
    if (core_config_load(path, cfg, &err) == ST_OK)
        return;
    fprintf(stderr, "dcpi: %s\n", err.text);
    exit(2);
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr, "usage: dcpi CONFIG INSTRUCTIONS PERIOD cycles|events|blind|tip|runs=N GUEST [ARGUMENT...]\n");
        return 2;
    }
    struct core_config cfg;
    load_config(argv[1], &cfg);
    const char *source = argv[4];
    uint64_t most = strtoull(argv[2], NULL, 0);
    struct source s = {0};
    bool tip = strcmp(source, "tip") == 0;
    struct analysis_samples samples = {.ctx = &s, .cycles = time_at};
    if (strncmp(source, "runs=", 5) == 0)
        samples.period = take_runs(&s, argv + 5, &cfg, argv[3], most, (unsigned)strtoul(source + 5, NULL, 10));
    else
        samples.period = take_run(&s, argv + 5, &cfg, argv[3], most, source);
    s.exact = samples.exact = strcmp(source, "events") == 0 || strcmp(source, "blind") == 0;
    samples.executions = tip || s.exact ? executions_at : NULL;
    samples.events = events_at;
    struct result out = {0};
    analyse(&s, &samples, getenv("SHOW"), &out);
    const char *slash = strrchr(argv[5], '/');
    print_guest(slash != NULL ? slash + 1 : argv[5], &out);
    dcpi_run_free(s.run);
    for (int e = 0; e < ANALYSIS_EVENTS; e++)
        free(s.event[e].row);
    free(s.time.row);
    free(s.count.row);
    return 0;
}
