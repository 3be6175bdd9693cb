/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The layouts and members of a value-profiling program, found by name in its image, for the drivers that make value
 * profiles. */
#ifndef HOST_DRIVER_VALUE_VALUE_PLACES_H
#define HOST_DRIVER_VALUE_VALUE_PLACES_H

#include "isa/image.h"

/* Finds the layout `slots`, whose key is a pc. An error names the missing item. */
enum status value_find_slots(const struct image *im, const struct image_layout **slots, struct errmsg *err) MUST_USE;
/* Finds the lane of a member with at least `bits` bits. */
enum status value_find_lane(const struct image *im, const struct image_layout *l, const char *member, unsigned min_bits,
                            unsigned *lane, struct errmsg *err) MUST_USE;

/* Lanes of the members that the programs' slots have in common. */
struct value_lanes {
    unsigned value, hit, miss, total;
};
/* Finds the layout `slots` and these members of it. */
enum status value_find_lanes(const struct image *im, const struct image_layout **slots, struct value_lanes *lane,
                             struct errmsg *err) MUST_USE;
/* Finds the number of an index register, and of a constant register, by name. */
enum status value_find_index(const struct image *im, const char *name, unsigned *index, struct errmsg *err) MUST_USE;
enum status value_find_const(const struct image *im, const char *name, unsigned *constant, struct errmsg *err) MUST_USE;

#endif
