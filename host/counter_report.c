/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What event counters have counted, and how far behind the events their samples are (ProfileMe paper, Figure 2). */
#include "host/counter_report.h"

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

static uint64_t placed(const struct counter_profile *p)
{
    uint64_t sum = 0;
    for (size_t d = 0; d < p->skids; d++)
        sum += p->skid[d].samples;
    return sum;
}

static void report_skid(const struct counter_result *in, struct report *r)
{
    static const struct report_column columns[] = {
        {.type = REPORT_TEXT, .member = "profiler", .title = "counter"},
        {.type = REPORT_REAL, .member = "distance", .title = "behind", .unit = "instructions"},
        {.type = REPORT_COUNT, .member = "samples", .title = "samples", .unit = "samples"},
        {.type = REPORT_SHARE, .member = "share", .title = "share %", .decimals = 2},
    };
    struct report_table *t = report_table(
        r, "skid", "skid: instructions from the nearest one that had the event to the sampled one ({shown} of {rows})");
    report_columns(t, COLUMNS(columns));
    for (unsigned i = 0; i < in->profiles; i++) {
        const struct counter_profile *p = &in->profile[i];
        uint64_t all = placed(p);
        for (size_t d = 0; d < p->skids; d++) {
            report_row(t);
            report_cell_text(t, p->label);
            report_cell_real(t, (double)p->skid[d].distance);
            report_cell_count(t, p->skid[d].samples);
            report_cell_share(t, (double)p->skid[d].samples / (double)all);
        }
    }
}

void counter_report(const struct counter_result *result, const struct symbols *symbols, struct report *r)
{
    (void)symbols;
    bool has_skid = false;
    uint64_t unplaced = 0;
    struct report *s = report_section(r, "counters");
    report_events(result, s);
    for (unsigned i = 0; i < result->profiles; i++) {
        has_skid = has_skid || result->profile[i].has_skid;
        unplaced += result->profile[i].unplaced;
    }
    if (!has_skid)
        return;
    report_skid(result, s);
    report_count(s, "unplaced", NULL, unplaced, "samples");
}
