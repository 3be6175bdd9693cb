/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of per-instruction cycle stacks (PICS): the event signatures that take most time, each instruction's time
 * by signature, and each profiler's error against the exact one, if that was among them. */
#ifndef HOST_PICS_REPORT_H
#define HOST_PICS_REPORT_H

#include "host/symbols.h"
#include "isa/contract/pics.h"
#include "isa/contract/report.h"

struct pics_report {
    const struct pics_result *result; /* of one profiler or more; the exact one, or else the first, orders the tables */
    const struct symbols *symbols;    /* NULL: functions are not known */
};

/* Adds the section "pics". */
void pics_report(const struct pics_report *in, struct report *r);

#endif
