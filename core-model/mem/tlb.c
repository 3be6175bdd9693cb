/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TLBs that return the cycle of the translation; tlb.h describes the model. Entry point: tlb_access. */
#include "core-model/mem/tlb.h"

#include <stdlib.h>

#include "core-model/mem/cache.h"
#include "isa/support/status.h"

static const uint64_t no_page = UINT64_MAX;

void tlb_shared_init(struct tlb_shared *s, uint32_t entries, uint32_t hit_cycles, uint32_t walk_cycles)
{
    *s = (struct tlb_shared){.mask = entries - 1, .hit_cycles = hit_cycles, .walk_cycles = walk_cycles};
    s->page = xcalloc(entries, sizeof *s->page);
    for (uint32_t i = 0; i < entries; i++)
        s->page[i] = no_page;
}

void tlb_shared_walk_through(struct tlb_shared *s, struct cache *cache, uint32_t levels)
{
    s->walk_cache = cache;
    s->walk_levels = levels;
}

void tlb_shared_fini(struct tlb_shared *s) { free(s->page); }

void tlb_init(struct tlb *t, uint32_t entries, struct tlb_shared *shared)
{
    *t = (struct tlb){.shared = shared, .entries = entries};
    t->entry = xcalloc(entries, sizeof *t->entry);
    for (uint32_t i = 0; i < entries; i++)
        t->entry[i].page = no_page;
}

void tlb_fini(struct tlb *t) { free(t->entry); }

/* Page walk: reads one entry per level from the root on. A table has 512 entries of 8 bytes; the tables of a level are
 * contiguous. */
static uint64_t tlb_walk(struct tlb_shared *s, uint64_t page, uint64_t now)
{
    enum { INDEX_BITS = 9, ENTRY_BYTES = 8, LEVEL_SHIFT = 40 };
    if (s->walk_cache == NULL)
        return now + s->walk_cycles;
    for (uint32_t level = s->walk_levels; level-- > 0;) {
        uint64_t entry = ((uint64_t)(level + 1) << LEVEL_SHIFT) + (page >> level * INDEX_BITS) * ENTRY_BYTES;
        now = cache_access(s->walk_cache, entry, now, false).done;
    }
    return now;
}

/* Creates the entry of a page requested at `now`. */
static struct tlb_entry tlb_refill(struct tlb_shared *s, uint64_t page, uint64_t now)
{
    uint64_t *slot = &s->page[page & s->mask], done = now + s->hit_cycles;
    s->accesses++;
    if (*slot == page)
        return (struct tlb_entry){.page = page, .ready = done, .source = TLB_MISS};
    s->misses++;
    *slot = page;
    if (done < s->walker_free)
        done = s->walker_free;
    s->walker_free = tlb_walk(s, page, done);
    return (struct tlb_entry){.page = page, .ready = s->walker_free, .source = TLB_WALK};
}

static struct tlb_entry *tlb_find(struct tlb *t, uint64_t page)
{
    for (uint32_t i = 0; i < t->entries; i++)
        if (t->entry[i].page == page)
            return &t->entry[i];
    return NULL;
}

static struct tlb_entry *tlb_victim(struct tlb *t)
{
    struct tlb_entry *victim = t->entry;
    for (uint32_t i = 0; i < t->entries; i++)
        if (t->entry[i].used < victim->used)
            victim = &t->entry[i];
    return victim;
}

uint64_t tlb_look_up(struct tlb *t, uint64_t addr, uint64_t now, enum tlb_miss *miss)
{
    uint64_t page = addr >> TLB_PAGE_BITS;
    uint16_t *hint = &t->hint[page % TLB_HINTS];
    struct tlb_entry *e = &t->entry[*hint];
    t->accesses++;
    *miss = TLB_HIT;
    if (e->page != page) {
        e = tlb_find(t, page);
        if (e == NULL && t->perfect)
            return now;
        if (e == NULL) {
            e = tlb_victim(t);
            *e = tlb_refill(t->shared, page, now);
        }
        *hint = (uint16_t)(e - t->entry);
    }
    e->used = ++t->clock;
    if (e->ready <= now)
        return now;
    t->misses++;
    *miss = e->source;
    return e->ready;
}

void tlb_settle(struct tlb *t)
{
    for (uint32_t i = 0; i < t->entries; i++)
        t->entry[i].ready = 0;
    t->shared->walker_free = 0;
}
