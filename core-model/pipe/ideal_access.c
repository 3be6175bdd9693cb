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
