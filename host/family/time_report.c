/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report section of the time profilers. */
#include "host/family/time_report.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/interval.h"
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
                                .period = p->period,
                                .samples = p->samples,
                                .time = p->time};
}

/* Declares a column of times for each profile, or for each profile with categories. */
static void time_report_declare_times(struct report_table *t, const struct time_report_view *v, bool by_category)
{
    for (unsigned i = 0; i < v->profiles; i++) {
        struct time_column c = time_report_column_of(&v->profile[i]);
        if (v->profile[i].by_category || !by_category)
            time_column_declare(t, &c);
    }
}

/* Declares a column of intervals for each sampling profile whose samples have equal weights. */
static void declare_intervals(struct report_table *t, const struct time_report_view *v)
{
    for (unsigned i = 0; i < v->profiles; i++) {
        struct time_column c = time_report_column_of(&v->profile[i]);
        if (!v->profile[i].exact)
            time_column_declare_interval(t, &c);
    }
}

static void add_interval(struct report_table *t, const struct time_profile *p, uint64_t time)
{
    if (p->weighted) {
        report_cell_absent(t);
        return;
    }
    struct time_column c = time_report_column_of(p);
    time_column_add_interval(t, &c, time);
}

/* The profilers and their errors. */

static void compute_errors(struct time_report_view *v)
{
    for (unsigned i = 0; i < v->profiles; i++)
        for (int l = 0; l < TIME_LEVEL_COUNT; l++)
            v->error[i][l] = time_error(&v->profile[i], v->main, (enum time_level)l, &v->blocks, v->symbols);
}

static void time_report_declare_profilers(struct report_table *t, bool has_idle)
{
    static const struct report_column columns[] = {
        {.type = REPORT_COUNT, .member = "lost", .title = "lost", .unit = "samples", .flag = "exact", .flag_text = ""},
    };
    time_columns_declare_profiler(t);
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
    time_columns_declare_categories(t, has_idle);
    time_columns_declare_errors(t);
    report_column(t, &(struct report_column){
                         .type = REPORT_COUNT, .member = "ranked", .title = "ranked", .unit = "instructions"});
    report_column(t, &(struct report_column){.type = REPORT_SHARE, .member = "ranked_share"});
}

static void time_report_profilers(const struct time_report_view *v, struct report *r)
{
    struct report_table *t = report_table(r, "profilers", NULL);
    report_whole(t);
    time_report_declare_profilers(t, v->result->has_idle);
    for (unsigned i = 0; i < v->profiles; i++) {
        const struct time_profile *p = &v->profile[i];
        report_row(t);
        report_cell_text(t, p->label);
        report_cell_flag(t, p->exact);
        report_cell_count(t, p->time);
        report_cell_count(t, p->samples);
        report_cell_count(t, p->lost);
        for (int c = 0; c < TIME_CATEGORY_COUNT; c++) {
            if (p->by_category)
                report_cell_count(t, category_time(p, (enum time_category)c));
            else
                report_cell_absent(t);
        }
        for (int l = 0; l < TIME_LEVEL_COUNT && v->main->exact && !p->exact; l++)
            report_cell_share(t, v->error[i][l]);
        for (int l = 0; l < TIME_LEVEL_COUNT && (!v->main->exact || p->exact); l++)
            report_cell_absent(t);
        if (p->exact)
            continue;
        struct time_ranked ranked = time_ranked(p);
        report_cell_count(t, ranked.instructions);
        report_cell_share(t, ranked.share);
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

static void report_stack(const struct time_report_view *v, struct report *r)
{
    struct report_table *t = report_table(r, "stack", NULL);
    report_whole(t);
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "category", .title = "commit cycle stack"});
    report_column(
        t, &(struct report_column){.type = REPORT_COUNT, .member = "cycles", .title = "cycles", .unit = "cycles"});
    time_report_declare_times(t, v, true);
    for (int c = 0; c < TIME_CATEGORY_COUNT; c++) {
        report_row(t);
        report_cell_text(t, time_columns_category((enum time_category)c, v->result->has_idle));
        /* Whole cycles: only commits share a cycle, and all its parts are in one category. */
        if (v->main->by_category)
            report_cell_count(t, category_time(v->main, (enum time_category)c) / TIME_PER_CYCLE);
        else
            report_cell_absent(t);
        for (unsigned i = 0; i < v->profiles; i++)
            if (v->profile[i].by_category)
                report_cell_count(t, category_time(&v->profile[i], (enum time_category)c));
    }
}

