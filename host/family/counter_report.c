/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts and samples of event counters by event, function and instruction, and the skid of the samples (ProfileMe
 * paper, Figure 2). */
#include "host/family/counter_report.h"

#include <stdlib.h>

#include "base/status.h"
#include "host/family/counter_score.h"
#include "host/family/instruction.h"

static void event_columns(struct report_table *t, const struct counter_profile *p, const struct counter_event *e)
{
    const double time = p->cycles != 0 ? (double)e->cycles / (double)p->cycles : 0;
    REPORT_COLUMN(t, TEXT, p->label, .member = "profiler", .title = "counter");
    REPORT_COLUMN(t, TEXT, count_name(e->kind), .member = "event", .title = "event");
    REPORT_COLUMN(t, COUNT, e->total, .member = "total", .title = "exact", .unit = "events");
    REPORT_COLUMN(t, REAL, e->estimate, .member = "estimate", .title = "estimate", .unit = "events");
    REPORT_COLUMN(t, COUNT, e->samples, .member = "samples", .title = "samples", .unit = "samples");
    REPORT_COLUMN(t, COUNT, e->lost, .member = "lost", .title = "lost", .unit = "overflows");
    REPORT_COLUMN(t, COUNT, e->overflows, .member = "overflows", .unit = "overflows");
    REPORT_COLUMN(t, SHARE, time, .member = "time", .title = "time %", .decimals = 1);
    REPORT_COLUMN(t, COUNT, e->counted, .member = "counted", .unit = "events");
    REPORT_COLUMN(t, COUNT, p->period, .member = "period", .unit = "events");
    REPORT_COLUMN(t, COUNT, p->delay, .member = "delay", .unit = "cycles");
    REPORT_COLUMN(t, COUNT, p->cost, .member = "cost", .unit = "cycles");
}

static void report_events(const struct counter_result *in, struct report *r)
{
    struct report_table *t = report_table(r, "events", "event counters");
    report_whole(t);
    event_columns(t, &(struct counter_profile){0}, &(struct counter_event){0});
    for (unsigned i = 0; i < in->profiles; i++)
        for (unsigned e = 0; e < in->profile[i].events; e++) {
            report_row(t);
            event_columns(t, &in->profile[i], &in->profile[i].event[e]);
        }
}

static uint64_t placed(const struct counter_profile *p, unsigned event)
{
    uint64_t sum = 0;
    for (size_t d = 0; d < p->skids; d++)
        sum += p->skid[d].event == event ? p->skid[d].samples : 0;
    return sum;
}

static void skid_columns(struct report_table *t, const struct counter_profile *p, const struct counter_skid *s)
{
    REPORT_COLUMN(t, TEXT, p->label, .member = "profiler", .title = "counter");
    REPORT_COLUMN(t, TEXT, count_name(p->event[s->event].kind), .member = "event", .title = "event");
    REPORT_COLUMN(t, REAL, (double)s->distance, .member = "distance", .title = "behind", .unit = "instructions");
    REPORT_COLUMN(t, COUNT, s->samples, .member = "samples", .title = "samples", .unit = "samples");
    REPORT_COLUMN(t, SHARE, (double)s->samples / (double)placed(p, s->event), .member = "share", .title = "share %",
                  .decimals = 2);
}

static void report_skid(const struct counter_result *in, struct report *r)
{
    struct report_table *t = report_table(
        r, "skid", "skid: instructions from the nearest one that had the event to the sampled one ({shown} of {rows})");
    skid_columns(t, in->profile, &(struct counter_skid){0});
    report_peaks(t, "samples");
    for (unsigned i = 0; i < in->profiles; i++)
        for (size_t d = 0; d < in->profile[i].skids; d++) {
            report_row(t);
            skid_columns(t, &in->profile[i], &in->profile[i].skid[d]);
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

static void counter_line_columns(struct report_table *t, const struct counter_line *line, bool has_exact)
{
    REPORT_COLUMN(t, COUNT, line->samples, .member = "samples", .title = "samples", .unit = "samples");
    REPORT_COLUMN(t, SHARE, line->share, .member = "share", .title = "share %", .decimals = 1, .heat = true);
    REPORT_COLUMN(t, REAL, line->estimate, .member = "estimate", .title = "estimate", .unit = "events");
    REPORT_COLUMN_IF(t, has_exact, COUNT, line->exact, .member = "exact", .title = "exact", .unit = "events",
                     .optional = true, .absent = "-");
    REPORT_COLUMN_IF(t, has_exact, SHARE, line->exact_share, .member = "exact_share", .title = "exact %", .decimals = 1,
                     .optional = true, .absent = "-");
    REPORT_COLUMN_IF(t, has_exact, SHARE, line->share - line->exact_share, .member = "error", .title = "error %",
                     .decimals = 1, .sign = true, .optional = true, .absent = "-");
}

static void counter_report_functions(const struct counter_lines *in, const struct symbols *symbols, struct report *r)
{
    struct report_table *t = report_table(r, "functions", "Functions by {order} of {event}, {shown} of {rows}");
    report_order(t, "samples");
    function_columns(t, symbols, 0, 0, NULL);
    counter_line_columns(t, &(struct counter_line){0}, in->has_exact);
    for (size_t i = 0; i < in->lines; i++) {
        report_row(t);
        function_columns(t, symbols, in->line[i].pc, 0, NULL);
        counter_line_columns(t, &in->line[i], in->has_exact);
    }
}

static void counter_report_instructions(const struct counter_lines *in, const struct code *code,
                                        const struct symbols *symbols, struct report *r)
{
    struct report_table *t = report_table(r, "instructions", "Instructions by {order} of {event}, {shown} of {rows}");
    report_order(t, "samples");
    instruction_columns(t, code, symbols, 0, 0, NULL);
    counter_line_columns(t, &(struct counter_line){0}, in->has_exact);
    for (size_t i = 0; i < in->lines; i++) {
        report_row(t);
        instruction_columns(t, code, symbols, in->line[i].pc, 0, NULL);
        counter_line_columns(t, &in->line[i], in->has_exact);
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
