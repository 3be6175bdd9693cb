/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report section of the time line. */
#include "host/family/phase_report.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"
#include "host/family/instruction.h"
#include "host/family/time_columns.h"

/* Functions of an interval that the report has. */
enum { PHASE_FUNCTIONS = 8 };

ORDER(phase_report_by_start, struct phase_row, RISING(pc))
ORDER(phase_report_by_time, struct phase_row, FALLING(time) RISING(pc))

/* The functions of an interval by time, each as its start; the caller frees them. */
static struct phase_row *phase_functions(const struct phase_interval *i, const struct symbols *symbols, size_t *count)
{
    struct phase_row *f = xcalloc(i->rows + 1, sizeof *f);
    *count = 0;
    for (size_t n = 0; n < i->rows; n++)
        f[n] = (struct phase_row){symbols != NULL ? symbols_find(symbols, i->row[n].pc).start : 0, i->row[n].time};
    qsort(f, i->rows, sizeof *f, phase_report_by_start);
    for (size_t n = 0; n < i->rows; n++) {
        if (*count > 0 && f[*count - 1].pc == f[n].pc)
            f[*count - 1].time += f[n].time;
        else
            f[(*count)++] = f[n];
    }
    qsort(f, *count, sizeof *f, phase_report_by_time);
    return f;
}

static void interval_columns(struct report_table *t, const struct phase_result *result, const struct phase_interval *i)
{
    if (result->profile->harts > 1)
        REPORT_COLUMN(t, COUNT, (uint64_t)i->hart, .member = "hart", .title = "hart");
    REPORT_COLUMN(t, COUNT, i->from, .member = "from", .title = "from", .unit = "core cycle");
    REPORT_COLUMN(t, COUNT, i->cycles, .member = "cycles", .title = "cycles", .unit = "cycles");
    REPORT_COLUMN(t, COUNT, i->retired, .member = "retired", .title = "retired", .unit = "instructions");
    REPORT_COLUMN(t, COUNT, i->handlers, .member = "handlers", .title = "handlers", .unit = "handlers");
    time_columns_categories(t, result->has_idle, i->time, true);
    REPORT_COLUMN_ONLY(t, LARGEST, .group = "categories", .title = "mostly");
}

static void phase_report_intervals(const struct phase_result *result, struct report *r)
{
    static const struct phase_interval none;
    struct report_table *t = report_table(r, "intervals", "Intervals by {order}, {shown} of {rows}");
    report_whole(t);
    report_order(t, "time");
    interval_columns(t, result, &none);
    for (size_t n = 0; n < result->profile->intervals; n++) {
        report_row(t);
        interval_columns(t, result, &result->profile->interval[n]);
    }
}

static void phase_function_columns(struct report_table *t, const struct phase_result *result,
                                   const struct symbols *symbols, size_t interval, const struct phase_row *f)
{
    const uint64_t all = result->profile->intervals > 0 ? result->profile->interval[interval].cycles : 0;
    REPORT_COLUMN(t, COUNT, (uint64_t)interval, .member = "interval", .title = "interval");
    REPORT_COLUMN(t, COUNT, f->time, .member = "time", .unit = time_unit, .title = "time", .decimals = 2,
                  .of_total = true, .total = all * TIME_PER_CYCLE);
    function_columns(t, symbols, f->pc, 2, time_columns_no_place(result->has_idle));
}

static void phase_report_functions(const struct phase_result *result, const struct symbols *symbols, struct report *r)
{
    static const struct phase_row none;
    struct report_table *t = report_table(r, "functions", "Functions by {order}, {shown} of {rows}; % of the interval");
    report_order(t, "interval and time");
    phase_function_columns(t, result, symbols, 0, &none);
    for (size_t n = 0; n < result->profile->intervals; n++) {
        size_t count;
        struct phase_row *f = phase_functions(&result->profile->interval[n], symbols, &count);
        for (size_t k = 0; k < count && k < PHASE_FUNCTIONS; k++) {
            report_row(t);
            phase_function_columns(t, result, symbols, n, &f[k]);
        }
        free(f);
    }
}

void phase_report(const struct phase_result *result, const struct symbols *symbols, struct report *r)
{
    struct report *section = report_section(r, "phases");
    report_note(section, "Time line: the run in intervals of equal length; interval 0 is the first");
    phase_report_intervals(result, section);
    phase_report_functions(result, symbols, section);
}
