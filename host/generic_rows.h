/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slots of one layout, accumulated over interrupts: slots of equal identity are one row. The identity is the key
 * and those members whose format is part of it (isa/format.def); where a layout has none of these it is the number of
 * the slot. The other members are merged as their format says: counts add up, max and min keep the larger and the
 * smaller, `last` keeps what was read last. */
#ifndef HOST_GENERIC_ROWS_H
#define HOST_GENERIC_ROWS_H

#include <uthash.h>

#include "host/slots.h"

struct generic_identity {
    uint64_t slot, key, member[IMAGE_MEMBERS]; /* 0 where it is no part of the identity */
};

struct generic_row {
    struct generic_identity identity;
    uint64_t member[IMAGE_MEMBERS];
    uint64_t exact[IMAGE_MEMBERS]; /* of members that have exact counts, once they have been scored (generic_score.h);
                                      else 0 */
    UT_hash_handle hh;
};

struct generic_rows {
    const struct image_layout *layout; /* borrowed */
    bool by_slot;                      /* the number of the slot is its identity */
    struct generic_row *rows;          /* a uthash table */
};

void generic_rows_init(struct generic_rows *g, const struct image_layout *layout);
void generic_rows_fini(struct generic_rows *g);
void generic_rows_add(struct generic_rows *g, const struct slot_copy *s);
/* The row of that identity; NULL: there is none. */
struct generic_row *generic_rows_find(const struct generic_rows *g, const struct generic_identity *identity);
unsigned generic_rows_count(const struct generic_rows *g);
/* All rows by their largest count, falling (max and min members where there are no counts), then by identity. The array
 * is the caller's. */
const struct generic_row **generic_rows_sort(const struct generic_rows *g);

#endif
