/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts and samples of event counters by event, function and instruction, and the skid of the samples (ProfileMe
 * paper, Figure 2). */
#include "host/family/counter_report.h"

#include <stdlib.h>

#include "base/status.h"
#include "host/family/counter_score.h"
#include "host/family/instruction.h"

#define COLUMNS(columns) (columns), sizeof(columns) / sizeof *(columns)

static void report_event(struct report_table *t, const struct counter_profile *p, const struct counter_event *e)
{
    report_row(t);
    report_cell_text(t, p->label);
    report_cell_text(t, count_name(e->kind));
    report_cell_count(t, e->total);
    report_cell_real(t, e->estimate);
    report_cell_count(t, e->samples);
    report_cell_count(t, e->lost);
    report_cell_count(t, e->overflows);
    report_cell_share(t, p->cycles != 0 ? (double)e->cycles / (double)p->cycles : 0);
    report_cell_count(t, e->counted);
    report_cell_count(t, p->period);
    report_cell_count(t, p->delay);
    report_cell_count(t, p->cost);
}

static void report_events(const struct counter_result *in, struct report *r)
{
    static const struct report_column columns[] = {
        {.type = REPORT_TEXT, .member = "profiler", .title = "counter"},
        {.type = REPORT_TEXT, .member = "event", .title = "event"},
        {.type = REPORT_COUNT, .member = "total", .title = "exact", .unit = "events"},
        {.type = REPORT_REAL, .member = "estimate", .title = "estimate", .unit = "events"},
        {.type = REPORT_COUNT, .member = "samples", .title = "samples", .unit = "samples"},
        {.type = REPORT_COUNT, .member = "lost", .title = "lost", .unit = "overflows"},
        {.type = REPORT_COUNT, .member = "overflows", .unit = "overflows"},
        {.type = REPORT_SHARE, .member = "time", .title = "time %", .decimals = 1},
        {.type = REPORT_COUNT, .member = "counted", .unit = "events"},
        {.type = REPORT_COUNT, .member = "period", .unit = "events"},
        {.type = REPORT_COUNT, .member = "delay", .unit = "cycles"},
        {.type = REPORT_COUNT, .member = "cost", .unit = "cycles"},
    };
    struct report_table *t = report_table(r, "events", "event counters");
    report_whole(t);
    report_columns(t, COLUMNS(columns));
    for (unsigned i = 0; i < in->profiles; i++)
        for (unsigned e = 0; e < in->profile[i].events; e++)
            report_event(t, &in->profile[i], &in->profile[i].event[e]);
}

static uint64_t placed(const struct counter_profile *p, unsigned event)
{
    uint64_t sum = 0;
    for (size_t d = 0; d < p->skids; d++)
        sum += p->skid[d].event == event ? p->skid[d].samples : 0;
    return sum;
}

static void report_skid(const struct counter_result *in, struct report *r)
{
    static const struct report_column columns[] = {
        {.type = REPORT_TEXT, .member = "profiler", .title = "counter"},
        {.type = REPORT_TEXT, .member = "event", .title = "event"},
        {.type = REPORT_REAL, .member = "distance", .title = "behind", .unit = "instructions"},
        {.type = REPORT_COUNT, .member = "samples", .title = "samples", .unit = "samples"},
        {.type = REPORT_SHARE, .member = "share", .title = "share %", .decimals = 2},
    };
    struct report_table *t = report_table(
        r, "skid", "skid: instructions from the nearest one that had the event to the sampled one ({shown} of {rows})");
    report_columns(t, COLUMNS(columns));
    report_peaks(t, "samples");
    for (unsigned i = 0; i < in->profiles; i++) {
        const struct counter_profile *p = &in->profile[i];
        for (size_t d = 0; d < p->skids; d++) {
            const struct counter_skid *s = &p->skid[d];
            report_row(t);
            report_cell_text(t, p->label);
            report_cell_text(t, count_name(p->event[s->event].kind));
            report_cell_real(t, (double)s->distance);
            report_cell_count(t, s->samples);
            report_cell_share(t, (double)s->samples / (double)placed(p, s->event));
        }
    }
}

/* Warns of counters for which many overflows found an interrupt pending. Such overflows are included only in the
 * estimate. */
static void counter_report_warn_of_lost(const struct counter_profile *p, const struct counter_event *e,
                                        struct report *r)
{
    if (e->lost * 100 <= e->overflows)
        return;
    char *words = xasprintf("Warning: %s: %.1f %% of the overflows were lost while an interrupt was pending; a longer "
                            "period (period=N) loses fewer",
                            p->label, 100 * (double)e->lost / (double)e->overflows);
    report_note(r, words);
    free(words);
}

