/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Connects caches, TLBs and memory. Entry points: hierarchy_init, hierarchy_data. */
#include "core-model/mem/hierarchy.h"

void hierarchy_init(struct hierarchy *h, const struct core_config *cfg)
{
    h->directory = NULL;
    h->coherence = (struct directory_stats){0};
    h->transferred = false;
    h->has_llc = cfg->llc_bytes != 0;
    h->next_line = cfg->l1d_next_line != 0;
    h->next_code_line = cfg->l1i_next_line != 0;
    h->line_mask = cfg->line_bytes - 1;
    h->pc = 0;
    hierarchy_set_prefetcher(h, NULL);
    struct dram_timing dram = {
        .banks = cfg->dram_banks,
        .line_bytes = cfg->line_bytes,
        .latency_cycles = cfg->dram_cycles,
        .bank_cycles = cfg->dram_bank_cycles,
        .line_cycles = cfg->dram_line_cycles,
        .row_bytes = cfg->dram_row_bytes,
        .row_hit_cycles = cfg->dram_row_hit_cycles,
        .precharge_cycles = cfg->dram_precharge_cycles,
        .queue = cfg->dram_queue,
    };
    dram_init(&h->dram, &dram);
    struct cache_geometry llc = {cfg->llc_bytes, cfg->llc_ways,   cfg->line_bytes,
                                 cfg->llc_mshrs, cfg->llc_cycles, MEM_LEVEL_LLC};
    struct cache_geometry l2 = {cfg->l2_bytes, cfg->l2_ways,   cfg->line_bytes,
                                cfg->l2_mshrs, cfg->l2_cycles, MEM_LEVEL_L2};
    struct cache_geometry l1i = {cfg->l1i_bytes, cfg->l1i_ways,   cfg->line_bytes,
                                 cfg->l1i_mshrs, cfg->l1i_cycles, MEM_LEVEL_L1};
    struct cache_geometry l1d = {cfg->l1d_bytes, cfg->l1d_ways,   cfg->line_bytes,
                                 cfg->l1d_mshrs, cfg->l1d_cycles, MEM_LEVEL_L1};
    if (h->has_llc)
        cache_init(&h->llc, &llc, NULL, &h->dram);
    else
        h->llc = (struct cache){0};
    cache_init(&h->l2, &l2, h->has_llc ? &h->llc : NULL, &h->dram);
    cache_init(&h->l1i, &l1i, &h->l2, &h->dram);
    cache_init(&h->l1d, &l1d, &h->l2, &h->dram);
    tlb_shared_init(&h->l2tlb, cfg->l2tlb_entries, cfg->l2tlb_cycles, cfg->walk_cycles);
    if (cfg->walk_levels != 0)
        tlb_shared_walk_through(&h->l2tlb, &h->l2, cfg->walk_levels);
    tlb_init(&h->itlb, cfg->itlb_entries, &h->l2tlb);
    tlb_init(&h->dtlb, cfg->dtlb_entries, &h->l2tlb);
    h->l1i.perfect = h->l1d.perfect = h->itlb.perfect = h->dtlb.perfect = cfg->perfect_caches != 0;
}

void hierarchy_fini(struct hierarchy *h)
{
    if (h->has_llc)
        cache_fini(&h->llc);
    cache_fini(&h->l2);
    cache_fini(&h->l1i);
    cache_fini(&h->l1d);
    dram_fini(&h->dram);
    tlb_shared_fini(&h->l2tlb);
    tlb_fini(&h->itlb);
    tlb_fini(&h->dtlb);
}

void hierarchy_set_prefetcher(struct hierarchy *h, const struct prefetcher *p)
{
    h->prefetcher = p;
    h->inline_bytes = p == NULL ? h->line_mask + 1 : 0;
}

void hierarchy_place_pages(struct hierarchy *h, uint64_t seed)
{
    placement_init(&h->placement, seed);
    h->l1i.placement = h->l1d.placement = &h->placement;
}

void hierarchy_join(struct hierarchy *h, struct hierarchy *first, struct directory *d)
{
    h->directory = d;
    h->l2.below = &first->llc;
    h->l1i.dram = h->l1d.dram = h->l2.dram = &first->dram;
    h->number = directory_join(d, h);
}

/* access_l1 with several harts. */
static __attribute__((noinline)) struct cache_result coherent_access(struct hierarchy *h, struct cache *l1,
                                                                     uint64_t addr, uint64_t now, bool is_write)
{
    struct directory_wait wait = directory_request(h->directory, h->number, l1, addr, is_write);
    struct cache_result r = cache_access(l1, addr, now, is_write);
    directory_grant(h->directory, h->number, l1, addr, is_write, &wait, &r);
    h->transferred |= wait.transfer;
    return r;
}

/* An access to the L1 cache `l1`, for which other harts may have to give up the line. */
static inline struct cache_result access_l1(struct hierarchy *h, struct cache *l1, uint64_t addr, uint64_t now,
                                            bool is_write)
{
    return h->directory == NULL ? cache_access(l1, addr, now, is_write) : coherent_access(h, l1, addr, now, is_write);
}

