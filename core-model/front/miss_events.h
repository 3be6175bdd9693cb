/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probe events of cache and TLB misses, by the source of data and translation. Shared by both cores and fetch. */
#ifndef CORE_MODEL_FRONT_MISS_EVENTS_H
#define CORE_MODEL_FRONT_MISS_EVENTS_H

#include "core-model/mem/hierarchy.h"
#include "core-model/probe/probe.h"

/* Events of the last access to `mem`, whose data came from this level. Without a last-level cache, an access to memory
 * has no last-level miss. */
static inline uint32_t data_miss_events(const struct hierarchy *mem, enum mem_level level)
{
    return (level >= MEM_LEVEL_L2 ? PROBE_DCACHE_MISS : 0) | (level >= MEM_LEVEL_LLC ? PROBE_L2_MISS : 0) |
           (level >= MEM_LEVEL_DRAM && mem->has_llc ? PROBE_LLC_MISS : 0) |
           (level >= MEM_LEVEL_L2 && mem->transferred ? PROBE_HITM : 0);
}

/* Events of a data access that misses the L1 TLB. */
static inline uint32_t dtlb_miss_events(enum tlb_miss miss)
{
    return PROBE_DTLB_MISS | (miss == TLB_WALK ? PROBE_DTLB_WALK : 0);
}

/* Events of a fetch that misses the L1 TLB. */
static inline uint32_t itlb_miss_events(enum tlb_miss miss)
{
    return PROBE_ITLB_MISS | (miss == TLB_WALK ? PROBE_ITLB_WALK : 0);
}

#endif
