/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Re-validation of masked loads that showed one value (co-processor paper, section 5.1.4: "periodically re-sample",
 * and glacial values).
 *
 * A load that keeps a value for thousands of instances appears invariant in any short interval, and is masked on that
 * evidence. Such loads are queued for a check: from time to time, those that have waited longest are unmasked alone
 * for a short visit. Its samples form a separate round for each load (value_profile.h); then the loads are queued
 * again. Two rounds with different values distinguish a glacial load from an invariant one. */
#ifndef HOST_DRIVER_VALUE_VALUE_CHECK_H
#define HOST_DRIVER_VALUE_VALUE_CHECK_H

#include "host/driver/value/value_mask.h"
#include "host/driver/value/value_profile.h"

/* Queue of the loads to check, linked through the loads. */
struct value_check {
    struct value_load *first;
};

/* Called when a load has been masked: appends it to the queue if it showed one value. */
void value_check_consider(struct value_check *c, struct value_load *l);
/* Moves up to `room` loads from the head of the queue to its end and removes them from `mask`. Loads that are no
 * longer masked, or have been found to vary, leave the queue instead. Returns the number of loads moved. */
unsigned value_check_choose(struct value_check *c, struct value_mask *mask, unsigned room);

#endif
