/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Set-associative caches whose accesses return their completion cycle. See cache.h for what is modelled.
 * Entry points: cache_access, cache_prefetch. */
#include "core-model/mem/cache.h"

#include <stdlib.h>
#include <string.h>

#include "isa/support/status.h"

void cache_init(struct cache *c, const struct cache_geometry *g, struct cache *below, struct dram *dram)
{
    uint32_t sets = g->size_bytes / (g->line_bytes * g->ways);
    *c = (struct cache){.below = below, .dram = dram, .ways = g->ways, .set_mask = sets - 1,
                        .line_bits = (uint32_t)__builtin_ctz(g->line_bytes), .mshrs = g->mshrs, .hit_cycles = g->hit_cycles,
                        .level = g->level};
    c->line = xcalloc((size_t)sets * g->ways, sizeof *c->line);
    for (size_t i = 0; i < (size_t)sets * g->ways; i++)
        c->line[i].tag = CACHE_NO_LINE;
    c->mshr_free = xcalloc(g->mshrs, sizeof *c->mshr_free);
    c->mshr_since = xcalloc(g->mshrs, sizeof *c->mshr_since);
    c->victim = CACHE_NO_LINE;
}

void cache_fini(struct cache *c)
{
    free(c->line);
    free(c->mshr_free);
    free(c->mshr_since);
}

static struct cache_line *cache_find(const struct cache *c, uint64_t number)
{
    struct cache_line *set = cache_set(c, number);
    for (uint32_t w = 0; w < c->ways; w++)
        if (set[w].tag == number)
            return &set[w];
    return NULL;
}

/* An empty way, else the one used longest ago. Stamps are compared as distances, so that the clock may wrap. */
static struct cache_line *cache_victim(const struct cache *c, uint64_t number)
{
    struct cache_line *set = cache_set(c, number), *victim = set;
    for (uint32_t w = 0; w < c->ways; w++) {
        if (set[w].tag == CACHE_NO_LINE)
            return &set[w];
        if (c->clock - set[w].used > c->clock - victim->used)
            victim = &set[w];
    }
    return victim;
}

/* A dirty victim goes to the first level below that has the line, else to memory: a posted write, which takes bandwidth. */
static void cache_write_back(struct cache *c, uint64_t number, uint64_t now)
{
    c->stats.writebacks++;
    for (struct cache *b = c->below; b != NULL; b = b->below) {
        struct cache_line *l = cache_find(b, number);
        if (l != NULL) {
            l->dirty = true;
            return;
        }
    }
    (void)dram_access(c->dram, number << c->line_bits, now, true);
}

static uint32_t cache_first_mshr(const struct cache *c)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < c->mshrs; i++)
        if (c->mshr_free[i] < c->mshr_free[best])
            best = i;
    return best;
}

/* Fetches an absent line through MSHR m, from `start` on. */
static struct cache_line *cache_fill(struct cache *c, uint64_t number, uint64_t start, uint32_t m)
{
    uint64_t addr = number << c->line_bits;
    struct cache_line *l = cache_victim(c, number);
    c->victim = l->tag;
    if (l->tag != CACHE_NO_LINE && l->dirty)
        cache_write_back(c, l->tag, start);
    if (c->below != NULL) {
        struct cache_result r = cache_access(c->below, addr, start, false);
        *l = (struct cache_line){.fill_cycle = r.done, .source = r.level};
    } else {
        *l = (struct cache_line){.fill_cycle = dram_access(c->dram, addr, start, false), .source = MEM_LEVEL_DRAM};
    }
    l->tag = number;
    l->used = ++c->clock;
    if (c->mshr_free[m] != start)
        c->mshr_since[m] = start;
    c->mshr_free[m] = l->fill_cycle;
    c->mshr_cycles += l->fill_cycle - start;
    return l;
}

struct cache_result cache_access(struct cache *c, uint64_t addr, uint64_t now, bool is_write)
{
    uint64_t number = addr >> c->line_bits, ready = now + c->hit_cycles;
    struct cache_line *l = cache_find(c, number);
    c->stats.accesses++;
    if (l != NULL) {
        l->used = ++c->clock;
        l->dirty |= is_write;
        if (l->prefetched) {
            l->prefetched = false;
            c->stats.prefetches_used++;
        }
        if (l->fill_cycle <= now)
            return (struct cache_result){.done = ready, .level = c->level};
        c->stats.misses++;
        c->stats.merged++;
        return (struct cache_result){.done = l->fill_cycle > ready ? l->fill_cycle : ready, .level = l->source, .merged = true};
    }
    if (c->perfect)
        return (struct cache_result){.done = ready, .level = c->level};
    c->stats.misses++;
    uint32_t m = cache_first_mshr(c);
    uint64_t start = ready;
    if (c->mshr_free[m] > start) {
        c->stats.mshr_waits++;
        start = c->mshr_free[m];
    }
    l = cache_fill(c, number, start, m);
    l->dirty = is_write;
    return (struct cache_result){.done = l->fill_cycle, .level = l->source};
}

void cache_prefetch(struct cache *c, uint64_t addr, uint64_t now)
{
    uint64_t number = addr >> c->line_bits;
    uint32_t m = cache_first_mshr(c);
    if (c->mshr_free[m] > now || cache_find(c, number) != NULL)
        return;
    c->stats.prefetches++;
    cache_fill(c, number, now + c->hit_cycles, m)->prefetched = true;
}

uint64_t cache_mshr_cycles(const struct cache *c, uint64_t now)
{
    uint64_t cycles = c->mshr_cycles;
    for (uint32_t m = 0; m < c->mshrs; m++)
        if (c->mshr_free[m] > now)
            cycles -= c->mshr_free[m] - (c->mshr_since[m] > now ? c->mshr_since[m] : now);
    return cycles;
}

void cache_forget_counts(struct cache *c, uint64_t now)
{
    c->stats = (struct cache_stats){0};
    c->mshr_cycles -= cache_mshr_cycles(c, now);
}

bool cache_holds(const struct cache *c, uint64_t addr)
{
    return cache_find(c, addr >> c->line_bits) != NULL;
}

void cache_settle(struct cache *c)
{
    for (uint64_t i = 0; i < ((uint64_t)c->set_mask + 1) * c->ways; i++)
        c->line[i].fill_cycle = 0;
    for (uint32_t m = 0; m < c->mshrs; m++)
        c->mshr_free[m] = 0;
}

void cache_check(const struct cache *c)
{
    for (uint64_t s = 0; s <= c->set_mask; s++) {
        const struct cache_line *set = cache_set(c, s);
        for (uint32_t i = 0; i < c->ways; i++) {
            if (set[i].tag == CACHE_NO_LINE)
                continue;
            if ((set[i].tag & c->set_mask) != s)
                BUG("cache line %#llx in set %#llx", (unsigned long long)set[i].tag, (unsigned long long)s);
            for (uint32_t j = 0; j < i; j++)
                if (set[j].tag == set[i].tag)
                    BUG("cache line %#llx twice", (unsigned long long)set[i].tag);
        }
    }
}
