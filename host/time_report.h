/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of the profilers of time: where the cycles went, by category, function and instruction, and each
 * profiler's error against the exact one, if that was among them. */
#ifndef HOST_TIME_REPORT_H
#define HOST_TIME_REPORT_H

#include "host/symbols.h"
#include "isa/contract/report.h"
#include "isa/contract/timeprof.h"

/* Adds the section "time". The exact one of the result, or else the first, orders the tables; without symbols (NULL)
 * functions are not known. */
void time_report(const struct time_result *result, const struct symbols *symbols, struct report *r);

#endif
