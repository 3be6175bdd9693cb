/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of per-instruction cycle stacks (PICS): the event signatures with most time, each instruction's time by
 * signature, and each profiler's error relative to the exact profile, if the run has one. */
#ifndef HOST_FAMILY_PICS_REPORT_H
#define HOST_FAMILY_PICS_REPORT_H

#include "contract/pics.h"
#include "contract/report.h"
#include "host/symbols/symbols.h"

/* Adds the section "pics". The tables are sorted by the exact profile, or without one by the first profile. symbols
 * NULL: functions are unknown. */
void pics_report(const struct pics_result *result, const struct symbols *symbols, struct report *r);

#endif
