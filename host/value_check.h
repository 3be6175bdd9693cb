/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking again at masked loads that seemed to have one value (co-processor paper, section 5.1.4: "periodically
 * re-sample", and glacial values).
 *
 * A load that holds a value for thousands of instances looks invariant in any one stretch of time, and is masked by
 * what one stretch showed. So loads that looked so wait in a queue, and from time to time those that have waited
 * longest are let through the mask again for a short visit, alone. What it brings is a round of its own for each
 * (value_profile.h); then they wait again. Two rounds that found different values are how a glacial load is told from
 * an invariant one. */
#ifndef HOST_VALUE_CHECK_H
#define HOST_VALUE_CHECK_H

#include "host/value_mask.h"
#include "host/value_profile.h"

/* Loads in the order in which they are to be looked at; the list is the loads' own. */
struct value_check {
    struct value_load *first;
};

/* The load has been masked: if it seemed to have one value it goes to the end of the queue. */
void value_check_consider(struct value_check *c, struct value_load *l);
/* Moves up to `room` loads from the head of the queue to its end, and takes them out of `mask`. Those that are not
 * masked any more, or have been found to vary, leave the queue instead. Returns how many were moved. */
unsigned value_check_choose(struct value_check *c, struct value_mask *mask, unsigned room);

#endif
