/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies the slots of a value-profiling program into the profile. */
#ifndef HOST_DRIVER_VALUE_VALUE_COPY_H
#define HOST_DRIVER_VALUE_VALUE_COPY_H

#include "host/driver/driver.h"
#include "host/driver/slots.h"
#include "host/driver/value/value_places.h"
#include "host/driver/value/value_profile.h"

/* Upper bound on the number of slots in use, for a program that takes them in the order of the index register `next`.
 * After that has wrapped, the last slot is almost always in use. */
unsigned value_slots_taken(const struct driver_env *env, const struct image_layout *slots, unsigned next);
/* Adds the first `taken` slots to the profile, as far as they have samples, including those turned off since; charges
 * the work. `copies` has room for all slots. Returns their number. */
unsigned value_copy_slots(const struct driver_env *env, const struct image_layout *slots, unsigned taken,
                          const struct value_lanes *lane, struct slot_copy *copies, struct value_profile *p);

#endif
