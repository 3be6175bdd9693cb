/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/collect/collect_report.h"

#include <math.h>

#define COLUMNS(columns) (columns), sizeof(columns) / sizeof *(columns)

/* NAN, an absent cell, where nothing was counted. */
static double each(uint64_t sum, uint64_t count) { return count != 0 ? (double)sum / (double)count : NAN; }

static void report_hart(struct report_table *t, unsigned hart, const struct collect_account *a, uint64_t cycles)
{
    uint64_t misses = a->filled + a->evicted, handler = a->hit_cycles + a->miss_cycles + a->bypass_cycles;
    report_row(t);
    report_cell_count(t, hart);
    report_cell_count(t, a->samples);
    report_cell_share(t, each(misses, a->samples));
    report_cell_count(t, a->hits);
    report_cell_count(t, a->filled);
    report_cell_count(t, a->evicted);
    report_cell_count(t, a->bypassed);
    report_cell_count(t, a->lost);
    report_cell_count(t, a->buffers);
    report_cell_count(t, a->flushes);
    report_cell_count(t, a->entries);
    report_cell_real(t, each(a->samples, a->entries));
    report_cell_real(t, each(handler, a->samples));
    report_cell_real(t, each(a->hit_cycles, a->hits));
    report_cell_real(t, each(a->miss_cycles, misses));
    report_cell_real(t, each(a->daemon_cycles, a->samples));
    report_cell_share(t, each(a->hart_cycles, cycles));
}

void collect_report(const struct collector *c, unsigned harts, uint64_t cycles, struct report *r)
{
    static const struct report_column columns[] = {
        {.type = REPORT_COUNT, .member = "hart", .title = "hart"},
        {.type = REPORT_COUNT, .member = "samples", .title = "samples", .unit = "samples"},
        {.type = REPORT_SHARE, .member = "miss_rate", .title = "miss %", .decimals = 1},
        {.type = REPORT_COUNT, .member = "hits", .unit = "samples"},
        {.type = REPORT_COUNT, .member = "filled", .unit = "samples"},
        {.type = REPORT_COUNT, .member = "evicted", .title = "evicted", .unit = "entries"},
        {.type = REPORT_COUNT, .member = "bypassed", .unit = "samples"},
        {.type = REPORT_COUNT, .member = "lost", .title = "lost", .unit = "samples"},
        {.type = REPORT_COUNT, .member = "buffers", .unit = "buffers"},
        {.type = REPORT_COUNT, .member = "flushes", .unit = "flushes"},
        {.type = REPORT_COUNT, .member = "entries", .title = "entries", .unit = "entries"},
        {.type = REPORT_REAL, .member = "aggregation", .title = "per entry", .decimals = 1},
        {.type = REPORT_REAL, .member = "handler_cycles", .title = "handler", .unit = "cycles"},
        {.type = REPORT_REAL, .member = "hit_cycles", .title = "hit", .unit = "cycles"},
        {.type = REPORT_REAL, .member = "miss_cycles", .title = "miss", .unit = "cycles"},
        {.type = REPORT_REAL, .member = "daemon_cycles", .title = "daemon", .unit = "cycles"},
        {.type = REPORT_SHARE, .member = "share", .title = "time %", .decimals = 2},
    };
    struct report *section = report_section(r, "collection");
    struct report_table *t = report_table(section, "harts",
                                          "Collection of the counters' samples; times in cycles per sample");
    report_whole(t);
    report_columns(t, COLUMNS(columns));
    for (unsigned n = 0; n < harts; n++) {
        struct collect_account a = collector_account(c, n);
        report_hart(t, n, &a, cycles);
    }
}