/* prefetch with several harts. */
static __attribute__((noinline)) void coherent_prefetch(struct hierarchy *h, struct cache *l1, uint64_t addr,
                                                        uint64_t now)
{
    const struct directory_wait none = {0};
    struct cache_result unused = {0};
    if (directory_is_elsewhere(h->directory, h->number, addr))
        return;
    cache_prefetch(l1, addr, now);
    directory_grant(h->directory, h->number, l1, addr, false, &none, &unused);
}

/* Prefetches a line, unless another hart has it. */
static inline void prefetch(struct hierarchy *h, struct cache *l1, uint64_t addr, uint64_t now)
{
    if (h->directory == NULL)
        cache_prefetch(l1, addr, now);
    else
        coherent_prefetch(h, l1, addr, now);
}

/* Address of the line evicted from the cache since `victim` was reset; 0: none. */
static uint64_t evicted_from(const struct cache *c)
{
    return c->victim != CACHE_NO_LINE ? c->victim << c->line_bits : 0;
}

/* An access to one line, with its facts for the prefetcher. */
static struct cache_result observed_access(struct hierarchy *h, uint64_t addr, uint32_t size_bytes, uint64_t now,
                                           bool is_write, struct prefetch_access *facts)
{
    const struct cache_line *l = cache_find(&h->l1d, addr >> h->l1d.line_bits);
    *facts = (struct prefetch_access){.addr = addr, .pc = h->pc, .now = now, .bytes = size_bytes, .is_write = is_write};
    facts->prefetched = l != NULL && l->prefetched;
    const struct cache_result r = access_l1(h, &h->l1d, addr, now, is_write);
    facts->level = r.level;
    facts->merged = r.merged != 0;
    return r;
}

/* The prefetcher observes an access, and requests lines. */
static void call_prefetcher(struct hierarchy *h, const struct prefetch_access *facts)
{
    uint64_t line[PREFETCH_MOST];
    const unsigned count = h->prefetcher->access(h->prefetcher->ctx, facts, line);
    for (unsigned i = 0; i < count && !h->l1d.perfect; i++)
        prefetch(h, &h->l1d, line[i], facts->now);
}

/* hierarchy_look_up with a prefetcher. */
static __attribute__((noinline)) struct cache_result observed_look_up(struct hierarchy *h, uint64_t addr,
                                                                      uint32_t size_bytes, uint64_t now, bool is_write)
{
    const uint32_t left = h->line_mask + 1 - (uint32_t)(addr & h->line_mask);
    const bool crosses = size_bytes > left;
    struct prefetch_access first, second;
    struct cache_result r = observed_access(h, addr, crosses ? left : size_bytes, now, is_write, &first);
    if (crosses) {
        const struct cache_result behind = observed_access(h, addr + left, size_bytes - left, now, is_write, &second);
        if (behind.done > r.done)
            r = behind;
    }
    h->evicted = evicted_from(&h->l1d);
    call_prefetcher(h, &first);
    if (crosses)
        call_prefetcher(h, &second);
    return r;
}

static inline struct cache_result plain_look_up(struct hierarchy *h, uint64_t addr, uint32_t size_bytes, uint64_t now,
                                                bool is_write)
{
    struct cache_result r = access_l1(h, &h->l1d, addr, now, is_write);
    if ((addr & h->line_mask) + size_bytes > h->line_mask + 1u) {
        struct cache_result second = access_l1(h, &h->l1d, addr + size_bytes - 1, now, is_write);
        if (second.done > r.done)
            r = second;
    }
    h->evicted = evicted_from(&h->l1d);
    return r;
}

struct cache_result hierarchy_look_up(struct hierarchy *h, uint64_t addr, uint32_t size_bytes, uint64_t now,
                                      bool is_write)
{
    h->l1d.victim = CACHE_NO_LINE;
    h->transferred = false;
    const struct cache_result r = h->prefetcher == NULL ? plain_look_up(h, addr, size_bytes, now, is_write)
                                                        : observed_look_up(h, addr, size_bytes, now, is_write);
    if (h->next_line && h->prefetcher == NULL && r.level != MEM_LEVEL_L1 && !r.merged)
        prefetch(h, &h->l1d, addr + h->line_mask + 1, now);
    return r;
}

struct cache_result hierarchy_fetch_miss(struct hierarchy *h, uint64_t addr, uint64_t now)
{
    struct cache_result r = access_l1(h, &h->l1i, addr, now, false);
    if (h->next_code_line && r.level != MEM_LEVEL_L1 && !r.merged)
        prefetch(h, &h->l1i, addr + h->line_mask + 1, now);
    return r;
}

void hierarchy_forget_counts(struct hierarchy *h, uint64_t now)
{
    struct cache *caches[] = {&h->l1i, &h->l1d, &h->l2, &h->llc};
    for (size_t i = 0; i < sizeof caches / sizeof caches[0]; i++)
        cache_forget_counts(caches[i], now);
    h->dram.reads = h->dram.writes = h->dram.row_hits = h->dram.row_conflicts = h->dram.bank_conflicts =
        h->dram.wait_cycles = 0;
    h->coherence = (struct directory_stats){0};
    h->itlb.accesses = h->itlb.misses = h->dtlb.accesses = h->dtlb.misses = 0;
    h->l2tlb.accesses = h->l2tlb.misses = 0;
}
