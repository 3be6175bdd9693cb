/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probe events of accesses, by where they found their data and its translation. Both cores and fetch have these. */
#ifndef CORE_MODEL_FRONT_MISS_EVENTS_H
#define CORE_MODEL_FRONT_MISS_EVENTS_H

#include "core-model/mem/hierarchy.h"
#include "core-model/probe.h"

/* The events of an access that found its data at that level. Without a last-level cache, what comes from memory has
 * missed no such thing. */
static inline uint32_t data_miss_events(const struct hierarchy *mem, uint8_t level)
{
    return (level >= MEM_LEVEL_L2 ? PROBE_DCACHE_MISS : 0) | (level >= MEM_LEVEL_LLC ? PROBE_L2_MISS : 0) |
           (level >= MEM_LEVEL_DRAM && mem->has_llc ? PROBE_LLC_MISS : 0);
}

/* The events of a data access whose translation is not in the L1 TLB. */
static inline uint32_t dtlb_miss_events(enum tlb_miss miss)
{
    return PROBE_DTLB_MISS | (miss == TLB_WALK ? PROBE_DTLB_WALK : 0);
}

/* The same of a fetch. */
static inline uint32_t itlb_miss_events(enum tlb_miss miss)
{
    return PROBE_ITLB_MISS | (miss == TLB_WALK ? PROBE_ITLB_WALK : 0);
}

#endif
