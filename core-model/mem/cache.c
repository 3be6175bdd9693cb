/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Set-associative caches whose accesses return their completion cycle; cache.h describes the model. Entry points:
 * cache_access, cache_prefetch. */
#include "core-model/mem/cache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

enum { HASHES = 8 }; /* in a word */

static uint32_t hash_words(const struct cache *c) { return (c->ways + HASHES - 1) / HASHES; }

void cache_init(struct cache *c, const struct cache_geometry *g, struct cache *below, struct dram *dram)
{
    uint32_t sets = g->size_bytes / (g->line_bytes * g->ways);
    *c = (struct cache){.below = below,
                        .dram = dram,
                        .ways = g->ways,
                        .set_mask = sets - 1,
                        .line_bits = (uint32_t)__builtin_ctz(g->line_bytes),
                        .hit_cycles = g->hit_cycles,
                        .level = g->level};
    c->line = xcalloc((size_t)sets * g->ways, sizeof *c->line);
    c->recent = xcalloc(sets, sizeof *c->recent);
    c->hashes = xcalloc((size_t)sets * hash_words(c), sizeof *c->hashes);
    for (uint32_t s = 0; s < sets; s++)
        c->recent[s] = cache_set(c, s);
    for (size_t i = 0; i < (size_t)sets * g->ways; i++)
        c->line[i].tag = CACHE_NO_LINE;
    servers_init(&c->mshr, g->mshrs, CACHE_IDLE_TIMES, 1); /* 1: keeps all idle intervals, for cache_mshr_cycles */
    c->victim = CACHE_NO_LINE;
}

void cache_fini(struct cache *c)
{
    free(c->line);
    free(c->recent);
    free(c->hashes);
    servers_fini(&c->mshr);
}

static uint64_t *hashes_of(const struct cache *c, uint64_t number)
{
    return &c->hashes[(number & c->set_mask) * hash_words(c)];
}
static inline uint8_t line_hash(uint64_t number) { return (uint8_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 56); }

/* The highest bit of each byte that may be 0, of all that are. */
static inline uint64_t zero_bytes(uint64_t x)
{
    return (x - UINT64_C(0x0101010101010101)) & ~x & UINT64_C(0x8080808080808080);
}

struct cache_line *cache_find(const struct cache *c, uint64_t number)
{
    struct cache_line *set = cache_set(c, number);
    const uint64_t *const hashes = hashes_of(c, number), same = line_hash(number) * UINT64_C(0x0101010101010101);
    for (uint32_t first = 0; first < c->ways; first += HASHES)
        for (uint64_t bits = zero_bytes(hashes[first / HASHES] ^ same); bits != 0; bits &= bits - 1) {
            const uint32_t way = first + (uint32_t)__builtin_ctzll(bits) / 8;
            if (way < c->ways && set[way].tag == number)
                return &set[way];
        }
    return NULL;
}

/* The line l of the number's set becomes the one that is filled. */
static inline void line_replace(struct cache *c, struct cache_line *l, const struct cache_line *filled)
{
    const size_t way = (size_t)(l - cache_set(c, filled->tag));
    *l = *filled;
    l->used = ++c->clock;
    ((uint8_t *)hashes_of(c, filled->tag))[way] = line_hash(filled->tag);
}

/* Victim selection: an empty way, else the least recently used one. */
static struct cache_line *cache_victim(const struct cache *c, uint64_t number)
{
    struct cache_line *const set = cache_set(c, number), *const end = set + c->ways, *victim = set;
    uint64_t least = UINT64_MAX;
    for (struct cache_line *l = set; l != end; l++) {
        if (l->tag == CACHE_NO_LINE)
            return l;
        victim = l->used < least ? l : victim;
        least = l->used < least ? l->used : least;
    }
    return victim;
}

/* Address of the line in the levels below. */
static uint64_t address_below(const struct cache *c, uint64_t addr)
{
    return c->placement != NULL ? placement_physical(c->placement, addr) : addr;
}

/* Writes a dirty victim back to the first lower level that has the line; false: to memory. */
static bool write_to_cache(const struct cache *c, uint64_t addr)
{
    for (struct cache *b = c->below; b != NULL; b = b->below) {
        struct cache_line *l = cache_find(b, addr >> c->line_bits);
        if (l != NULL) {
            l->dirty = true;
            return true;
        }
    }
    return false;
}

