/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/collect/collect_report.h"

#include <math.h>

/* NAN, an absent cell, where nothing was counted. */
static double each(uint64_t sum, uint64_t count) { return count != 0 ? (double)sum / (double)count : NAN; }

static void collect_columns(struct report_table *t, unsigned hart, const struct collect_account *a, uint64_t cycles)
{
    const uint64_t misses = a->filled + a->evicted, handler = a->hit_cycles + a->miss_cycles + a->bypass_cycles;
    REPORT_COLUMN(t, COUNT, hart, .member = "hart", .title = "hart");
    REPORT_COLUMN(t, COUNT, a->samples, .member = "samples", .title = "samples", .unit = "samples");
    REPORT_COLUMN(t, SHARE, each(misses, a->samples), .member = "miss_rate", .title = "miss %", .decimals = 1);
    REPORT_COLUMN(t, COUNT, a->hits, .member = "hits", .unit = "samples");
    REPORT_COLUMN(t, COUNT, a->filled, .member = "filled", .unit = "samples");
    REPORT_COLUMN(t, COUNT, a->evicted, .member = "evicted", .title = "evicted", .unit = "entries");
    REPORT_COLUMN(t, COUNT, a->bypassed, .member = "bypassed", .unit = "samples");
    REPORT_COLUMN(t, COUNT, a->lost, .member = "lost", .title = "lost", .unit = "samples");
    REPORT_COLUMN(t, COUNT, a->buffers, .member = "buffers", .unit = "buffers");
    REPORT_COLUMN(t, COUNT, a->flushes, .member = "flushes", .unit = "flushes");
    REPORT_COLUMN(t, COUNT, a->entries, .member = "entries", .title = "entries", .unit = "entries");
    REPORT_COLUMN(t, REAL, each(a->samples, a->entries), .member = "aggregation", .title = "per entry", .decimals = 1);
    REPORT_COLUMN(t, REAL, each(handler, a->samples), .member = "handler_cycles", .title = "handler", .unit = "cycles");
    REPORT_COLUMN(t, REAL, each(a->hit_cycles, a->hits), .member = "hit_cycles", .title = "hit", .unit = "cycles");
    REPORT_COLUMN(t, REAL, each(a->miss_cycles, misses), .member = "miss_cycles", .title = "miss", .unit = "cycles");
    REPORT_COLUMN(t, REAL, each(a->daemon_cycles, a->samples), .member = "daemon_cycles", .title = "daemon",
                  .unit = "cycles");
    REPORT_COLUMN(t, SHARE, each(a->hart_cycles, cycles), .member = "share", .title = "time %", .decimals = 2,
                  .heat = true);
}

void collect_report(const struct collector *c, unsigned harts, uint64_t cycles, struct report *r)
{
    struct report *section = report_section(r, "collection");
    struct report_table *t = report_table(section, "harts",
                                          "Collection of the counters' samples; times in cycles per sample");
    report_whole(t);
    collect_columns(t, 0, &(struct collect_account){0}, cycles);
    for (unsigned n = 0; n < harts; n++) {
        struct collect_account a = collector_account(c, n);
        report_row(t);
        collect_columns(t, n, &a, cycles);
    }
}
