/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interrupt handler of event counters. The host provides it; a counter calls it. */
#ifndef ISA_CONTRACT_COUNTER_HANDLER_H
#define ISA_CONTRACT_COUNTER_HANDLER_H

#include <stdint.h>

#include "isa/contract/countprof.h"

struct counter_handler {
    void *ctx;
    /* Handles the interrupt of a counter of `event` that the core takes in `cycle`, before the instruction at pc.
     * Returns the number of cycles for which the handler occupies the core. */
    uint64_t (*handle)(void *ctx, enum count_kind event, uint64_t pc, uint64_t cycle);
    bool free; /* handlers take no time: the counter does not interrupt the core, and ignores the result */
};

#endif
