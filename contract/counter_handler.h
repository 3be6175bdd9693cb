/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interrupt handler of event counters. The host provides it; a counter calls it. */
#ifndef CONTRACT_COUNTER_HANDLER_H
#define CONTRACT_COUNTER_HANDLER_H

#include <stdint.h>

#include "contract/countprof.h"

struct counter_handler {
    void *ctx;
    /* Handles the interrupt of a counter of `event` that the core takes in `cycle`, before the instruction at pc.
     * `counter` is the counter's number among those with this handler, from 0. Returns the number of cycles for which
     * the handler occupies the core. */
    uint64_t (*handle)(void *ctx, unsigned counter, enum count_kind event, uint64_t pc, uint64_t cycle);
    bool free; /* handlers take no time: the counter does not interrupt the core, and ignores the result */
};

/* The event of a driver's samples: unique among the events of all counters. */
static inline uint32_t counter_sample_event(unsigned counter, enum count_kind event)
{
    return counter * COUNT_KINDS + (uint32_t)event;
}

#endif
