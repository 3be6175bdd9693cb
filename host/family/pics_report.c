/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report section of the per-instruction cycle stacks. */
#include "host/family/pics_report.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"
#include "host/family/instruction.h"
#include "host/family/pics_score.h"
#include "host/family/time_columns.h"

/* State shared by the parts of the section. */
struct pics_report_view {
    const struct pics_result *result;
    const struct symbols *symbols;
    const struct pics_profile *profile, *main;
    unsigned profiles;
    struct time_blocks blocks;
};

static struct time_column pics_report_column_of(const struct pics_profile *p)
{
    return (struct time_column){.label = p->label,
                                .period_unit = "cycles",
                                .exact = p->exact,
                                .period = p->period,
                                .samples = p->samples,
                                .time = p->time};
}

/* A column of times for each profile, and a column of intervals for each sampling profile. */
static void pics_times_columns(struct report_table *t, const struct pics_report_view *v,
                               uint64_t (*time)(const struct pics_profile *p, const struct pics_row *row),
                               const struct pics_row *row)
{
    for (unsigned i = 0; i < v->profiles; i++) {
        struct time_column c = pics_report_column_of(&v->profile[i]);
        time_columns_time(t, &c, time(&v->profile[i], row));
    }
    for (unsigned i = 0; i < v->profiles; i++) {
        struct time_column c = pics_report_column_of(&v->profile[i]);
        if (!v->profile[i].exact)
            time_columns_interval(t, &c, time(&v->profile[i], row));
    }
}

/* The profilers and their errors. */

static void pics_profiler_columns(struct report_table *t, const struct pics_report_view *v,
                                  const struct pics_profile *p)
{
    const struct time_column column = pics_report_column_of(p);
    const bool has_errors = v->main->exact && !p->exact;
    double error[TIME_LEVEL_COUNT];
    for (int l = 0; l < TIME_LEVEL_COUNT && has_errors; l++)
        error[l] = pics_error(p, v->main, (enum time_level)l, &v->blocks, v->symbols);
    time_columns_profiler(t, &column);
    REPORT_COLUMN(t, COUNT, p->squashed, .member = "squashed", .title = "squashed", .unit = "instructions");
    REPORT_COLUMN(t, COUNT, p->rows, .member = "components", .title = "components", .unit = "components");
    time_columns_errors(t, has_errors ? error : NULL);
}

static void pics_report_profilers(const struct pics_report_view *v, struct report *r)
{
    struct report_table *t = report_table(r, "profilers", NULL);
    report_whole(t);
    pics_profiler_columns(t, v, v->main);
    for (unsigned i = 0; i < v->profiles; i++) {
        report_row(t);
        pics_profiler_columns(t, v, &v->profile[i]);
    }
}

static void pics_report_note_samples(const struct pics_report_view *v, struct report *r)
{
    struct time_column *column = xcalloc(v->profiles, sizeof *column);
    for (unsigned i = 0; i < v->profiles; i++)
        column[i] = pics_report_column_of(&v->profile[i]);
    time_columns_note_samples(column, v->profiles, v->result->cycles, r);
    time_columns_note_reference(column, v->profiles, "tea-oracle", r);
    free(column);
}

/* The signatures of the whole program. */

static uint64_t signature_time(const struct pics_profile *p, const struct pics_row *row)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->rows; i++)
        if (p->row[i].signature == row->signature)
            sum += pics_row_total(&p->row[i]);
    return sum;
}

struct pics_report_ranked {
    struct pics_row row;
    uint64_t instruction; /* time of all rows with this pc; 0: the row is a sum over instructions */
    uint64_t time;
};

/* Sorts by the instruction's time first, so that its components are adjacent. */
ORDER(pics_report_by_time, struct pics_report_ranked,
      FALLING(instruction) RISING(row.pc) FALLING(time) RISING(row.signature))

static bool is_ranked(const struct pics_report_ranked *rows, size_t count, uint32_t signature)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].row.signature == signature)
            return true;
    return false;
}

static void signature_columns(struct report_table *t, const struct pics_report_view *v, const struct pics_row *row)
{
    char text[PICS_TEXT];
    REPORT_COLUMN(t, TEXT, pics_signature_text(row->signature, text), .member = "signature", .title = "signature");
    pics_times_columns(t, v, signature_time, row);
}

