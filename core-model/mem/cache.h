/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A set-associative, write-back, write-allocate cache with true LRU and a limited number of outstanding misses (MSHRs).
 * An access returns at once the cycle in which its data will be there; nothing is stepped.
 *
 * Modelled simply: a missing line gets its place at the call and carries the cycle of its fill, which is how later
 * accesses merge with the outstanding miss; its victim leaves at the call. A miss that waits for an MSHR books the
 * MSHR, and what is below, for the cycles in which it uses them; a later call for an earlier cycle may use what is
 * idle before (servers.h). The contents change in the order of the calls: a line that is booked arrives as booked,
 * also for a request of an earlier cycle. Non-inclusive: a victim above does not look below. */
#ifndef CORE_MODEL_MEM_CACHE_H
#define CORE_MODEL_MEM_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "core-model/mem/dram.h"
#include "core-model/mem/servers.h"

/* Which level delivered the data. */
enum mem_level { MEM_LEVEL_L1, MEM_LEVEL_L2, MEM_LEVEL_LLC, MEM_LEVEL_DRAM };

struct cache_line {
    uint64_t tag;        /* line number, or CACHE_NO_LINE */
    uint64_t fill_cycle; /* data present from then on */
    uint32_t used;       /* LRU stamp */
    uint8_t source;      /* enum mem_level that the fill came from */
    bool dirty;
    bool prefetched; /* and not asked for since */
};
#define CACHE_NO_LINE UINT64_MAX
enum { CACHE_IDLE_TIMES = 128 }; /* of the MSHRs, that are remembered */

struct cache_stats {
    uint64_t accesses, misses;            /* demand accesses; misses include the merged ones */
    uint64_t merged;                      /* misses that found their line already on its way */
    uint64_t mshr_waits;                  /* misses that waited for an MSHR */
    uint64_t prefetches, prefetches_used; /* used: asked for before the line left */
    uint64_t writebacks;
};

struct cache {
    struct cache_line *line; /* owned; [sets][ways] */
    struct servers mshr;
    uint64_t mshr_cycles; /* booked, summed over all MSHRs */
    struct cache *below;  /* borrowed; NULL: memory is next */
    struct dram *dram;    /* borrowed */
    uint32_t ways, set_mask, line_bits;
    uint32_t hit_cycles;
    uint32_t clock;  /* LRU time */
    uint64_t victim; /* number of the line that the last fill evicted, or CACHE_NO_LINE */
    uint8_t level;   /* enum mem_level of a hit here */
    bool perfect;    /* every access hits */
    struct cache_stats stats;
};

struct cache_result {
    uint64_t done; /* cycle in which the data is there */
    uint8_t level; /* enum mem_level it came from */
    bool merged;
};

struct cache_geometry {
    uint32_t size_bytes, ways, line_bytes, mshrs, hit_cycles;
    uint8_t level;
};

void cache_init(struct cache *c, const struct cache_geometry *g, struct cache *below, struct dram *dram);
void cache_fini(struct cache *c);

/* A demand access that reaches the cache at `now`. */
struct cache_result cache_access(struct cache *c, uint64_t addr, uint64_t now, bool is_write);
/* The ways of the set that a line belongs to. */
static inline struct cache_line *cache_set(const struct cache *c, uint64_t number)
{
    return &c->line[(number & c->set_mask) * c->ways];
}
/* The same as cache_access for a hit on a line that was asked for before, decided in line: *r is then its result.
 * False, and no change, otherwise. */
static inline bool cache_hit(struct cache *c, uint64_t addr, uint64_t now, bool is_write, struct cache_result *r)
{
    uint64_t number = addr >> c->line_bits;
    struct cache_line *l = cache_set(c, number), *end = l + c->ways;
    while (l->tag != number)
        if (++l == end)
            return false;
    if (l->prefetched || l->fill_cycle > now)
        return false;
    l->used = ++c->clock;
    l->dirty |= is_write;
    c->stats.accesses++;
    *r = (struct cache_result){.done = now + c->hit_cycles, .level = c->level};
    return true;
}
/* The cycles of all MSHRs, before `now`, in which they were busy. */
uint64_t cache_mshr_cycles(const struct cache *c, uint64_t now);
/* Counts from `now` on. */
void cache_forget_counts(struct cache *c, uint64_t now);
/* Brings the line in where it is absent and an MSHR is free for it. */
void cache_prefetch(struct cache *c, uint64_t addr, uint64_t now);
/* Is the line present (or on its way)? Changes nothing. */
bool cache_holds(const struct cache *c, uint64_t addr);
/* All lines on their way have arrived and all MSHRs are free. */
void cache_settle(struct cache *c);
/* No line twice in a set; MSHR and stamp sanity. Ends with BUG() otherwise. */
void cache_check(const struct cache *c);

#endif
