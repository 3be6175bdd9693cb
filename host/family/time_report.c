/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report section of the time profilers. */
#include "host/family/time_report.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/interval.h"
#include "base/order.h"
#include "base/status.h"
#include "host/family/instruction.h"
#include "host/family/row_find.h"
#include "host/family/time_columns.h"
#include "host/family/time_confidence.h"
#include "host/family/time_score.h"

enum { MAX_PROFILES = 32 };

/* State shared by the parts of the section. */
struct time_report_view {
    const struct time_result *result;
    const struct symbols *symbols;
    const struct time_profile *profile, *main;
    unsigned profiles;
    struct time_blocks blocks;
    double error[MAX_PROFILES][TIME_LEVEL_COUNT]; /* errors relative to the main profile, if that is exact */
};

static uint64_t category_time(const struct time_profile *p, enum time_category c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->rows; i++)
        sum += p->row[i].time[c];
    return sum;
}

static const struct time_row *time_report_find_row(const struct time_profile *p, uint64_t pc)
{
    return row_find(p->row, p->rows, sizeof *p->row, pc);
}

static uint64_t sum_at(const struct time_sum *sums, size_t count, uint64_t key)
{
    const struct time_sum *sum = time_find_sum(sums, count, key);
    return sum != NULL ? sum->time : 0;
}

static struct time_column time_report_column_of(const struct time_profile *p)
{
    return (struct time_column){.label = p->label,
                                .period_unit = p->weighted ? "instructions" : "cycles",
                                .exact = p->exact,
                                .weighted = p->weighted,
                                .period = p->period,
                                .samples = p->samples,
                                .time = p->time};
}

/* A column of times for each profile, or for each profile with categories. */
static void times_columns(struct report_table *t, const struct time_report_view *v, const uint64_t *time,
                          bool by_category)
{
    for (unsigned i = 0; i < v->profiles; i++) {
        struct time_column c = time_report_column_of(&v->profile[i]);
        if (v->profile[i].by_category || !by_category)
            time_columns_time(t, &c, time[i]);
    }
}

/* A column of intervals for each sampling profile. */
static void intervals_columns(struct report_table *t, const struct time_report_view *v, const uint64_t *time)
{
    for (unsigned i = 0; i < v->profiles; i++) {
        struct time_column c = time_report_column_of(&v->profile[i]);
        if (!v->profile[i].exact)
            time_columns_interval(t, &c, time[i]);
    }
}

/* The profilers and their errors. */

static void compute_errors(struct time_report_view *v)
{
    for (unsigned i = 0; i < v->profiles; i++)
        for (int l = 0; l < TIME_LEVEL_COUNT; l++)
            v->error[i][l] = time_error(&v->profile[i], v->main, (enum time_level)l, &v->blocks, v->symbols);
}

static void time_profiler_columns(struct report_table *t, const struct time_report_view *v, unsigned i)
{
    const struct time_profile *p = &v->profile[i];
    const struct time_column column = time_report_column_of(p);
    const struct time_ranked ranked = time_ranked(p);
    uint64_t time[TIME_CATEGORY_COUNT];
    for (enum time_category c = 0; c < TIME_CATEGORY_COUNT; c++)
        time[c] = category_time(p, c);
    time_columns_profiler(t, &column);
    REPORT_COLUMN(t, COUNT, p->lost, .member = "lost", .title = "lost", .unit = "samples", .flag = "exact",
                  .flag_text = "");
    time_columns_categories(t, v->result->has_idle, p->by_category ? time : NULL, true);
    time_columns_errors(t, v->main->exact && !p->exact ? v->error[i] : NULL);
    REPORT_COLUMN_IF(t, !p->exact, COUNT, ranked.instructions, .member = "ranked", .title = "ranked",
                     .unit = "instructions");
    REPORT_COLUMN_IF(t, !p->exact, SHARE, ranked.share, .member = "ranked_share");
}

static void time_report_profilers(const struct time_report_view *v, struct report *r)
{
    struct report_table *t = report_table(r, "profilers", NULL);
    report_whole(t);
    time_profiler_columns(t, v, 0);
    for (unsigned i = 0; i < v->profiles; i++) {
        report_row(t);
        time_profiler_columns(t, v, i);
    }
}

