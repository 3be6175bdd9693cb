/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The value profile's section of a report. */
#ifndef HOST_DRIVER_VALUE_VALUE_REPORT_H
#define HOST_DRIVER_VALUE_VALUE_REPORT_H

#include "host/driver/driver.h"
#include "host/driver/value/value_partition.h"
#include "host/driver/value/value_profile.h"
#include "host/driver/value/value_timeline.h"

/* The driver's activity. */
struct value_run {
    uint64_t full, thrash; /* interrupts of each kind */
    uint64_t timers;       /* timer interrupts */
    uint64_t records;      /* slots copied into host memory */
    unsigned rounds, checks, high_visits;
    unsigned hash_changes; /* changes of the hash function of PC filter 2 */
    uint64_t mask_writes;  /* words written to PC filter 2 */
    bool complete;         /* all partitions have been finished at least once */
    uint64_t complete_cycle;
};

/* Adds the section, and the exact counts to the profile `p`, of which `profile` has the loads. `partitions` NULL: the
 * program makes none. */
void value_report(struct report *r, const struct program_profile *profile, const struct driver_env *env,
                  struct value_profile *p, const struct value_run *run, const struct partitions *partitions,
                  const struct value_timeline *timeline);

#endif
