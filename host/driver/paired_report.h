/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Useful concurrency and wasted issue slots from the slots of paired samples (ProfileMe paper, section 5.2.3),
 * compared with the exact values. */
#ifndef HOST_DRIVER_PAIRED_REPORT_H
#define HOST_DRIVER_PAIRED_REPORT_H

#include "contract/report.h"
#include "host/driver/generic_rows.h"

/* The members of a slot: number of pairs with the instruction; number of pairs with useful overlap; sum of the cycles
 * in progress over the pairs. */
struct paired_members {
    unsigned samples, useful, latency;
};

/* The paper's S in instructions, before and after accounting for dropped samples; W in instructions; C in issue slots
 * per cycle. */
struct paired_scale {
    double period, thinned, window;
    unsigned issue_width;
};

/* Adds the section `paired`. `exact` is the reference `concurrency`; NULL: unknown. */
void paired_report(struct report *r, struct generic_rows *rows, const struct paired_members *members,
                   const struct paired_scale *scale, const struct exact_source *exact);

#endif
