/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layouts and members of a value-profiling program, found by name in its image, for the drivers that make value
 * profiles. */
#ifndef HOST_VALUE_PLACES_H
#define HOST_VALUE_PLACES_H

#include "isa/image.h"

/* Finds the layout `slots`, whose key is a pc. An error names the missing item. */
enum status value_find_slots(const struct image *im, const struct image_layout **slots, struct errmsg *err) MUST_USE;
/* Finds the lane of a member with at least `bits` bits. */
enum status value_find_lane(const struct image *im, const struct image_layout *l, const char *member, unsigned min_bits,
                            unsigned *lane, struct errmsg *err) MUST_USE;

#endif