static void time_report_note_samples(const struct time_report_view *v, struct report *r)
{
    struct time_column column[MAX_PROFILES];
    for (unsigned i = 0; i < v->profiles; i++)
        column[i] = time_report_column_of(&v->profile[i]);
    time_columns_note_samples(column, v->profiles, v->result->cycles, r);
    time_columns_note_reference(column, v->profiles, "oracle", r);
}

/* Warns of profilers with too few samples to rank the instructions of a tenth of their time or more. */
static void time_report_warn_of_few(const struct time_report_view *v, struct report *r)
{
    char words[512];
    struct report *warning = NULL;
    for (unsigned i = 0; i < v->profiles; i++) {
        const struct time_profile *p = &v->profile[i];
        double few = 1 - time_ranked(p).share;
        if (p->exact || p->samples == 0 || few <= 0.1)
            continue;
        if (warning == NULL) {
            warning = report_section(r, NULL);
            snprintf(
                words, sizeof words,
                "Warning: too few samples to rank instructions (a shorter period, period=N, has more): share of the "
                "time in which they have less than %d",
                RANKED_SAMPLES);
            report_note(warning, words);
        }
        snprintf(words, sizeof words, "  %5.1f %%  %.400s", 100 * few, p->label);
        report_note_line(warning, words);
    }
}

/* The stack of categories. */

static bool knows_categories(const struct time_report_view *v)
{
    for (unsigned i = 0; i < v->profiles; i++)
        if (v->profile[i].by_category)
            return true;
    return false;
}

static void stack_columns(struct report_table *t, const struct time_report_view *v, enum time_category c)
{
    uint64_t time[MAX_PROFILES];
    for (unsigned i = 0; i < v->profiles; i++)
        time[i] = category_time(&v->profile[i], c);
    REPORT_COLUMN(t, TEXT, time_columns_category(c, v->result->has_idle), .member = "category",
                  .title = "commit cycle stack");
    /* Whole cycles: only commits share a cycle, and all its parts are in one category. */
    REPORT_COLUMN_IF(t, v->main->by_category, COUNT, category_time(v->main, c) / TIME_PER_CYCLE, .member = "cycles",
                     .title = "cycles", .unit = "cycles");
    times_columns(t, v, time, true);
}

static void report_stack(const struct time_report_view *v, struct report *r)
{
    struct report_table *t = report_table(r, "stack", NULL);
    report_whole(t);
    stack_columns(t, v, 0);
    for (enum time_category c = 0; c < TIME_CATEGORY_COUNT; c++) {
        report_row(t);
        stack_columns(t, v, c);
    }
}

/* Functions and instructions, sorted by the main profile's time. */

ORDER(time_report_by_time, struct time_sum, FALLING(time) RISING(key))

/* The places of all profiles, in descending order of the main profile's time; the sums of each profile are looked up in
 * `sums`. */
struct ranking {
    struct time_sum *order, *sums[MAX_PROFILES];
    size_t count, counts[MAX_PROFILES];
    unsigned profiles;
};

/* Returns whether one of the first `profiles` has the place. */
static bool time_report_is_in(const struct ranking *k, unsigned profiles, uint64_t key)
{
    for (unsigned i = 0; i < profiles; i++)
        if (time_find_sum(k->sums[i], k->counts[i], key) != NULL)
            return true;
    return false;
}

static void time_report_rank(struct ranking *k, const struct time_report_view *v, enum time_level level)
{
    size_t most = 0;
    *k = (struct ranking){.profiles = v->profiles};
    for (unsigned i = 0; i < v->profiles; i++) {
        k->sums[i] = time_sums(&v->profile[i], level, &v->blocks, v->symbols, &k->counts[i]);
        most += k->counts[i];
    }
    const size_t main = (size_t)(v->main - v->profile);
    k->order = xmalloc((most + 1) * sizeof *k->order);
    k->count = 0;
    for (unsigned i = 0; i < v->profiles; i++)
        for (size_t n = 0; n < k->counts[i]; n++) {
            const uint64_t key = k->sums[i][n].key;
            if (!time_report_is_in(k, i, key))
                k->order[k->count++] = (struct time_sum){key, sum_at(k->sums[main], k->counts[main], key)};
        }
    qsort(k->order, k->count, sizeof *k->order, time_report_by_time);
}