/* Functions and instructions, sorted by the main profile's time. */

static int time_report_by_time(const void *left, const void *right)
{
    const struct time_sum *a = left, *b = right;
    if (a->time != b->time)
        return a->time > b->time ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

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

static void time_report_functions(const struct time_report_view *v, const struct ranking *k, struct report *r)
{
    static const struct report_column columns[] = {
        {.type = REPORT_TEXT,
         .member = "function",
         .title = "function",
         .at = 1,
         .suffix = " in ",
         .suffix_of = "library"},
        {.type = REPORT_TEXT, .member = "library"},
        {.type = REPORT_HEX, .member = "start"},
    };
    struct report_table *t = report_table(r, "functions", "Functions by {order}, {shown} of {rows}; % of the cycles");
    report_order(t, "time");
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
    time_report_declare_times(t, v, false);
    declare_intervals(t, v);
    for (size_t i = 0; i < k->count; i++) {
        uint64_t start = k->order[i].key;
        const char *library;
        char *function = symbols_function(v->symbols, start, &library);
        report_row(t);
        report_cell_text(t, start == 0 && v->symbols != NULL ? time_columns_no_place(v->result->has_idle) : function);
        report_cell_text(t, library);
        free(function);
        report_cell_hex(t, start);
        for (unsigned n = 0; n < v->profiles; n++)
            report_cell_count(t, sum_at(k->sums[n], k->counts[n], start));
        for (unsigned n = 0; n < v->profiles; n++)
            if (!v->profile[n].exact)
                add_interval(t, &v->profile[n], sum_at(k->sums[n], k->counts[n], start));
    }
}

static uint64_t time_at(const struct time_profile *p, uint64_t pc)
{
    const struct time_row *row = time_report_find_row(p, pc);
    return row != NULL ? time_row_total(row) : 0;
}

static void time_report_declare_instructions(struct report_table *t, const struct time_report_view *v)
{
    report_column(
        t, &(struct report_column){
               .type = REPORT_ADDRESS, .title = "place", .at = 3, .zero = time_columns_no_place(v->result->has_idle)});
    report_column(t, &(struct report_column){
                         .type = REPORT_TEXT, .member = "assembly", .title = "instruction", .at = 2, .kept = true});
    time_report_declare_times(t, v, false);
    declare_intervals(t, v);
    time_columns_declare_categories(t, v->result->has_idle);
    report_column(t,
                  &(struct report_column){.type = REPORT_LARGEST, .group = "categories", .title = "mostly", .at = 1});
}

static void time_report_add_instruction(struct report_table *t, const struct time_report_view *v, uint64_t pc)
{
    const struct time_row *row = time_report_find_row(v->main, pc);
    report_row(t);
    instruction_add_cells(t, &v->result->code, v->symbols, pc);
    for (unsigned n = 0; n < v->profiles; n++)
        report_cell_count(t, time_at(&v->profile[n], pc));
    for (unsigned n = 0; n < v->profiles; n++)
        if (!v->profile[n].exact)
            add_interval(t, &v->profile[n], time_at(&v->profile[n], pc));
    for (int c = 0; c < TIME_CATEGORY_COUNT && v->main->by_category && row != NULL; c++) {
        if (row->time[c] != 0)
            report_cell_count(t, row->time[c]);
        else
            report_cell_absent(t);
    }
}

static void time_report_instructions(const struct time_report_view *v, const struct ranking *k, struct report *r)
{
    struct report_table *t = report_table(r, "instructions",
                                          "Instructions by {order}, {shown} of {rows}; % of the cycles");
    report_order(t, "time");
    time_report_declare_instructions(t, v);
    for (size_t i = 0; i < k->count; i++)
        time_report_add_instruction(t, v, k->order[i].key);
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
