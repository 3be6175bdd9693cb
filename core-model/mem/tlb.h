/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translation look-aside buffers: small fully associative L1 TLBs over one shared direct-mapped L2 TLB and a page
 * walker. They cost time only: guest addresses are host addresses after one addition. A walk takes a fixed time, or
 * reads one entry per level of the page table through a cache. Modelled simply: the walker takes one walk at a time and
 * starts at the root; the tables lie where no guest address is. */
#ifndef CORE_MODEL_MEM_TLB_H
#define CORE_MODEL_MEM_TLB_H

#include <stdbool.h>
#include <stdint.h>

enum { TLB_PAGE_BITS = 12, TLB_HINTS = 64 };

struct cache;

/* The L2 TLB and the walker behind it. */
struct tlb_shared {
    uint64_t *page; /* owned; direct-mapped */
    uint32_t mask, hit_cycles, walk_cycles;
    struct cache *walk_cache; /* borrowed; NULL: walks take walk_cycles */
    uint32_t walk_levels;
    uint64_t walker_free;
    uint64_t accesses, misses;
};

/* Where a translation is found. */
enum tlb_miss {
    TLB_HIT,  /* in the L1 TLB */
    TLB_MISS, /* in the L2 TLB */
    TLB_WALK, /* in neither: by a walk, or one that goes on already */
};

struct tlb_entry {
    uint64_t page;
    uint64_t ready;       /* translation usable from then on */
    enum tlb_miss source; /* where it came from */
    uint64_t used;        /* LRU stamp */
};

struct tlb {
    struct tlb_entry *entry;   /* owned; fully associative */
    struct tlb_shared *shared; /* borrowed */
    uint32_t entries;
    bool perfect; /* every access hits */
    uint64_t clock;
    uint16_t hint[TLB_HINTS]; /* by low page bits, where the page was last found: a short cut of the simulator only */
    uint64_t accesses, misses;
};

void tlb_shared_init(struct tlb_shared *s, uint32_t entries, uint32_t hit_cycles, uint32_t walk_cycles);
/* Walks go through `cache` (borrowed) from now on. */
void tlb_shared_walk_through(struct tlb_shared *s, struct cache *cache, uint32_t levels);
void tlb_shared_fini(struct tlb_shared *s);
void tlb_init(struct tlb *t, uint32_t entries, struct tlb_shared *shared);
void tlb_fini(struct tlb *t);

/* The same as tlb_access, for any access. */
uint64_t tlb_look_up(struct tlb *t, uint64_t addr, uint64_t now, enum tlb_miss *miss);
/* The cycle in which the translation for addr, wanted at `now`, is there: `now` itself on a hit. *miss (borrowed) says
 * where it is found. A hit where the page was last found is decided in line. */
static inline uint64_t tlb_access(struct tlb *t, uint64_t addr, uint64_t now, enum tlb_miss *miss)
{
    uint64_t page = addr >> TLB_PAGE_BITS;
    struct tlb_entry *e = &t->entry[t->hint[page % TLB_HINTS]];
    if (e->page != page || e->ready > now)
        return tlb_look_up(t, addr, now, miss);
    t->accesses++;
    e->used = ++t->clock;
    *miss = TLB_HIT;
    return now;
}

/* All translations on their way have arrived, and the walker is free. */
void tlb_settle(struct tlb *t);

#endif
