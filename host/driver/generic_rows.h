/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slots of one layout, accumulated over interrupts: slots with equal identity form one row. The identity is the
 * key and the members whose format is part of it (contract/slot_format.def); in a layout without these, it is the slot
 * number. The other members are merged according to their format: counts are added, max and min keep the maximum and
 * minimum, `last` keeps the value read last. */
#ifndef HOST_DRIVER_GENERIC_ROWS_H
#define HOST_DRIVER_GENERIC_ROWS_H

#include "base/hash.h"
#include "host/driver/slots.h"

struct generic_identity {
    uint64_t slot, key, member[IMAGE_MEMBERS]; /* 0 if not part of the identity */
};

struct generic_row {
    struct generic_identity identity;
    uint64_t member[IMAGE_MEMBERS];
    double scaled[IMAGE_MEMBERS]; /* counting members: the sum of the counts, each times the events per count */
    double square[IMAGE_MEMBERS]; /* the same with the square of the events per count */
    size_t at;                    /* place in the order of generic_rows_rank */
    UT_hash_handle hh;
};

struct generic_rows {
    const struct image_layout *layout; /* borrowed */
    bool by_slot;                      /* the slot number is the identity */
    unsigned tested;                   /* members, as bits, of which the program itself tests whether they are full */
    unsigned events, span;             /* members: the first counter, and that of format span; IMAGE_MEMBERS: none */
    unsigned window;                   /* samples of a window; 0: the program has none */
    bool is_corrected;                 /* estimates are corrected for the ends of windows */
    uint64_t saturated;                /* counts of other members that were the largest number of their lane */
    struct generic_row *rows;          /* a uthash table */
};

/* `layout` is one of the image's, which is kept by the caller. */
void generic_rows_init(struct generic_rows *g, const struct image *im, const struct image_layout *layout);
void generic_rows_fini(struct generic_rows *g);
/* Merges a slot in which one count represents `stands_for` >= 1 events. */
void generic_rows_add(struct generic_rows *g, const struct slot_copy *s, double stands_for);
/* Merges the rows of other slots of the layout. */
void generic_rows_merge(struct generic_rows *g, const struct generic_rows *other);
/* The row with that identity; NULL: there is none. */
struct generic_row *generic_rows_find(const struct generic_rows *g, const struct generic_identity *identity);
unsigned generic_rows_count(const struct generic_rows *g);
/* Events for each one counted: an event of two samples at distance d is inside a window of W samples with the
 * probability 1 - d / W. The events of a row are taken to have their mean distance, from the member of format span; in
 * a program without such a member they are of two neighbours, at distance 1. */
double generic_rows_correction(const struct generic_rows *g, const struct generic_row *r);
/* Ranks the rows in descending order of their largest estimate (of their largest max or min member if there are no
 * counts), then by identity. */
void generic_rows_rank(struct generic_rows *g);

#endif
