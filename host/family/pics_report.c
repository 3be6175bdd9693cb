/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report section of the per-instruction cycle stacks. */
#include "host/family/pics_report.h"

#include <stdlib.h>

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

/* Declares a column of times for each profile, and a column of intervals for each sampling profile. */
static void pics_report_declare_times(struct report_table *t, const struct pics_report_view *v)
{
    for (unsigned i = 0; i < v->profiles; i++) {
        struct time_column c = pics_report_column_of(&v->profile[i]);
        time_column_declare(t, &c);
    }
    for (unsigned i = 0; i < v->profiles; i++) {
        struct time_column c = pics_report_column_of(&v->profile[i]);
        if (!v->profile[i].exact)
            time_column_declare_interval(t, &c);
    }
}

/* Adds the times of one row in each profile, and their intervals. */
static void add_times(struct report_table *t, const struct pics_report_view *v,
                      uint64_t (*time)(const struct pics_profile *p, const struct pics_row *row),
                      const struct pics_row *row)
{
    for (unsigned i = 0; i < v->profiles; i++)
        report_cell_count(t, time(&v->profile[i], row));
    for (unsigned i = 0; i < v->profiles; i++) {
        struct time_column c = pics_report_column_of(&v->profile[i]);
        if (!v->profile[i].exact)
            time_column_add_interval(t, &c, time(&v->profile[i], row));
    }
}

/* The profilers and their errors. */

static void pics_report_declare_profilers(struct report_table *t)
{
    static const struct report_column columns[] = {
        {.type = REPORT_COUNT, .member = "squashed", .title = "squashed", .unit = "instructions"},
        {.type = REPORT_COUNT, .member = "components", .title = "components", .unit = "components"},
    };
    time_columns_declare_profiler(t);
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
    time_columns_declare_errors(t);
}

static void pics_report_profilers(const struct pics_report_view *v, struct report *r)
{
    struct report_table *t = report_table(r, "profilers", NULL);
    report_whole(t);
    pics_report_declare_profilers(t);
    for (unsigned i = 0; i < v->profiles; i++) {
        const struct pics_profile *p = &v->profile[i];
        report_row(t);
        report_cell_text(t, p->label);
        report_cell_flag(t, p->exact);
        report_cell_count(t, p->time);
        report_cell_count(t, p->samples);
        report_cell_count(t, p->squashed);
        report_cell_count(t, p->rows);
        for (int l = 0; l < TIME_LEVEL_COUNT && v->main->exact && !p->exact; l++)
            report_cell_share(t, pics_error(p, v->main, (enum time_level)l, &v->blocks, v->symbols));
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
static int pics_report_by_time(const void *left, const void *right)
{
    const struct pics_report_ranked *a = left, *b = right;
    if (a->instruction != b->instruction)
        return a->instruction > b->instruction ? -1 : 1;
    if (a->row.pc != b->row.pc)
        return a->row.pc > b->row.pc ? 1 : -1;
    if (a->time != b->time)
        return a->time > b->time ? -1 : 1;
    return (a->row.signature > b->row.signature) - (a->row.signature < b->row.signature);
}

static bool is_ranked(const struct pics_report_ranked *rows, size_t count, uint32_t signature)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].row.signature == signature)
            return true;
    return false;
}

static void report_signatures(const struct pics_report_view *v, struct report *r)
{
    struct report_table *t = report_table(r, "signatures",
                                          "Event signatures by {order}, {shown} of {rows}; % of the cycles");
    struct pics_report_ranked *rows = xmalloc((v->main->rows + 1) * sizeof *rows);
    char text[PICS_TEXT];
    size_t count = 0;
    report_order(t, "time");
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "signature", .title = "signature"});
    pics_report_declare_times(t, v);
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
        report_cell_text(t, pics_signature_text(rows[i].row.signature, text));
        add_times(t, v, signature_time, &rows[i].row);
    }
    free(rows);
}

/* The instructions' stacks: a row for each component. */

/* Index of the first row at or above the pc and signature. */
static size_t pics_report_find_row(const struct pics_profile *p, uint64_t pc, uint32_t signature)
{
    size_t low = 0, high = p->rows;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (p->row[mid].pc < pc || (p->row[mid].pc == pc && p->row[mid].signature < signature))
            low = mid + 1;
        else
            high = mid;
    }
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

static void declare_components(struct report_table *t, const struct pics_report_view *v)
{
    const struct report_column columns[] = {
        {.type = REPORT_ADDRESS, .title = "place", .at = 3, .zero = time_columns_no_place(v->result->has_idle)},
        {.type = REPORT_TEXT, .member = "assembly", .title = "instruction", .at = 2, .kept = true},
        {.type = REPORT_TEXT, .member = "signature", .title = "signature", .at = 1},
    };
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
    pics_report_declare_times(t, v);
    time_columns_declare_categories(t, v->result->has_idle);
    report_column(t,
                  &(struct report_column){.type = REPORT_LARGEST, .group = "categories", .title = "mostly", .at = 1});
}

static void add_component(struct report_table *t, const struct pics_report_view *v, const struct pics_row *row)
{
    char text[PICS_TEXT];
    report_row(t);
    instruction_add_cells(t, &v->result->code, v->symbols, row->pc);
    report_cell_text(t, pics_signature_text(row->signature, text));
    add_times(t, v, component_time, row);
    for (int c = 0; c < TIME_CATEGORY_COUNT; c++) {
        if (row->time[c] != 0)
            report_cell_count(t, row->time[c]);
        else
            report_cell_absent(t);
    }
}

static void report_components(const struct pics_report_view *v, struct report *r)
{
    struct report_table *t = report_table(
        r, "stacks", "Instructions' cycle stacks by {order}, {shown} of {rows} components; % of the cycles");
    struct pics_report_ranked *rows = xmalloc((v->main->rows + 1) * sizeof *rows);
    report_order(t, "the instruction's time");
    declare_components(t, v);
    for (size_t i = 0; i < v->main->rows; i++) {
        const struct pics_row *row = &v->main->row[i];
        rows[i] = (struct pics_report_ranked){*row, instruction_time(v->main, row->pc), pics_row_total(row)};
    }
    qsort(rows, v->main->rows, sizeof *rows, pics_report_by_time);
    for (size_t i = 0; i < v->main->rows; i++)
        add_component(t, v, &rows[i].row);
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
