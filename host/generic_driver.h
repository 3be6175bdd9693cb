/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What drivers use of the generic one that accumulate slots as it does and report them in another way: its functions
 * in generic_driver_ops, but `report`, with what it has created as `self`, and these. */
#ifndef HOST_GENERIC_DRIVER_H
#define HOST_GENERIC_DRIVER_H

#include "host/driver_ops.h"
#include "host/generic_score.h"

/* The accumulated rows of a layout of the program, valid while `self` is. */
struct generic_rows *generic_driver_rows(void *self, unsigned layout);
/* What counts and samples stand for: instructions or cycles, as the sampler's period counts them. */
struct generic_scale generic_driver_scale(const void *self);

#endif
