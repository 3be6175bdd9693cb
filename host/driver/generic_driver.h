/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the generic driver for drivers that accumulate slots in the same way and only report them differently.
 * They use the functions of generic_driver_ops except `profile` and `report`, with the same `self`, and the functions
 * below. */
#ifndef HOST_DRIVER_GENERIC_DRIVER_H
#define HOST_DRIVER_GENERIC_DRIVER_H

#include "host/driver/driver_ops.h"
#include "host/driver/generic_rows.h"

/* The accumulated rows of a layout of the program, valid as long as `self`. */
struct generic_rows *generic_driver_rows(void *self, unsigned layout);
/* The number of events that a count or a sample represents: instructions or cycles, depending on the sampler's
 * period. */
struct program_scale generic_driver_scale(const void *self);

#endif
