/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The section of the event counters in a report: `counters`. */
#ifndef HOST_COUNTER_REPORT_H
#define HOST_COUNTER_REPORT_H

#include "host/symbols.h"
#include "isa/contract/counterprof.h"
#include "isa/contract/report.h"

/* Adds the section "counters"; without symbols (NULL) functions are not known. */
void counter_report(const struct counter_result *result, const struct symbols *symbols, struct report *r);

#endif
