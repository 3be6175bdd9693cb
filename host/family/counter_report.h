/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report section `counters` of the event counters. */
#ifndef HOST_FAMILY_COUNTER_REPORT_H
#define HOST_FAMILY_COUNTER_REPORT_H

#include "contract/counterprof.h"
#include "contract/report.h"
#include "host/symbols/symbols.h"

/* Adds the section "counters". symbols NULL: functions are unknown. */
void counter_report(const struct counter_result *result, const struct symbols *symbols, struct report *r);

#endif
