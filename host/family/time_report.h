/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of the time profilers: cycles by category, function and instruction, and each profiler's error relative
 * to the exact profile, if the run has one. */
#ifndef HOST_FAMILY_TIME_REPORT_H
#define HOST_FAMILY_TIME_REPORT_H

#include "contract/report.h"
#include "contract/timeprof.h"
#include "host/symbols/symbols.h"

/* Adds the section "time". The tables are sorted by the exact profile, or without one by the first profile. symbols
 * NULL: functions are unknown. */
void time_report(const struct time_result *result, const struct symbols *symbols, struct report *r);

#endif
