/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of the profilers of counts: estimates in total, by function and by instruction, beside the exact counts if
 * the run has them. */
#ifndef HOST_COUNT_REPORT_H
#define HOST_COUNT_REPORT_H

#include "host/symbols.h"
#include "isa/contract/countprof.h"
#include "isa/contract/report.h"

struct count_report {
    const struct count_result *result; /* of one profiler or more; the exact one, else the first, orders tables */
    const struct symbols *symbols;     /* NULL: functions are not known */
};

/* Adds the section "counts". */
void count_report(const struct count_report *c, struct report *r);

#endif
