/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Useful concurrency and wasted issue slots from the slots of paired samples (ProfileMe paper, section 5.2.3), with the
 * exact values. */
#ifndef HOST_DRIVER_PAIRED_PROFILE_H
#define HOST_DRIVER_PAIRED_PROFILE_H

#include "contract/programprof.h"
#include "host/driver/generic_rows.h"

/* The members of a slot: number of pairs with the instruction; number of pairs with useful overlap; sum of the cycles
 * in progress over the pairs. */
struct paired_members {
    unsigned samples, useful, latency;
};

/* The paper's S in instructions, before and after accounting for dropped samples; W in instructions; C in issue slots
 * per cycle. */
struct paired_scale {
    struct program_scale samples;
    double window;
    unsigned issue_width;
};

/* The members of the table, for each execution where the unit is a mean. */
enum paired_member { PAIRED_SAMPLES, PAIRED_FETCHED, PAIRED_CYCLES, PAIRED_CONCURRENCY, PAIRED_WASTED, PAIRED_MEMBERS };

/* Adds the table `instructions`, by descending wasted issue slots, and the sums over all. `exact` is the reference
 * `concurrency`; NULL: unknown. */
void paired_profile_fill(struct program_profile *p, struct generic_rows *rows, const struct paired_members *members,
                         const struct paired_scale *scale, const struct exact_source *exact);

#endif
