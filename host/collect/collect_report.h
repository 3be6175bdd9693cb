/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cost of the collection of samples (DCPI paper, Table 4). */
#ifndef HOST_COLLECT_COLLECT_REPORT_H
#define HOST_COLLECT_COLLECT_REPORT_H

#include "contract/report.h"
#include "host/collect/collector.h"

/* Adds the section `collection`: a row for each hart of a run of `cycles` cycles. */
void collect_report(const struct collector *c, unsigned harts, uint64_t cycles, struct report *r);

#endif
