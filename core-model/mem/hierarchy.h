/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory system of a core: L1 caches, L2, last-level cache, DRAM and TLBs, put together as a configuration says. */
#ifndef CORE_MODEL_MEM_HIERARCHY_H
#define CORE_MODEL_MEM_HIERARCHY_H

#include "core-model/config.h"
#include "core-model/mem/cache.h"
#include "core-model/mem/tlb.h"

struct hierarchy {
    struct cache l1i, l1d, l2, llc;
    struct dram dram;
    struct tlb_shared l2tlb;
    struct tlb itlb, dtlb;
    uint64_t evicted; /* address of the line that the last hierarchy_look_up evicted from the L1 data cache; 0: none */
    uint32_t line_mask;
    bool has_llc, next_line, next_code_line;
};

void hierarchy_init(struct hierarchy *h, const struct core_config *cfg);
void hierarchy_fini(struct hierarchy *h);

/* The same as hierarchy_data, for any access. */
struct cache_result hierarchy_look_up(struct hierarchy *h, uint64_t addr, uint32_t size_bytes, uint64_t now,
                                      bool is_write);
/* A data access of size_bytes at addr, address known at `now`; both lines where it crosses one. The TLB is not asked. A
 * hit in the L1 cache is decided in line. */
static inline struct cache_result hierarchy_data(struct hierarchy *h, uint64_t addr, uint32_t size_bytes, uint64_t now,
                                                 bool is_write)
{
    struct cache_result r;
    if ((addr & h->line_mask) + size_bytes <= h->line_mask + 1u && cache_hit(&h->l1d, addr, now, is_write, &r))
        return r;
    return hierarchy_look_up(h, addr, size_bytes, now, is_write);
}

/* A fetch of the line at addr. The TLB is not asked. */
struct cache_result hierarchy_fetch(struct hierarchy *h, uint64_t addr, uint64_t now);

/* After functional warming: whatever is on its way has arrived, and all resources are free. */
void hierarchy_settle(struct hierarchy *h);
/* Counts from `now` on. */
void hierarchy_forget_counts(struct hierarchy *h, uint64_t now);

#endif