static void rank_fini(struct ranking *k)
{
    free(k->order);
    for (unsigned i = 0; i < k->profiles; i++)
        free(k->sums[i]);
}

static void time_function_columns(struct report_table *t, const struct time_report_view *v, const struct ranking *k,
                                  uint64_t start)
{
    uint64_t time[MAX_PROFILES];
    for (unsigned n = 0; n < v->profiles; n++)
        time[n] = sum_at(k->sums[n], k->counts[n], start);
    function_columns(t, v->symbols, start, 1, time_columns_no_place(v->result->has_idle));
    times_columns(t, v, time, false);
    intervals_columns(t, v, time);
}

static void time_report_functions(const struct time_report_view *v, const struct ranking *k, struct report *r)
{
    struct report_table *t = report_table(r, "functions", "Functions by {order}, {shown} of {rows}; % of the cycles");
    report_order(t, "time");
    time_function_columns(t, v, k, 0);
    for (size_t i = 0; i < k->count; i++) {
        report_row(t);
        time_function_columns(t, v, k, k->order[i].key);
    }
}

static uint64_t time_at(const struct time_profile *p, uint64_t pc)
{
    const struct time_row *row = time_report_find_row(p, pc);
    return row != NULL ? time_row_total(row) : 0;
}

static void time_instruction_columns(struct report_table *t, const struct time_report_view *v, uint64_t pc)
{
    const struct time_row *row = time_report_find_row(v->main, pc);
    uint64_t time[MAX_PROFILES];
    for (unsigned n = 0; n < v->profiles; n++)
        time[n] = time_at(&v->profile[n], pc);
    instruction_columns(t, &v->result->code, v->symbols, pc, 2, time_columns_no_place(v->result->has_idle));
    times_columns(t, v, time, false);
    intervals_columns(t, v, time);
    time_columns_categories(t, v->result->has_idle, v->main->by_category && row != NULL ? row->time : NULL, false);
    REPORT_COLUMN_ONLY(t, LARGEST, .group = "categories", .title = "mostly", .at = 1);
}

static void time_report_instructions(const struct time_report_view *v, const struct ranking *k, struct report *r)
{
    struct report_table *t = report_table(r, "instructions",
                                          "Instructions by {order}, {shown} of {rows}; % of the cycles");
    report_order(t, "time");
    time_instruction_columns(t, v, 0);
    for (size_t i = 0; i < k->count; i++) {
        report_row(t);
        time_instruction_columns(t, v, k->order[i].key);
    }
}

void time_report(const struct time_result *result, const struct symbols *symbols, struct report *r)
{
    struct time_report_view v = {.result = result,
                                 .symbols = symbols,
                                 .profile = result->profile,
                                 .main = result->profile,
                                 .profiles = result->profiles};
    if (v.profiles > MAX_PROFILES)
        BUG("%u profiles in one report", v.profiles);
    struct ranking functions, instructions;
    for (unsigned i = 0; i < v.profiles && !v.main->exact; i++)
        if (v.profile[i].exact || (v.main->samples == 0 && v.profile[i].samples != 0))
            v.main = &v.profile[i];
    time_blocks_init(&v.blocks, v.main, &result->code, symbols);
    if (v.main->exact)
        compute_errors(&v);
    time_report_rank(&functions, &v, LEVEL_FUNCTION);
    time_report_rank(&instructions, &v, LEVEL_INSTRUCTION);
    struct report *section = report_section(r, "time");
    report_note(section, "Profiles of time");
    report_count(section, "per_cycle", NULL, TIME_PER_CYCLE, "units");
    report_count(section, "cycles", NULL, result->cycles, "cycles");
    time_report_profilers(&v, section);
    time_report_note_samples(&v, section);
    time_seeds_report(section, v.profile, v.profiles, v.main->exact ? v.error : NULL);
    time_report_warn_of_few(&v, section);
    if (knows_categories(&v))
        report_stack(&v, section);
    time_report_functions(&v, &functions, section);
    time_report_instructions(&v, &instructions, section);
    rank_fini(&functions);
    rank_fini(&instructions);
    time_blocks_fini(&v.blocks);
}
