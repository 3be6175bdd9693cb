/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The value profile's section of a report. */
#ifndef HOST_VALUE_REPORT_H
#define HOST_VALUE_REPORT_H

#include "host/driver.h"
#include "host/value_partition.h"
#include "host/value_profile.h"
#include "host/value_timeline.h"

/* What the driver has done, beside the profile itself. */
struct value_run {
    uint64_t full, thrash; /* interrupts of each kind */
    uint64_t timers;       /* and of the timer */
    uint64_t records;      /* slots copied into host memory */
    unsigned rounds, checks, high_visits;
    unsigned hash_changes; /* of PC filter 2 */
    uint64_t mask_writes;  /* words of PC filter 2 written */
    bool complete;         /* all partitions were finished, for the first time */
    uint64_t complete_cycle;
};

/* Adds to the profile what truth knows. `partitions` NULL: a simple sampler's, which does nothing but copy. */
void value_report(struct report *r, const struct driver_env *env, struct value_profile *p, const struct value_run *run,
                  const struct partitions *partitions, const struct value_timeline *timeline);

#endif
