/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The second pass of the value profile: the high halves of frequent values. The co-processor paper (section 5.3)
 * proposes it: "taking a second pass over invariant instructions to capture 64-bit values".
 *
 * The first pass identifies values by their low 32 bits, which different values can share. For each frequent value,
 * the host gives the program the load and the low half; the program profiles the high halves of results with this low
 * half, by the same algorithm. The share of a 64-bit value is then the share of its low half times the share of its
 * high half among these. */
#ifndef HOST_DRIVER_VALUE_VALUE_HIGH_H
#define HOST_DRIVER_VALUE_VALUE_HIGH_H

#include "host/driver/cost.h"
#include "host/driver/value/value_mask.h"
#include "host/driver/value/value_places.h"
#include "host/driver/value/value_profile.h"
#include "isa/image.h"

/* The queue of loads with frequent values, and the current visit: slot i profiles the high halves of value `low` of
 * load i. */
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

/* `room`: number of slots of the second pass. */
void value_high_init(struct value_high *h, const struct bus *bus, struct host_clock *clock, unsigned slots_row,
                     unsigned lows_row, unsigned room);
void value_high_fini(struct value_high *h);
/* Called when a load has been classified: appends it to the queue if it has a frequent value with an unknown high
 * half. */
void value_high_consider(struct value_high *h, struct value_load *l);
/* Selects the loads that have waited longest, as many as fit, with their most frequent values. */
void value_high_choose(struct value_high *h);
/* Fills the empty arrays, and masks all other loads. */
void value_high_fill(const struct value_high *h, struct value_mask_table *table);
/* Reads the results into the profile, and queues loads with further values again. Returns the number of slots with
 * samples. */
unsigned value_high_collect(struct value_high *h, const struct value_lanes *at);

#endif
