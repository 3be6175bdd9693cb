/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TLBs that return the cycle of the translation; tlb.h describes the model. Entry point: tlb_access. */
#include "core-model/mem/tlb.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"
#include "core-model/mem/cache.h"

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
    t->entry = xcalloc(entries + 1, sizeof *t->entry);
    for (uint32_t i = 0; i <= entries; i++)
        t->entry[i] = (struct tlb_entry){.page = no_page, .chain = (uint16_t)entries};
    for (uint32_t h = 0; h < TLB_HASHES; h++)
        t->hash[h] = (uint16_t)entries;
    t->age = xcalloc(entries, sizeof *t->age);
    for (uint32_t i = 0; i < entries; i++)
        t->age[i].entry = i;
}

void tlb_fini(struct tlb *t)
{
    free(t->entry);
    free(t->age);
}

/* Address of the page's entry in the table of a level; 0: the last. A table has 512 entries of 8 bytes; the tables of a
 * level are contiguous. */
static uint64_t table_entry(uint64_t page, uint32_t level)
{
    enum { INDEX_BITS = 9, ENTRY_BYTES = 8, LEVEL_SHIFT = 40 };
    return ((uint64_t)(level + 1) << LEVEL_SHIFT) + (page >> level * INDEX_BITS) * ENTRY_BYTES;
}

/* Page walk: reads one entry per level from the root on. */
static uint64_t tlb_walk(struct tlb_shared *s, uint64_t page, uint64_t now)
{
    if (s->walk_cache == NULL)
        return now + s->walk_cycles;
    for (uint32_t level = s->walk_levels; level-- > 0;)
        now = cache_access(s->walk_cache, table_entry(page, level), now, false).done;
    return now;
}

struct translation {
    uint64_t ready; /* first cycle in which it is usable */
    enum tlb_miss source;
};

/* Translates a page requested at `now`. */
static struct translation tlb_refill(struct tlb_shared *s, uint64_t page, uint64_t now)
{
    uint64_t *slot = &s->page[page & s->mask], done = now + s->hit_cycles;
    s->accesses++;
    if (*slot == page)
        return (struct translation){.ready = done, .source = TLB_MISS};
    s->misses++;
    *slot = page;
    if (done < s->walker_free)
        done = s->walker_free;
    s->walker_free = tlb_walk(s, page, done);
    return (struct translation){.ready = s->walker_free, .source = TLB_WALK};
}

static uint16_t *tlb_chain(struct tlb *t, uint64_t page) { return &t->hash[page % TLB_HASHES]; }

/* The page's entry, or NULL. */
static struct tlb_entry *tlb_find(struct tlb *t, uint64_t page)
{
    uint16_t i = *tlb_chain(t, page);
    while (i != t->entries && t->entry[i].page != page)
        i = t->entry[i].chain;
    return i != t->entries ? &t->entry[i] : NULL;
}

/* Puts an entry in the place of the heap's root. */
static void tlb_age_down(struct tlb *t, struct tlb_age new)
{
    struct tlb_age *const age = t->age;
    uint32_t at = 0, below;
    while ((below = 2 * at + 1) < t->entries) {
        if (below + 1 < t->entries)
            below += age[below + 1].used < age[below].used;
        if (new.used <= age[below].used)
            break;
        age[at] = age[below];
        at = below;
    }
    age[at] = new;
}

/* The least recently used entry. A use changes only the entry's own stamp, so stamps in the heap may be too early. The
 * root has the earliest of them. If that is the stamp of its entry's last use, no other entry was used earlier. */
static struct tlb_entry *tlb_victim(struct tlb *t)
{
    for (;;) {
        const uint32_t i = t->age[0].entry;
        struct tlb_entry *e = &t->entry[i];
        if (e->used == t->age[0].used)
            return e;
        tlb_age_down(t, (struct tlb_age){e->used, i});
    }
}

