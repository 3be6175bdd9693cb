/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of gains that are estimated from graphs of dependences. */
#ifndef HOST_FAMILY_GRAPH_REPORT_H
#define HOST_FAMILY_GRAPH_REPORT_H

#include "contract/graphprof.h"
#include "contract/report.h"
#include "host/symbols/symbols.h"

/* Adds the section "graphs". symbols NULL: functions are unknown. */
void graph_report(const struct graph_result *result, const struct symbols *symbols, struct report *r);

#endif