/* Writes a dirty victim back. To memory, this is a posted write, which consumes bandwidth. */
static void cache_write_back(struct cache *c, uint64_t number, uint64_t now)
{
    uint64_t addr = address_below(c, number << c->line_bits);
    c->stats.writebacks++;
    if (!write_to_cache(c, addr))
        (void)dram_access(c->dram, addr, now, true);
}

/* Cycle in which the next lower level would deliver the line for a request that reaches it at `start`, as cache_access
 * or dram_access would return. Has no side effects. */
static uint64_t below_would_deliver(const struct cache *c, uint64_t addr, uint64_t start);

/* Sets *p to an MSHR for a miss at cycle `at`. The line must arrive before the next booking of this MSHR. */
static void mshr_place(const struct cache *c, uint64_t addr, uint64_t at, struct server_place *p)
{
    uint32_t least = c->below != NULL ? c->below->hit_cycles : 1;
    servers_find(&c->mshr, at, least, 0, p);
    while (p->limit != SERVERS_NO_LIMIT && below_would_deliver(c, addr, p->start) > p->limit)
        servers_find(&c->mshr, at, least, p->start + 1, p);
}

static uint64_t would_deliver(const struct cache *c, uint64_t addr, uint64_t now)
{
    const struct cache_line *l = cache_find(c, addr >> c->line_bits);
    uint64_t ready = now + c->hit_cycles;
    if (l != NULL)
        return l->fill_cycle > ready ? l->fill_cycle : ready;
    struct server_place mshr;
    mshr_place(c, addr, ready, &mshr);
    return below_would_deliver(c, addr, mshr.start);
}

static uint64_t below_would_deliver(const struct cache *c, uint64_t addr, uint64_t start)
{
    addr = address_below(c, addr);
    return c->below != NULL ? would_deliver(c->below, addr, start) : dram_would_deliver(c->dram, addr, start);
}

/* The line that is to be replaced by an absent one, as it leaves the cache. */
static struct cache_line *cache_evict(struct cache *c, uint64_t number)
{
    struct cache_line *l = cache_victim(c, number);
    c->victim = l->tag;
    if (c->evicted != NULL && l->tag != CACHE_NO_LINE)
        l->dirty |= c->evicted(c->evicted_ctx, (size_t)(l - c->line), l->tag);
    return l;
}

/* Fills an absent line through the given MSHR. The victim's write-back follows the fill, unless the last-level cache
 * has invalidated the victim, as part of its own eviction, to make room for the same fill. */
static struct cache_line *cache_fill(struct cache *c, uint64_t number, const struct server_place *mshr)
{
    uint64_t addr = address_below(c, number << c->line_bits);
    struct cache_line *l = cache_evict(c, number), filled = {.tag = number};
    if (c->below != NULL) {
        struct cache_result r = cache_access(c->below, addr, mshr->start, false);
        filled.fill_cycle = r.done;
        filled.source = (uint8_t)r.level;
    } else {
        filled.fill_cycle = dram_access(c->dram, addr, mshr->start, false);
        filled.source = MEM_LEVEL_DRAM;
    }
    const struct cache_line victim = *l;
    line_replace(c, l, &filled);
    servers_book(&c->mshr, mshr, l->fill_cycle);
    c->mshr_cycles += l->fill_cycle - mshr->start;
    if (victim.tag != CACHE_NO_LINE && victim.dirty)
        cache_write_back(c, victim.tag, mshr->start);
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
        return (struct cache_result){
            .done = l->fill_cycle > ready ? l->fill_cycle : ready, .level = l->source, .merged = 1};
    }
    if (c->perfect)
        return (struct cache_result){.done = ready, .level = c->level};
    c->stats.misses++;
    struct server_place mshr;
    mshr_place(c, addr, ready, &mshr);
    c->stats.mshr_waits += mshr.start > ready;
    l = cache_fill(c, number, &mshr);
    l->dirty = is_write;
    return (struct cache_result){.done = l->fill_cycle, .level = l->source};
}

void cache_prefetch(struct cache *c, uint64_t addr, uint64_t now)
{
    uint64_t number = addr >> c->line_bits;
    if (cache_find(c, number) != NULL)
        return;
    struct server_place mshr;
    mshr_place(c, addr, now + c->hit_cycles, &mshr);
    if (mshr.start > now + c->hit_cycles)
        return;
    c->stats.prefetches++;
    cache_fill(c, number, &mshr)->prefetched = true;
}

/* ---- warming ---- */

