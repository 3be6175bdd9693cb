/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of per-instruction cycle stacks (PICS): the event signatures that take most time, each instruction's time
 * by signature, and each profiler's error against the exact one, if that was among them. */
#ifndef HOST_PICS_REPORT_H
#define HOST_PICS_REPORT_H

#include "host/symbols.h"
#include "isa/contract/pics.h"
#include "isa/contract/report.h"

/* Adds the section "pics". The exact one of the result, or else the first, orders the tables; without symbols (NULL)
 * functions are not known. */
void pics_report(const struct pics_result *result, const struct symbols *symbols, struct report *r);

#endif
