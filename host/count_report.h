/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of the profilers of counts: estimates in total, by function and by instruction, beside the exact counts if
 * the run has them. */
#ifndef HOST_COUNT_REPORT_H
#define HOST_COUNT_REPORT_H

#include "host/symbols.h"
#include "isa/contract/countprof.h"
#include "isa/contract/report.h"

/* Adds the section "counts". The exact one of the result, or else the first, orders the tables; without symbols (NULL)
 * functions are not known. */
void count_report(const struct count_result *result, const struct symbols *symbols, struct report *r);

#endif
