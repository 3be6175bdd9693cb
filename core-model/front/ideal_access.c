/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/front/ideal_access.h"

/* The translation is there in cycle `when`. */
static void ideal_fill_tlb(struct tlb *t, uint64_t addr, uint64_t when)
{
    bool replaced;
    struct tlb_entry *e = tlb_warm(t, addr, &replaced);
    if (e != NULL && e->ready > when)
        e->ready = when;
}

/* Whether the line is there in cycle `when`. */
static bool ideal_has_line(struct cache *l1, uint64_t addr, uint64_t when)
{
    const struct cache_line *l = cache_find(l1, addr >> l1->line_bits);
    return l1->perfect || (l != NULL && l->fill_cycle <= when);
}

/* The line is there in cycle `when`, and is no line that a prefetcher fetched. */
static void ideal_fill_line(struct cache *l1, uint64_t addr, uint64_t when)
{
    if (ideal_has_line(l1, addr, when))
        return;
    (void)cache_warm(l1, addr, false);
    struct cache_line *l = cache_find(l1, addr >> l1->line_bits);
    if (l->fill_cycle > when)
        l->fill_cycle = when;
}

/* A line that is absent from the L1 data cache is in the cache `last` below it in cycle `when`. A line that has not
 * arrived yet arrives as if it came from there. */
static void ideal_fill_below(struct cache *l1, struct cache *last, uint64_t addr, uint64_t when)
{
    struct cache *b = l1;
    uint64_t arrival = when + b->hit_cycles, at = addr;
    struct cache_line *l;
    for (const struct cache *below = b->below; below != last->below; below = below->below)
        arrival += below->hit_cycles;
    while ((l = cache_find(b, at >> b->line_bits)) == NULL && b != last) {
        at = b->placement != NULL ? placement_physical(b->placement, at) : at;
        b = b->below;
    }
    if (l == NULL) {
        (void)cache_warm(last, at, false);
        return;
    }
    if (l->fill_cycle <= arrival)
        return;
    l->fill_cycle = arrival;
    l->source = last->level;
}

/* A load that misses the L1 data cache hits a cache below it. */
static void ideal_load_below(struct hierarchy *mem, const struct ideal_datum *d, uint64_t when)
{
    const uint64_t last_byte = d->addr + d->bytes - 1;
    struct cache *l1 = &mem->l1d, *last = l1->below;
    while ((d->causes & IDEAL_L2) == 0 && last->below != NULL)
        last = last->below;
    if (!ideal_has_line(l1, d->addr, when))
        ideal_fill_below(l1, last, d->addr, when);
    if (!ideal_has_line(l1, last_byte, when))
        ideal_fill_below(l1, last, last_byte, when);
}

void ideal_fetch(struct hierarchy *mem, uint64_t pc, uint64_t now)
{
    ideal_fill_tlb(&mem->itlb, pc, now);
    ideal_fill_line(&mem->l1i, pc, now);
}

void ideal_translate(struct hierarchy *mem, uint64_t addr, uint64_t when) { ideal_fill_tlb(&mem->dtlb, addr, when); }

/* A load hits the L1 data cache. Returns whether it accesses the cache no more. */
static bool ideal_load_first(struct hierarchy *mem, const struct ideal_datum *d, uint64_t when)
{
    const uint64_t last_byte = d->addr + d->bytes - 1;
    struct cache *l1 = &mem->l1d;
    if (ideal_has_line(l1, d->addr, when) && ideal_has_line(l1, last_byte, when))
        return false;
    if ((d->causes & IDEAL_L1D) != 0) {
        ideal_fill_line(l1, d->addr, when);
        ideal_fill_line(l1, last_byte, when);
        return false;
    }
    if ((d->causes & IDEAL_L1D_LATENCY) != 0)
        (void)hierarchy_data(mem, d->addr, d->bytes, when, false);
    return true;
}

bool ideal_load(struct hierarchy *mem, const struct ideal_datum *d, uint64_t when)
{
    if ((d->causes & IDEAL_ALL_L1D) != 0 && ideal_load_first(mem, d, when))
        return true;
    if ((d->causes & IDEAL_BELOW_L1D) != 0)
        ideal_load_below(mem, d, when);
    return false;
}