static struct cache_line *warm_fill(struct cache *c, uint64_t number)
{
    const uint64_t addr = address_below(c, number << c->line_bits);
    struct cache_line *l = cache_evict(c, number), filled = {.tag = number, .source = MEM_LEVEL_DRAM};
    if (c->below != NULL)
        filled.source = (uint8_t)cache_warm(c->below, addr, false);
    else
        dram_warm(c->dram, addr);
    const uint64_t victim = l->tag;
    const bool is_dirty = l->dirty;
    line_replace(c, l, &filled);
    if (victim != CACHE_NO_LINE && is_dirty) {
        const uint64_t written = address_below(c, victim << c->line_bits);
        if (!write_to_cache(c, written))
            dram_warm(c->dram, written);
    }
    return l;
}

enum mem_level cache_warm(struct cache *c, uint64_t addr, bool is_write)
{
    struct cache_line *l = cache_look_up(c, addr >> c->line_bits);
    if (l != NULL) {
        cache_use(c, l, is_write);
        l->prefetched = false;
        return (enum mem_level)c->level;
    }
    if (c->perfect)
        return (enum mem_level)c->level;
    l = warm_fill(c, addr >> c->line_bits);
    l->dirty = is_write;
    c->recent[addr >> c->line_bits & c->set_mask] = l;
    return (enum mem_level)l->source;
}

void cache_warm_prefetch(struct cache *c, uint64_t addr)
{
    if (cache_look_up(c, addr >> c->line_bits) == NULL)
        warm_fill(c, addr >> c->line_bits)->prefetched = true;
}

/* ---- the warmed state ---- */

/* The ways of a set in the order of their last use, empty ones first. */
static void order_ways(const struct cache *c, const struct cache_line *set, uint32_t *order)
{
    for (uint32_t way = 0; way < c->ways; way++) {
        const uint64_t used = set[way].tag != CACHE_NO_LINE ? set[way].used : 0;
        uint32_t at = way;
        for (; at > 0 && set[order[at - 1]].tag != CACHE_NO_LINE && set[order[at - 1]].used > used; at--)
            order[at] = order[at - 1];
        order[at] = way;
    }
}

/* A line is a number: 0 if the way is empty; else 1 more than its tag, which is the line's number without that of its
 * set, and two bits. */
static void move_line(struct cache *c, unsigned set_bits, uint64_t set, uint32_t way, struct checkpoint_stream *s)
{
    enum { PREFETCHED = 1, DIRTY = 2, BITS = 2 };
    struct cache_line *l = &c->line[set * c->ways + way];
    const uint64_t most = ((UINT64_MAX >> c->line_bits >> set_bits << BITS) | PREFETCHED | DIRTY) + 1;
    uint64_t word = 0;
    if (l->tag != CACHE_NO_LINE)
        word = ((l->tag >> set_bits << BITS) | (l->dirty ? DIRTY : 0) | (l->prefetched ? PREFETCHED : 0)) + 1;
    word = checkpoint_move(s, word, 0, most);
    if (!s->reads || word == 0)
        return;
    word--;
    const struct cache_line filled = {
        .tag = word >> BITS << set_bits | set, .dirty = (word & DIRTY) != 0, .prefetched = (word & PREFETCHED) != 0};
    if (cache_find(c, filled.tag) != NULL)
        checkpoint_refuse(s, "found line 0x%" PRIx64 " twice", filled.tag);
    else
        line_replace(c, l, &filled);
}

void cache_move(struct cache *c, struct checkpoint_stream *s)
{
    const unsigned set_bits = (unsigned)__builtin_popcount(c->set_mask);
    uint32_t *order = xcalloc(c->ways, sizeof *order);
    for (uint64_t set = 0; set <= c->set_mask && !s->failed; set++) {
        order_ways(c, &c->line[set * c->ways], order);
        for (uint32_t i = 0; i < c->ways; i++)
            move_line(c, set_bits, set, order[i], s);
    }
    free(order);
}

/* ---- */

uint64_t cache_mshr_cycles(const struct cache *c, uint64_t now)
{
    return c->mshr_cycles - servers_booked_from(&c->mshr, now);
}

void cache_forget_counts(struct cache *c, uint64_t now)
{
    c->stats = (struct cache_stats){0};
    c->mshr_cycles -= cache_mshr_cycles(c, now);
}

bool cache_holds(const struct cache *c, uint64_t addr) { return cache_find(c, addr >> c->line_bits) != NULL; }
