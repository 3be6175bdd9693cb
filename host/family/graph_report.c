/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/family/graph_report.h"

#include <math.h>
#include <stdlib.h>

#include "base/interval.h"
#include "base/order.h"
#include "base/spread.h"
#include "base/status.h"
#include "host/family/instruction.h"

/* Windows with a gain that an interval needs. */
enum { GRAPH_LEAST_WINDOWS = 4 };

struct graph_report_place {
    const struct graph_profile *profile;
    const struct graph_row *row;
    double gain;
    uint64_t pc;
};

ORDER(graph_report_by_gain, struct graph_report_place,
      FALLING(gain) RISING(pc) ALPHABETIC(row->removed) ALPHABETIC(profile->label))

static void graph_profiler_columns(struct report_table *t, const struct graph_result *result,
                                   const struct graph_profile *p)
{
    REPORT_COLUMN(t, TEXT, p->label, .member = "profiler", .title = "profiler");
    REPORT_COLUMN(t, COUNT, p->windows, .member = "windows", .title = "windows", .unit = "windows");
    REPORT_COLUMN_IF(t, p->retired != 0, SHARE, (double)p->covered / (double)p->retired, .member = "covered",
                     .title = "covered %", .decimals = 2);
    REPORT_COLUMN_IF(t, p->covered != 0, SHARE, p->together / (double)result->cycles, .member = "together",
                     .title = "all together %", .decimals = 2);
}

/* The interval of the gain's share of the cycles: Student's, with the degrees of freedom of the windows that gain,
 * since the others tell little of the gains' variance. Unknown if few do. */
static struct interval graph_report_interval(const struct graph_result *result, const struct graph_profile *p,
                                             const struct graph_row *row)
{
    const double cycles = (double)result->cycles;
    if (p->is_whole || row->gaining < GRAPH_LEAST_WINDOWS)
        return (struct interval){0};
    const double half = spread_student_quantile(0.05, (double)row->gaining - 1) * sqrt(row->variance);
    return (struct interval){true, (row->gain - half) / cycles, (row->gain + half) / cycles};
}

static void graph_slack_columns(struct report_table *t, const struct graph_result *result, const struct graph_row *row)
{
    const double events = row->events != 0 ? (double)row->events : 1;
    REPORT_COLUMN(t, SHARE, (double)row->critical / events, .member = "critical", .title = "critical %", .decimals = 2);
    REPORT_COLUMN(t, REAL, (double)row->slack / events, .member = "slack", .title = "slack", .unit = "cycles",
                  .decimals = 1);
    REPORT_COLUMN(t, SHARE, row->delay / (double)result->cycles, .member = "delay", .title = "delay %", .decimals = 2);
}

static void graph_columns(struct report_table *t, const struct graph_result *result, const struct symbols *symbols,
                          const struct graph_report_place *p)
{
    const struct interval interval = graph_report_interval(result, p->profile, p->row);
    REPORT_COLUMN(t, SHARE, p->row->gain / (double)result->cycles, .member = "gain", .title = "gain %", .decimals = 2);
    REPORT_COLUMN_IF(t, interval.is_known, INTERVAL, interval, .member = "interval", .title = "95 %", .decimals = 2,
                     .percent = true, .absent = p->profile->is_whole ? NULL : "-");
    REPORT_COLUMN(t, TEXT, p->row->removed, .member = "removed", .title = "removed");
    REPORT_COLUMN(t, COUNT, p->row->events, .member = "events", .title = "events", .unit = "instructions");
    graph_slack_columns(t, result, p->row);
    if (result->profiles > 1)
        REPORT_COLUMN(t, TEXT, p->profile->label, .member = "profiler", .title = "profiler");
    instruction_columns(t, &result->code, symbols, p->pc, 4, "");
}

static void graph_report_profilers(const struct graph_result *result, struct report *r)
{
    struct report_table *t = report_table(r, "profilers", NULL);
    report_whole(t);
    graph_profiler_columns(t, result, &result->profile[0]);
    for (unsigned n = 0; n < result->profiles; n++) {
        report_row(t);
        graph_profiler_columns(t, result, &result->profile[n]);
    }
}

/* The rows of all profilers, by gain; the caller frees them. */
static struct graph_report_place *graph_report_places(const struct graph_result *result, size_t *count)
{
    size_t rows = 0;
    for (unsigned n = 0; n < result->profiles; n++)
        rows += result->profile[n].rows;
    struct graph_report_place *place = xcalloc(rows + 1, sizeof *place);
    *count = 0;
    for (unsigned n = 0; n < result->profiles; n++)
        for (size_t k = 0; k < result->profile[n].rows; k++) {
            const struct graph_row *row = &result->profile[n].row[k];
            place[(*count)++] = (struct graph_report_place){&result->profile[n], row, row->gain, row->pc};
        }
    qsort(place, *count, sizeof *place, graph_report_by_gain);
    return place;
}

void graph_report(const struct graph_result *result, const struct symbols *symbols, struct report *r)
{
    static const struct graph_row no_row = {.removed = ""};
    const struct graph_report_place none = {.profile = &result->profile[0], .row = &no_row};
    struct report *section = report_section(r, "graphs");
    size_t count;
    struct graph_report_place *place = graph_report_places(result, &count);
    report_note(section, "Estimated gains by the removal of a cause of delay, from graphs of dependences");
    graph_report_profilers(result, section);
    struct report_table *t = report_table(section, "instructions", "Instructions by {order}, {shown} of {rows}");
    report_order(t, "estimated gain");
    graph_columns(t, result, symbols, &none);
    for (size_t n = 0; n < count; n++) {
        report_row(t);
        graph_columns(t, result, symbols, &place[n]);
    }
    free(place);
}
