/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The section of the event counters in a report: `counters`. */
#ifndef HOST_COUNTER_REPORT_H
#define HOST_COUNTER_REPORT_H

#include "isa/contract/counterprof.h"
#include "isa/contract/report.h"

void counter_report(const struct counter_result *in, struct report *r);

#endif
