/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of the time line: intervals of the run, and the functions with the most time in each. */
#ifndef HOST_FAMILY_PHASE_REPORT_H
#define HOST_FAMILY_PHASE_REPORT_H

#include "contract/phaseprof.h"
#include "contract/report.h"
#include "host/symbols/symbols.h"

/* Adds the section "phases". symbols NULL: functions are unknown. */
void phase_report(const struct phase_result *result, const struct symbols *symbols, struct report *r);

#endif
