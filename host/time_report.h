/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of the profilers of time: where the cycles went, by category, function and instruction, and each profiler's error against
 * the exact one, if that was among them. */
#ifndef HOST_TIME_REPORT_H
#define HOST_TIME_REPORT_H

#include "host/report.h"
#include "isa/contract/timeprof.h"

struct time_report {
    const struct time_result *result; /* of one profiler or more; the exact one, or else the first, orders the tables */
    const struct symbols *symbols;    /* NULL: addresses are printed plain */
};

/* As a part of another report: `ctx` is a struct time_report. In JSON it is the member "time". */
void time_report_section(void *ctx, struct report *r);
/* As a report of its own. */
void time_report_write(const struct time_report *t, const struct report_options *o, FILE *out);

#endif
