/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The second pass of the value profile: what the high halves of frequent values are. The co-processor paper (section
 * 5.3) sketches it: "taking a second pass over invariant instructions to capture 64-bit values".
 *
 * The first pass knows values by their low 32 bits, and cannot know whether all that it takes for one value are one. So
 * its frequent values are asked about: for each the program is given the load and the low half, and profiles the high
 * halves of the results that have this low half, by the same algorithm. The share of a whole value is then that of its
 * low half times that of its high half among those. */
#ifndef HOST_VALUE_HIGH_H
#define HOST_VALUE_HIGH_H

#include "host/cost.h"
#include "host/value_mask.h"
#include "host/value_profile.h"
#include "isa/image.h"

/* Lanes and rows of the program's slots. */
struct value_lanes {
    unsigned value, hit, miss, total;
};

/* A queue of loads that have something to ask, and the visit: slot i asks about value `low` of load i. */
struct value_high {
    const struct bus *bus;
    struct host_clock *clock;
    unsigned slots_row, lows_row; /* first rows of both sub-arrays */
    struct value_load **queue;
    unsigned queued, queue_room;
    unsigned room, count;
    struct value_load **load;
    uint32_t *low;
};

/* `room`: slots of the second pass. */
void value_high_init(struct value_high *h, const struct bus *bus, struct host_clock *clock, unsigned slots_row,
                     unsigned lows_row, unsigned room);
void value_high_fini(struct value_high *h);
/* The load has been judged: if it has a frequent value of which the high half is not known, it goes to the end of the
 * queue. */
void value_high_consider(struct value_high *h, struct value_load *l);
/* Takes the loads that have waited longest, as many as fit, with their most frequent values. */
void value_high_choose(struct value_high *h);
/* Fills the arrays, which are empty, and lets nothing but these loads through the mask. */
void value_high_fill(const struct value_high *h, struct value_mask_table *table);
/* Reads the answers into the profile; loads with further values wait again. Returns the number of slots with an
 * answer. */
unsigned value_high_collect(struct value_high *h, const struct value_lanes *at);

#endif
