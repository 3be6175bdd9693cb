/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory hierarchy of a core: L1 caches, L2, last-level cache, DRAM and TLBs, as configured. */
#ifndef CORE_MODEL_MEM_HIERARCHY_H
#define CORE_MODEL_MEM_HIERARCHY_H

#include "core-model/config/config.h"
#include "core-model/mem/cache.h"
#include "core-model/mem/directory.h"
#include "core-model/mem/tlb.h"

/* An access to a line of the L1 data cache, for a prefetcher. */
struct prefetch_access {
    uint64_t addr, pc; /* pc: of the instruction; 0: unknown */
    uint64_t now;
    uint32_t bytes;
    enum mem_level level;
    bool is_write;
    bool merged;     /* with an earlier miss or prefetch */
    bool prefetched; /* the first access to a prefetched line */
};

/* A prefetcher of the L1 data cache outside the model. It stores addresses in the lines to be prefetched, at most
 * PREFETCH_MOST of them, and returns their number. */
enum { PREFETCH_MOST = 16 };
struct prefetcher {
    unsigned (*access)(void *ctx, const struct prefetch_access *a, uint64_t *lines);
    void *ctx;
};

struct hierarchy {
    struct cache l1i, l1d, l2, llc;
    struct dram dram;
    struct placement placement;
    struct tlb_shared l2tlb;
    struct tlb itlb, dtlb;
    struct directory *directory; /* of all harts, borrowed; NULL: there is one hart */
    unsigned number;             /* of the hart */
    struct directory_stats coherence;
    bool transferred; /* the last hierarchy_look_up got a line that another hart had modified */
    uint64_t evicted; /* address of the line that the last hierarchy_look_up evicted from the L1 data cache; 0: none */
    uint64_t pc;      /* of the next data access; 0: unknown. Set by the core */
    const struct prefetcher *prefetcher; /* borrowed; NULL: none. See hierarchy_set_prefetcher */
    uint32_t line_mask;
    uint32_t inline_bytes; /* size of a line; 0: accesses are not handled inline, because a prefetcher observes them */
    bool has_llc, next_line, next_code_line;
};

void hierarchy_init(struct hierarchy *h, const struct core_config *cfg);
void hierarchy_fini(struct hierarchy *h);
/* Places the pages at random in physical memory: all levels below the L1 caches then have physical addresses. To be
 * called before the first access. */
void hierarchy_place_pages(struct hierarchy *h, uint64_t seed);

/* Sets the prefetcher (borrowed) in place of that of the next line; NULL: none. Functional warming calls neither. */
void hierarchy_set_prefetcher(struct hierarchy *h, const struct prefetcher *p);

/* Uses the last-level cache and the memory of `first` instead of its own; `d` is the directory there, which the first
 * hierarchy joins, too. To be called before the first access of a hierarchy other than `first`. */
void hierarchy_join(struct hierarchy *h, struct hierarchy *first, struct directory *d);

/* The general case of hierarchy_data. */
struct cache_result hierarchy_look_up(struct hierarchy *h, uint64_t addr, uint32_t size_bytes, uint64_t now,
                                      bool is_write);
/* A data access of size_bytes at addr, whose address is known at `now`; accesses both lines if it crosses a line
 * boundary. Does not access the TLB. L1 hits are handled inline. */
static inline struct cache_result hierarchy_data(struct hierarchy *h, uint64_t addr, uint32_t size_bytes, uint64_t now,
                                                 bool is_write)
{
    struct cache_result r;
    if ((addr & h->line_mask) + size_bytes <= h->inline_bytes && cache_hit(&h->l1d, addr, now, is_write, &r))
        return r;
    return hierarchy_look_up(h, addr, size_bytes, now, is_write);
}

/* The cycle until which the access should wait for another hart's request of the line; 0: it can be made. */
static inline uint64_t hierarchy_busy_until(const struct hierarchy *h, uint64_t addr, uint64_t now, bool is_write)
{
    return h->directory != NULL ? directory_busy_until(h->directory, h->number, &h->l1d, addr, is_write, now) : 0;
}

/* The cache and the memory that all harts share. */
static inline const struct cache *hierarchy_llc(const struct hierarchy *h) { return h->l2.below; }
static inline const struct dram *hierarchy_dram(const struct hierarchy *h) { return h->l2.dram; }

/* The general case of hierarchy_fetch. */
struct cache_result hierarchy_fetch_miss(struct hierarchy *h, uint64_t addr, uint64_t now);
/* Fetches the line at addr. Does not access the TLB. L1 hits are handled inline. */
static inline struct cache_result hierarchy_fetch(struct hierarchy *h, uint64_t addr, uint64_t now)
{
    struct cache_result r;
    return cache_hit(&h->l1i, addr, now, false, &r) ? r : hierarchy_fetch_miss(h, addr, now);
}

/* Resets the counters: they count from `now` on. */
void hierarchy_forget_counts(struct hierarchy *h, uint64_t now);

#endif
