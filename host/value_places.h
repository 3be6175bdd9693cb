/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a program that profiles values keeps what, found by name in its image: for the drivers that make a value
 * profile of it. */
#ifndef HOST_VALUE_PLACES_H
#define HOST_VALUE_PLACES_H

#include "isa/image.h"

/* The layout `slots`, whose key is a pc. An error names what is missing. */
enum status value_find_slots(const struct image *im, const struct image_layout **slots, struct errmsg *err) MUST_USE;
/* The lane of one of its members, which has so many bits at least. */
enum status value_find_lane(const struct image *im, const struct image_layout *l, const char *member, unsigned min_bits,
                            unsigned *lane, struct errmsg *err) MUST_USE;

#endif
