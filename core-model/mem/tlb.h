/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translation lookaside buffers: small fully associative L1 TLBs, a shared direct-mapped L2 TLB and a page walker. They
 * model timing only, because a guest address is a host address minus a constant. A walk takes a fixed time, or reads
 * one entry per level of the page table through a cache. Simplifications: the walker handles one walk at a time and
 * starts at the root; the tables are outside the guest's address space. */
#ifndef CORE_MODEL_MEM_TLB_H
#define CORE_MODEL_MEM_TLB_H

#include <stdbool.h>
#include <stdint.h>

#include "core-model/checkpoint/stream.h"

enum { TLB_PAGE_BITS = 12, TLB_HASHES = 64 };

struct cache;

/* The L2 TLB and the page walker. */
struct tlb_shared {
    uint64_t *page; /* owned; direct-mapped */
    uint32_t mask, hit_cycles, walk_cycles;
    struct cache *walk_cache; /* borrowed; NULL: walks take walk_cycles */
    uint32_t walk_levels;
    uint64_t walker_free;
    uint64_t accesses, misses;
};

/* Source of a translation. */
enum tlb_miss {
    TLB_HIT,  /* L1 TLB */
    TLB_MISS, /* L2 TLB */
    TLB_WALK, /* page walk, new or in progress */
};

struct tlb_entry {
    uint64_t page;
    uint64_t ready; /* first cycle in which the translation is usable */
    uint64_t used;  /* LRU stamp */
    /* Of functional warming: bits of the page's 64 parts of which lines may be remembered, and the page's number. */
    uint64_t places, places_page;
    enum tlb_miss source; /* source of the translation */
    uint16_t chain;       /* next entry with the same hash */
};

/* An entry and its LRU stamp, which may be of an earlier use than the last. */
struct tlb_age {
    uint64_t used;
    uint32_t entry;
};

struct tlb {
    struct tlb_entry *entry;   /* owned; fully associative; one more, without a page, ends the chains */
    struct tlb_age *age;       /* owned; heap of all entries, in which none has an earlier stamp than its parent */
    struct tlb_shared *shared; /* borrowed */
    uint32_t entries;
    bool perfect;              /* every access hits */
    uint64_t clock;            /* LRU time */
    uint16_t hash[TLB_HASHES]; /* by low page-number bits: chain of entries */
    uint64_t accesses, misses;
};

void tlb_shared_init(struct tlb_shared *s, uint32_t entries, uint32_t hit_cycles, uint32_t walk_cycles);
/* Makes page walks access `cache` (borrowed). */
void tlb_shared_walk_through(struct tlb_shared *s, struct cache *cache, uint32_t levels);
void tlb_shared_fini(struct tlb_shared *s);
void tlb_init(struct tlb *t, uint32_t entries, struct tlb_shared *shared);
void tlb_fini(struct tlb *t);

/* The general case of tlb_access. */
uint64_t tlb_look_up(struct tlb *t, uint64_t addr, uint64_t now, enum tlb_miss *miss);
/* Makes the entry the most recently used one. */
static inline void tlb_use(struct tlb *t, struct tlb_entry *e) { e->used = ++t->clock; }
/* Returns the cycle in which the translation of addr, requested at `now`, is available: `now` on a hit. Sets *miss to
 * its source. Hits in the first entry of a chain are handled inline. */
static inline uint64_t tlb_access(struct tlb *t, uint64_t addr, uint64_t now, enum tlb_miss *miss)
{
    const uint64_t page = addr >> TLB_PAGE_BITS;
    struct tlb_entry *e = &t->entry[t->hash[page % TLB_HASHES]];
    if (e->page != page || e->ready > now)
        return tlb_look_up(t, addr, now, miss);
    t->accesses++;
    tlb_use(t, e);
    *miss = TLB_HIT;
    return now;
}

/* The general case of tlb_warm. */
struct tlb_entry *tlb_warm_look_up(struct tlb *t, uint64_t addr, bool *replaced);
/* An access without time and counts, for functional warming: a missing translation is there at once. Sets *replaced if
 * it takes the place of another one. Returns the entry; NULL: a perfect TLB has none. */
static inline struct tlb_entry *tlb_warm(struct tlb *t, uint64_t addr, bool *replaced)
{
    struct tlb_entry *e = &t->entry[t->hash[(addr >> TLB_PAGE_BITS) % TLB_HASHES]];
    if (e->page != addr >> TLB_PAGE_BITS)
        return tlb_warm_look_up(t, addr, replaced);
    *replaced = false;
    tlb_use(t, e);
    return e;
}

/* Moves the pages of a TLB that has only been warmed, in the order of their last use. They are read into an empty one.
 */
void tlb_move(struct tlb *t, struct checkpoint_stream *s);
void tlb_shared_move(struct tlb_shared *shared, struct checkpoint_stream *s);

#endif