static void report_signatures(const struct pics_report_view *v, struct report *r)
{
    struct report_table *t = report_table(r, "signatures",
                                          "Event signatures by {order}, {shown} of {rows}; % of the cycles");
    struct pics_report_ranked *rows = xmalloc((v->main->rows + 1) * sizeof *rows);
    size_t count = 0;
    report_order(t, "time");
    signature_columns(t, v, &(struct pics_row){0});
    for (size_t i = 0; i < v->main->rows; i++) {
        const struct pics_row *row = &v->main->row[i];
        if (is_ranked(rows, count, row->signature))
            continue;
        rows[count++] = (struct pics_report_ranked){.row = {.signature = row->signature},
                                                    .time = signature_time(v->main, row)};
    }
    qsort(rows, count, sizeof *rows, pics_report_by_time);
    for (size_t i = 0; i < count; i++) {
        report_row(t);
        signature_columns(t, v, &rows[i].row);
    }
    free(rows);
}

/* The instructions' stacks: a row for each component. */

/* Index of the first row at or above the pc and signature. */
static size_t pics_report_find_row(const struct pics_profile *p, uint64_t pc, uint32_t signature)
{
    size_t low = 0, high = p->rows;
    SEARCH(low, high, mid, p->row[mid].pc < pc || (p->row[mid].pc == pc && p->row[mid].signature < signature));
    return low;
}

static uint64_t component_time(const struct pics_profile *p, const struct pics_row *row)
{
    size_t at = pics_report_find_row(p, row->pc, row->signature);
    bool found = at < p->rows && p->row[at].pc == row->pc && p->row[at].signature == row->signature;
    return found ? pics_row_total(&p->row[at]) : 0;
}

static uint64_t instruction_time(const struct pics_profile *p, uint64_t pc)
{
    uint64_t sum = 0;
    for (size_t at = pics_report_find_row(p, pc, 0); at < p->rows && p->row[at].pc == pc; at++)
        sum += pics_row_total(&p->row[at]);
    return sum;
}

static void component_columns(struct report_table *t, const struct pics_report_view *v, const struct pics_row *row)
{
    char text[PICS_TEXT];
    instruction_columns(t, &v->result->code, v->symbols, row->pc, 2, time_columns_no_place(v->result->has_idle));
    REPORT_COLUMN(t, TEXT, pics_signature_text(row->signature, text), .member = "signature", .title = "signature",
                  .at = 1);
    pics_times_columns(t, v, component_time, row);
    time_columns_categories(t, v->result->has_idle, row->time, false);
    REPORT_COLUMN_ONLY(t, LARGEST, .group = "categories", .title = "mostly", .at = 1);
}

static void report_components(const struct pics_report_view *v, struct report *r)
{
    struct report_table *t = report_table(
        r, "stacks", "Instructions' cycle stacks by {order}, {shown} of {rows} components; % of the cycles");
    struct pics_report_ranked *rows = xmalloc((v->main->rows + 1) * sizeof *rows);
    report_order(t, "the instruction's time");
    component_columns(t, v, &(struct pics_row){0});
    for (size_t i = 0; i < v->main->rows; i++) {
        const struct pics_row *row = &v->main->row[i];
        rows[i] = (struct pics_report_ranked){*row, instruction_time(v->main, row->pc), pics_row_total(row)};
    }
    qsort(rows, v->main->rows, sizeof *rows, pics_report_by_time);
    for (size_t i = 0; i < v->main->rows; i++) {
        report_row(t);
        component_columns(t, v, &rows[i].row);
    }
    free(rows);
}

void pics_report(const struct pics_result *result, const struct symbols *symbols, struct report *r)
{
    struct pics_report_view v = {.result = result,
                                 .symbols = symbols,
                                 .profile = result->profile,
                                 .main = result->profile,
                                 .profiles = result->profiles};
    for (unsigned i = 0; i < v.profiles && !v.main->exact; i++)
        if (v.profile[i].exact || (v.main->samples == 0 && v.profile[i].samples != 0))
            v.main = &v.profile[i];
    struct time_profile times = pics_time(v.main);
    time_blocks_init(&v.blocks, &times, &result->code, symbols);
    free((void *)times.row);
    struct report *section = report_section(r, "pics");
    report_note(section, "Per-instruction cycle stacks");
    report_count(section, "per_cycle", NULL, TIME_PER_CYCLE, "units");
    report_count(section, "cycles", NULL, result->cycles, "cycles");
    pics_report_profilers(&v, section);
    pics_report_note_samples(&v, section);
    report_signatures(&v, section);
    report_components(&v, section);
    time_blocks_fini(&v.blocks);
}
