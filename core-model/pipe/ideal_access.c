/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/pipe/ideal_access.h"

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
static void ideal_fill_below(struct ooo *c, struct cache *last, uint64_t addr, uint64_t when)
{
    struct cache *b = &c->mem.l1d;
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

void ideal_fetch(struct ooo *c, uint64_t pc)
{
    ideal_fill_tlb(&c->mem.itlb, pc, c->now);
    ideal_fill_line(&c->mem.l1i, pc, c->now);
}

void ideal_translate(struct ooo *c, uint32_t i, uint64_t when) { ideal_fill_tlb(&c->mem.dtlb, c->outcome[i].ea, when); }

bool ideal_load(struct ooo *c, uint32_t i, uint64_t when)
{
    const struct rv_outcome *o = &c->outcome[i];
    const uint64_t last = o->ea + o->mem_bytes - 1;
    struct cache *l1 = &c->mem.l1d;
    const uint32_t causes = ideal_causes(c->ideal, c->slot[i].pc);
    if (ideal_has_line(l1, o->ea, when) && ideal_has_line(l1, last, when))
        return false;
    if ((causes & IDEAL_L1D) != 0) {
        ideal_fill_line(l1, o->ea, when);
        ideal_fill_line(l1, last, when);
        return false;
    }
    if ((causes & IDEAL_L1D_LATENCY) != 0)
        (void)hierarchy_data(&c->mem, o->ea, o->mem_bytes, when, false);
    c->slot[i].level = MEM_LEVEL_L1;
    return true;
}

void ideal_load_below(struct ooo *c, uint32_t i, uint64_t when)
{
    const struct rv_outcome *o = &c->outcome[i];
    const uint64_t last_byte = o->ea + o->mem_bytes - 1;
    struct cache *l1 = &c->mem.l1d, *last = l1->below;
    while ((ideal_causes(c->ideal, c->slot[i].pc) & IDEAL_L2) == 0 && last->below != NULL)
        last = last->below;
    if (!ideal_has_line(l1, o->ea, when))
        ideal_fill_below(c, last, o->ea, when);
    if (!ideal_has_line(l1, last_byte, when))
        ideal_fill_below(c, last, last_byte, when);
}
