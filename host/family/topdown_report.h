/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of top-down analysis: the tree of categories for the run, and functions and instructions by their lost
 * slots, those of all categories but `retiring`. */
#ifndef HOST_FAMILY_TOPDOWN_REPORT_H
#define HOST_FAMILY_TOPDOWN_REPORT_H

#include "contract/report.h"
#include "contract/topdown.h"
#include "host/symbols/symbols.h"

/* Adds the section "topdown". symbols NULL: functions are unknown. */
void topdown_report(const struct topdown_result *result, const struct symbols *symbols, struct report *r);

#endif
