/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of the profilers of time: where the cycles went, by category, function and instruction, and each profiler's error against
 * the exact one, if that was among them. */
#ifndef HOST_TIME_REPORT_H
#define HOST_TIME_REPORT_H

#include "host/symbols.h"
#include "isa/contract/report.h"
#include "isa/contract/timeprof.h"

struct time_report {
    const struct time_result *result; /* of one profiler or more; the exact one, or else the first, orders the tables */
    const struct symbols *symbols;    /* NULL: functions are not known */
};

/* Adds the section "time". */
void time_report(const struct time_report *t, struct report *r);

#endif
