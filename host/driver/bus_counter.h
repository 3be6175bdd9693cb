/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bus wrapper that counts accesses and charges them to the handler's clock: the host-side cost of a profile
 * (co-processor paper, section 3.5). */
#ifndef HOST_DRIVER_BUS_COUNTER_H
#define HOST_DRIVER_BUS_COUNTER_H

#include "host/driver/cost.h"
#include "isa/bus.h"

struct bus_counter {
    struct bus bus;           /* the counting bus; points to this structure, which must not be moved */
    const struct bus *target; /* borrowed */
    struct host_clock *clock; /* borrowed */
    uint64_t reads, writes;
};

void bus_counter_init(struct bus_counter *c, const struct bus *target, struct host_clock *clock);

#endif
