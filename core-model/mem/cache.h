/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A set-associative, write-back, write-allocate cache with true LRU and a limited number of outstanding misses (MSHRs).
 * An access immediately returns the cycle in which its data are available; caches are not simulated cycle by cycle.
 *
 * Simplifications: a missing line is allocated at the call and stores its fill cycle, by which later accesses merge
 * with the outstanding miss; its victim is evicted at the call. A miss that waits for an MSHR books the MSHR and the
 * lower levels for the cycles in which it uses them; a later call for an earlier cycle may use idle intervals before
 * (servers.h). The contents change in call order: a booked line arrives as booked, also for a request of an earlier
 * cycle. Non-inclusive: an eviction does not affect other levels. */
#ifndef CORE_MODEL_MEM_CACHE_H
#define CORE_MODEL_MEM_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core-model/checkpoint/stream.h"
#include "core-model/mem/dram.h"
#include "core-model/mem/placement.h"
#include "core-model/mem/servers.h"

/* The level that delivered the data. */
enum mem_level { MEM_LEVEL_L1, MEM_LEVEL_L2, MEM_LEVEL_LLC, MEM_LEVEL_DRAM };

struct cache_line {
    uint64_t tag;        /* line number, or CACHE_NO_LINE */
    uint64_t fill_cycle; /* first cycle with the data present */
    uint64_t used;       /* LRU stamp */
    uint8_t source;      /* enum mem_level of the fill */
    bool dirty;
    bool prefetched; /* by the prefetcher, without a demand access since */
    bool shared;     /* other harts may have it, so a write needs the directory; only with several harts */
};
#define CACHE_NO_LINE UINT64_MAX
enum { CACHE_IDLE_TIMES = 128 }; /* maximum number of idle intervals of MSHRs kept */

struct cache_stats {
    uint64_t accesses, misses;            /* demand accesses; misses include merged misses */
    uint64_t merged;                      /* misses on a line with an outstanding fill */
    uint64_t mshr_waits;                  /* misses that waited for an MSHR */
    uint64_t prefetches, prefetches_used; /* used: with a demand access before eviction */
    uint64_t writebacks;
};

struct cache {
    struct cache_line *line;    /* owned; [sets][ways] */
    struct cache_line **recent; /* owned; by set: the line of the last hit of cache_look_up; speeds up the simulator,
                                 * without effect on timing */
    /* Owned. By set and way, in rows of words: a hash of the number of the line that was filled last. A search compares
     * eight ways at once, and reads only lines whose hash is that of the number. */
    uint64_t *hashes;
    struct servers mshr;
    uint64_t mshr_cycles;              /* booked cycles, summed over all MSHRs */
    struct cache *below;               /* borrowed; NULL: the next level is memory */
    struct dram *dram;                 /* borrowed */
    const struct placement *placement; /* borrowed; NULL: the levels below have the addresses of this one */
    uint32_t ways, set_mask, line_bits;
    uint32_t hit_cycles;
    uint64_t clock;  /* LRU time */
    uint64_t victim; /* line number of the last eviction, or CACHE_NO_LINE */
    uint8_t level;   /* enum mem_level of a hit here */
    bool perfect;    /* every access hits */
    struct cache_stats stats;
    /* Called before the line with this index, of this number, is evicted; returns whether an upper level has changed
     * it. NULL: not called. */
    bool (*evicted)(void *ctx, size_t index, uint64_t number);
    void *evicted_ctx;
};

struct cache_result {
    uint64_t done; /* cycle in which the data are available */
    /* No bytes between them, so that they are returned in a register: */
    enum mem_level level; /* of the data */
    uint32_t merged;      /* 1: with an earlier miss; 0 */
};

struct cache_geometry {
    uint32_t size_bytes, ways, line_bytes, mshrs, hit_cycles;
    uint8_t level;
};

void cache_init(struct cache *c, const struct cache_geometry *g, struct cache *below, struct dram *dram);
void cache_fini(struct cache *c);

/* A demand access that reaches the cache at `now`. */
struct cache_result cache_access(struct cache *c, uint64_t addr, uint64_t now, bool is_write);
/* The ways of a line's set. */
static inline struct cache_line *cache_set(const struct cache *c, uint64_t number)
{
    return &c->line[(number & c->set_mask) * c->ways];
}
/* The line, or NULL. */
struct cache_line *cache_find(const struct cache *c, uint64_t number);
/* Inline fast path of cache_find. */
static inline struct cache_line *cache_look_up(struct cache *c, uint64_t number)
{
    struct cache_line **recent = &c->recent[number & c->set_mask];
    if ((*recent)->tag == number)
        return *recent;
    struct cache_line *l = cache_find(c, number);
    if (l != NULL)
        *recent = l;
    return l;
}
/* Makes the line the most recently used one of its set. */
static inline void cache_use(struct cache *c, struct cache_line *l, bool is_write)
{
    l->used = ++c->clock;
    l->dirty |= is_write;
}
/* Inline fast path of cache_access for a hit on a line with an earlier demand access: sets *r to the result. Otherwise
 * returns false and changes nothing. */
static inline bool cache_hit(struct cache *c, uint64_t addr, uint64_t now, bool is_write, struct cache_result *r)
{
    struct cache_line *l = cache_look_up(c, addr >> c->line_bits);
    if (l == NULL || l->prefetched || l->fill_cycle > now || (is_write && l->shared))
        return false;
    cache_use(c, l, is_write);
    c->stats.accesses++;
    *r = (struct cache_result){.done = now + c->hit_cycles, .level = c->level};
    return true;
}

/* Functional warming: accesses without time and counts. A missing line is there at once, so nothing waits and nothing
 * merges. A demand access; returns the level that had the line. */
enum mem_level cache_warm(struct cache *c, uint64_t addr, bool is_write);
/* Prefetches the line if it is absent. */
void cache_warm_prefetch(struct cache *c, uint64_t addr);

/* Moves the lines of a cache that has only been warmed, which are read into an empty one: numbers, order of use, what
 * is modified, and what is prefetched. */
void cache_move(struct cache *c, struct checkpoint_stream *s);

/* Busy cycles before `now`, summed over all MSHRs. */
uint64_t cache_mshr_cycles(const struct cache *c, uint64_t now);
/* Resets the counters: they count from `now` on. */
void cache_forget_counts(struct cache *c, uint64_t now);
/* Prefetches the line if it is absent and an MSHR is free. */
void cache_prefetch(struct cache *c, uint64_t addr, uint64_t now);
/* Returns whether the line is present or its fill outstanding. Has no side effects. */
bool cache_holds(const struct cache *c, uint64_t addr);

#endif