static void counter_report_declare_lines(struct report_table *t)
{
    static const struct report_column columns[] = {
        {.type = REPORT_COUNT, .member = "samples", .title = "samples", .unit = "samples"},
        {.type = REPORT_SHARE, .member = "share", .title = "share %", .decimals = 1},
        {.type = REPORT_REAL, .member = "estimate", .title = "estimate", .unit = "events"},
        {.type = REPORT_COUNT, .member = "exact", .title = "exact", .unit = "events", .optional = true, .absent = "-"},
        {.type = REPORT_SHARE,
         .member = "exact_share",
         .title = "exact %",
         .decimals = 1,
         .optional = true,
         .absent = "-"},
        {.type = REPORT_SHARE,
         .member = "error",
         .title = "error %",
         .decimals = 1,
         .sign = true,
         .optional = true,
         .absent = "-"},
    };
    report_columns(t, COLUMNS(columns));
}

/* Adds the cells of the columns of declare_lines. */
static void counter_report_add_line(struct report_table *t, const struct counter_line *line, bool has_exact)
{
    report_cell_count(t, line->samples);
    report_cell_share(t, line->share);
    report_cell_real(t, line->estimate);
    if (!has_exact)
        return;
    report_cell_count(t, line->exact);
    report_cell_share(t, line->exact_share);
    report_cell_share(t, line->share - line->exact_share);
}

static void counter_report_functions(const struct counter_lines *in, const struct symbols *symbols, struct report *r)
{
    static const struct report_column columns[] = {
        {.type = REPORT_TEXT, .member = "function", .title = "function", .suffix = " in ", .suffix_of = "library"},
        {.type = REPORT_TEXT, .member = "library"},
        {.type = REPORT_HEX, .member = "start"},
    };
    struct report_table *t = report_table(r, "functions", "Functions by {order} of {event}, {shown} of {rows}");
    report_order(t, "samples");
    report_columns(t, COLUMNS(columns));
    counter_report_declare_lines(t);
    for (size_t i = 0; i < in->lines; i++) {
        const char *library;
        char *function = symbols_function(symbols, in->line[i].pc, &library);
        report_row(t);
        report_cell_text(t, function);
        report_cell_text(t, library);
        free(function);
        report_cell_hex(t, in->line[i].pc);
        counter_report_add_line(t, &in->line[i], in->has_exact);
    }
}

static void counter_report_instructions(const struct counter_lines *in, const struct code *code,
                                        const struct symbols *symbols, struct report *r)
{
    static const struct report_column columns[] = {
        {.type = REPORT_ADDRESS, .title = "place", .at = 1},
        {.type = REPORT_TEXT, .member = "assembly", .title = "instruction", .kept = true},
    };
    struct report_table *t = report_table(r, "instructions", "Instructions by {order} of {event}, {shown} of {rows}");
    report_order(t, "samples");
    report_columns(t, COLUMNS(columns));
    counter_report_declare_lines(t);
    for (size_t i = 0; i < in->lines; i++) {
        report_row(t);
        instruction_add_cells(t, code, symbols, in->line[i].pc);
        counter_report_add_line(t, &in->line[i], in->has_exact);
    }
}

/* Reports the samples of one event by address. */
static void counter_report_samples(const struct counter_result *in, const struct counter_profile *p,
                                   const struct counter_event *e, const struct symbols *symbols, struct report *list)
{
    char *name = p->events > 1 ? xasprintf("%s %s", p->label, count_name(e->kind)) : xstrdup(p->label);
    struct counter_lines functions = counter_functions(p, e, in->exact, symbols);
    struct counter_lines instructions = counter_instructions(p, e, in->exact);
    struct report *r = report_element(list, name);
    report_note(r, p->events > 1 ? "Samples of {profiler}, {event}" : "Samples of {profiler}");
    counter_report_warn_of_lost(p, e, r);
    report_text(r, "profiler", NULL, p->label);
    report_text(r, "event", NULL, count_name(e->kind));
    if (functions.has_exact) {
        report_share(r, "function_error", "of wrong functions", functions.error, 1);
        report_share(r, "instruction_error", "of wrong instructions", instructions.error, 1);
    }
    counter_report_functions(&functions, symbols, r);
    counter_report_instructions(&instructions, &in->code, symbols, r);
    free(functions.line);
    free(instructions.line);
    free(name);
}

static void report_all_samples(const struct counter_result *in, const struct symbols *symbols, struct report *r)
{
    struct report *list = report_list(r, "samples");
    for (unsigned i = 0; i < in->profiles; i++)
        for (unsigned e = 0; e < in->profile[i].events; e++)
            counter_report_samples(in, &in->profile[i], &in->profile[i].event[e], symbols, list);
}

void counter_report(const struct counter_result *result, const struct symbols *symbols, struct report *r)
{
    bool has_skid = false;
    uint64_t unplaced = 0;
    struct report *s = report_section(r, "counters");
    report_events(result, s);
    for (unsigned i = 0; i < result->profiles; i++) {
        has_skid = has_skid || result->profile[i].has_skid;
        unplaced += result->profile[i].unplaced;
    }
    report_all_samples(result, symbols, s);
    if (!has_skid)
        return;
    report_skid(result, s);
    report_count(s, "unplaced", NULL, unplaced, "samples");
}
