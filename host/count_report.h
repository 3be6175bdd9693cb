/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of the count profilers: estimates in total, by function and by instruction, with the exact counts if the
 * run has them. */
#ifndef HOST_COUNT_REPORT_H
#define HOST_COUNT_REPORT_H

#include "host/symbols.h"
#include "isa/contract/countprof.h"
#include "isa/contract/report.h"

/* Adds the section "counts". The tables are sorted by the exact profile, or without one by the first profile. symbols
 * NULL: functions are unknown. */
void count_report(const struct count_result *result, const struct symbols *symbols, struct report *r);

#endif
