/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of the count profilers: estimates in total, by function and by instruction, with the exact counts if the
 * run has them. */
#ifndef HOST_FAMILY_COUNT_REPORT_H
#define HOST_FAMILY_COUNT_REPORT_H

#include "contract/countprof.h"
#include "contract/report.h"
#include "host/symbols/symbols.h"

/* Adds the section "counts". The tables are sorted by the exact profile, or without one by the first profile. symbols
 * NULL: functions are unknown. */
void count_report(const struct count_result *result, const struct symbols *symbols, struct report *r);

#endif