/* Gives the least recently used entry to another page. */
static struct tlb_entry *tlb_replace(struct tlb *t, uint64_t page, const struct translation *to)
{
    struct tlb_entry *e = tlb_victim(t);
    const uint16_t i = (uint16_t)(e - t->entry);
    if (e->page != no_page) {
        uint16_t *link = tlb_chain(t, e->page);
        while (*link != i)
            link = &t->entry[*link].chain;
        *link = e->chain;
    }
    e->page = page;
    e->ready = to->ready;
    e->source = to->source;
    e->chain = *tlb_chain(t, page);
    *tlb_chain(t, page) = i;
    return e;
}

uint64_t tlb_look_up(struct tlb *t, uint64_t addr, uint64_t now, enum tlb_miss *miss)
{
    const uint64_t page = addr >> TLB_PAGE_BITS;
    struct tlb_entry *e = tlb_find(t, page);
    t->accesses++;
    *miss = TLB_HIT;
    if (e == NULL && t->perfect)
        return now;
    if (e == NULL) {
        const struct translation to = tlb_refill(t->shared, page, now);
        e = tlb_replace(t, page, &to);
    }
    tlb_use(t, e);
    if (e->ready <= now)
        return now;
    t->misses++;
    *miss = e->source;
    return e->ready;
}

/* ---- warming ---- */

static void warm_shared(struct tlb_shared *s, uint64_t page)
{
    uint64_t *slot = &s->page[page & s->mask];
    if (*slot == page)
        return;
    *slot = page;
    for (uint32_t level = s->walk_cache != NULL ? s->walk_levels : 0; level-- > 0;)
        (void)cache_warm(s->walk_cache, table_entry(page, level), false);
}

struct tlb_entry *tlb_warm_look_up(struct tlb *t, uint64_t addr, bool *replaced)
{
    const uint64_t page = addr >> TLB_PAGE_BITS;
    struct tlb_entry *e = tlb_find(t, page);
    *replaced = e == NULL && !t->perfect;
    if (*replaced) {
        warm_shared(t->shared, page);
        e = tlb_replace(t, page, &(struct translation){.ready = 0});
    }
    if (e != NULL)
        tlb_use(t, e);
    return e;
}

/* ---- the warmed state ---- */

ORDER(by_use, struct tlb_age, RISING(used))

/* The entries with a page, the least recently used first; returns their number. */
static uint32_t sort_by_use(const struct tlb *t, struct tlb_age *sorted)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->entries; i++)
        if (t->entry[i].page != no_page)
            sorted[count++] = (struct tlb_age){t->entry[i].used, i};
    qsort(sorted, count, sizeof *sorted, by_use);
    return count;
}

static void read_page(struct tlb *t, uint64_t page, struct checkpoint_stream *s)
{
    if (tlb_find(t, page) != NULL)
        checkpoint_refuse(s, "found page 0x%" PRIx64 " twice", page);
    else
        tlb_use(t, tlb_replace(t, page, &(struct translation){.ready = 0}));
}

void tlb_move(struct tlb *t, struct checkpoint_stream *s)
{
    struct tlb_age *sorted = xcalloc(t->entries, sizeof *sorted);
    const uint64_t count = checkpoint_move(s, sort_by_use(t, sorted), 0, t->entries);
    for (uint32_t i = 0; i < count && !s->failed; i++) {
        const uint64_t written = s->reads ? 0 : t->entry[sorted[i].entry].page;
        const uint64_t page = checkpoint_move(s, written, 0, UINT64_MAX >> TLB_PAGE_BITS);
        if (s->reads && !s->failed)
            read_page(t, page, s);
    }
    free(sorted);
}

/* An entry is a number: 0 if it is empty; else 1 more than the part of the page's number that is not the index. */
void tlb_shared_move(struct tlb_shared *shared, struct checkpoint_stream *s)
{
    const unsigned bits = (unsigned)__builtin_popcount(shared->mask);
    for (uint64_t i = 0; i <= shared->mask; i++) {
        uint64_t *page = &shared->page[i];
        const uint64_t word = checkpoint_move(s, *page != no_page ? (*page >> bits) + 1 : 0, 0,
                                              (UINT64_MAX >> TLB_PAGE_BITS >> bits) + 1);
        *page = word != 0 ? (word - 1) << bits | i : no_page;
    }
}
