/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Caches, MSHRs, DRAM and TLBs: latencies and replacement computed by hand. */
#include "core-model/mem/warm_port.h"
#include "tests/unit/plain_memory.h"

#include "tests/unit/same_hierarchy.h"
#include <stdlib.h>

enum { LINE = 64, WAYS = 2, SETS = 4, HIT = 3, MSHRS = 2, DRAM = 100, BANK = 50, CHANNEL = 8 };

struct one_level {
    struct cache cache;
    struct dram dram;
};

static void one_init(struct one_level *o)
{
    struct cache_geometry g = {LINE * WAYS * SETS, WAYS, LINE, MSHRS, HIT, MEM_LEVEL_L1};
    struct dram_timing t = {
        .banks = 8, .line_bytes = LINE, .latency_cycles = DRAM, .bank_cycles = BANK, .line_cycles = CHANNEL};
    dram_init(&o->dram, &t);
    cache_init(&o->cache, &g, NULL, &o->dram);
}

/* Checks that each line is in its set, and no line is there twice. */
static void check_lines(const struct cache *c)
{
    for (uint64_t s = 0; s <= c->set_mask; s++) {
        const struct cache_line *set = cache_set(c, s);
        for (uint32_t i = 0; i < c->ways; i++) {
            ck_assert(set[i].tag == CACHE_NO_LINE || (set[i].tag & c->set_mask) == s);
            for (uint32_t j = 0; j < i; j++)
                ck_assert(set[i].tag == CACHE_NO_LINE || set[j].tag != set[i].tag);
        }
    }
}

static void one_fini(struct one_level *o)
{
    check_lines(&o->cache);
    cache_fini(&o->cache);
    dram_fini(&o->dram);
}

START_TEST(miss_merge_hit)
{
    struct one_level o;
    one_init(&o);
    struct cache_result r = cache_access(&o.cache, 0x1000, 10, false);
    ck_assert_uint_eq(r.done, 10 + HIT + DRAM + CHANNEL);
    ck_assert_int_eq(r.level, MEM_LEVEL_DRAM);
    ck_assert(!r.merged);
    struct cache_result again = cache_access(&o.cache, 0x1038, 20, false);
    ck_assert_uint_eq(again.done, r.done);
    ck_assert(again.merged);
    ck_assert_uint_eq(o.dram.reads, 1);
    /* Just before the fill the hit latency is what counts; from the fill on it is a hit. */
    ck_assert_uint_eq(cache_access(&o.cache, 0x1000, r.done - 1, false).done, r.done - 1 + HIT);
    struct cache_result hit = cache_access(&o.cache, 0x1000, r.done, false);
    ck_assert_uint_eq(hit.done, r.done + HIT);
    ck_assert_int_eq(hit.level, MEM_LEVEL_L1);
    ck_assert_uint_eq(o.cache.stats.accesses, 4);
    ck_assert_uint_eq(o.cache.stats.misses, 3);
    ck_assert_uint_eq(o.cache.stats.merged, 2);
    one_fini(&o);
}
END_TEST

/* Misses one behind the other and side by side, some waiting for an MSHR, some made for a later cycle: the busy cycles
 * against a map of them, in which never more than MSHRS are busy. A miss that waits starts when another is done. */
START_TEST(mshr_cycles_add_up)
{
    enum { CYCLES = 40000, IDLE = 2000, LATER = 400 };
    static uint8_t busy[2 * (CYCLES + IDLE)];
    struct one_level o;
    one_init(&o);
    uint64_t state = 7, sum = 0, early = 0, latest = 0;
    memset(busy, 0, sizeof busy);
    for (uint64_t now = 0; now < CYCLES; now++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        if ((state >> 33) % 60 != 0 || (now / IDLE) % 4 == 3)
            continue;
        uint64_t at = now + ((state >> 20) % 8 == 0 ? LATER : 0);
        uint64_t merged = o.cache.stats.merged, misses = o.cache.stats.misses, before = o.cache.mshr_cycles;
        struct cache_result r = cache_access(&o.cache, state >> 50 << 6, at, false);
        if (o.cache.stats.misses == misses || o.cache.stats.merged != merged)
            continue;
        uint64_t start = r.done - (o.cache.mshr_cycles - before);
        for (uint64_t t = start; t < r.done; t++)
            ck_assert_uint_le(++busy[t], MSHRS);
        if (start > at + HIT)
            ck_assert_uint_ge(busy[start - 1], 1);
        early += start < latest;
        latest = start > latest ? start : latest;
    }
    ck_assert_uint_gt(o.cache.stats.mshr_waits, 10);
    ck_assert_uint_gt(early, 10); /* were served before what had been booked */
    for (uint64_t now = 0; now < CYCLES; now++) {
        sum += busy[now];
        if (now == CYCLES / 2)
            ck_assert_uint_gt(sum, CYCLES / 10);
    }
    ck_assert_uint_eq(cache_mshr_cycles(&o.cache, CYCLES), sum);
    /* Fills under way count up to now, and from then on. */
    cache_forget_counts(&o.cache, CYCLES);
    cache_access(&o.cache, 1 << 20, CYCLES, false);
    ck_assert_uint_eq(cache_mshr_cycles(&o.cache, CYCLES + HIT + 10), 10);
    cache_forget_counts(&o.cache, CYCLES + HIT + 10);
    ck_assert_uint_eq(cache_mshr_cycles(&o.cache, CYCLES + HIT + 15), 5);
    ck_assert_uint_eq(cache_mshr_cycles(&o.cache, CYCLES + IDLE), DRAM + CHANNEL - 10);
    one_fini(&o);
}
END_TEST

START_TEST(used_prefetches_count_once)
{
    struct one_level o;
    one_init(&o);
    cache_prefetch(&o.cache, 0, 0);
    cache_prefetch(&o.cache, LINE, 0);
    cache_access(&o.cache, 0, 1000, false);
    cache_access(&o.cache, 8, 1010, false);
    for (uint64_t n = 1; n <= WAYS; n++)
        cache_access(&o.cache, LINE + n * LINE * SETS, 1000 * n, false); /* the other one leaves unused */
    cache_access(&o.cache, LINE, 9000, false);
    ck_assert_uint_eq(o.cache.stats.prefetches, 2);
    ck_assert_uint_eq(o.cache.stats.prefetches_used, 1);
    one_fini(&o);
}
END_TEST

START_TEST(least_recently_used_leaves)
{
    struct one_level o;
    one_init(&o);
    uint64_t stride = LINE * SETS;
    cache_access(&o.cache, 0 * stride, 0, false);
    cache_access(&o.cache, 1 * stride, 1000, false);
    cache_access(&o.cache, 0 * stride, 2000, false);
    cache_access(&o.cache, 2 * stride, 3000, false);
    ck_assert(cache_holds(&o.cache, 0 * stride));
    ck_assert(!cache_holds(&o.cache, 1 * stride));
    ck_assert(cache_holds(&o.cache, 2 * stride));
    one_fini(&o);
}
END_TEST

START_TEST(dirty_lines_are_written_back)
{
    struct one_level o;
    one_init(&o);
    uint64_t stride = LINE * SETS;
    cache_access(&o.cache, 0, 0, true);
    cache_access(&o.cache, stride, 1000, false);
    cache_access(&o.cache, 2 * stride, 2000, false);
    ck_assert_uint_eq(o.cache.stats.writebacks, 1);
    ck_assert_uint_eq(o.dram.writes, 1);
    cache_access(&o.cache, 3 * stride, 3000, false);
    ck_assert_uint_eq(o.cache.stats.writebacks, 1);
    one_fini(&o);
}
END_TEST

START_TEST(mshrs_limit_misses)
{
    struct one_level o;
    one_init(&o);
    uint64_t first = cache_access(&o.cache, 0 * LINE, 0, false).done;
    uint64_t second = cache_access(&o.cache, 1 * LINE, 0, false).done;
    uint64_t third = cache_access(&o.cache, 2 * LINE, 0, false).done;
    ck_assert_uint_eq(first, HIT + DRAM + CHANNEL);
    ck_assert_uint_eq(second, first + CHANNEL); /* another bank, the same channel */
    ck_assert_uint_eq(third, first + DRAM + CHANNEL);
    ck_assert_uint_eq(o.cache.stats.mshr_waits, 1);
    /* A prefetch takes no MSHR that is not free. */
    cache_prefetch(&o.cache, 3 * LINE, 0);
    ck_assert(!cache_holds(&o.cache, 3 * LINE));
    cache_prefetch(&o.cache, 3 * LINE, third);
    ck_assert(cache_holds(&o.cache, 3 * LINE));
    ck_assert_uint_eq(o.cache.stats.prefetches, 1);
    one_fini(&o);
}
END_TEST

START_TEST(banks_conflict)
{
    struct dram d;
    struct dram_timing t = {
        .banks = 1, .line_bytes = LINE, .latency_cycles = DRAM, .bank_cycles = BANK, .line_cycles = CHANNEL};
    dram_init(&d, &t);
    ck_assert_uint_eq(dram_access(&d, 0, 0, false), DRAM + CHANNEL);
    ck_assert_uint_eq(dram_access(&d, 4096, 0, false), BANK + DRAM + CHANNEL);
    ck_assert_uint_eq(d.bank_conflicts, 1);
    ck_assert_uint_eq(d.wait_cycles, BANK);
    dram_fini(&d);
}
END_TEST

/* A row is opened, hit, and closed for another; each access reaches an idle memory. */
START_TEST(dram_rows)
{
    enum { ROW_HIT = 20, PRECHARGE = 15, ROW = 1024 };
    struct dram d;
    struct dram_timing t = {.banks = 2,
                            .line_bytes = LINE,
                            .latency_cycles = DRAM,
                            .bank_cycles = BANK,
                            .line_cycles = CHANNEL,
                            .row_bytes = ROW,
                            .row_hit_cycles = ROW_HIT,
                            .precharge_cycles = PRECHARGE};
    dram_init(&d, &t);
    ck_assert_uint_eq(dram_access(&d, 0, 0, false), DRAM + CHANNEL);
    ck_assert_uint_eq(dram_access(&d, LINE, 10000, false), 10000 + ROW_HIT + CHANNEL);
    ck_assert_uint_eq(dram_access(&d, ROW, 20000, false), 20000 + DRAM + CHANNEL); /* the other bank */
    ck_assert_uint_eq(dram_access(&d, 2 * ROW, 30000, true), 30000 + PRECHARGE + DRAM + CHANNEL);
    ck_assert_uint_eq(dram_access(&d, 0, 40000, false), 40000 + PRECHARGE + DRAM + CHANNEL);
    /* Two hits one behind the other: the bank is free with the channel, which the second one's data do not find busy.
     */
    ck_assert_uint_eq(dram_access(&d, LINE, 50000, false), 50000 + ROW_HIT + CHANNEL);
    ck_assert_uint_eq(dram_access(&d, 2 * LINE, 50000, false), 50000 + ROW_HIT + 2 * CHANNEL);
    ck_assert_uint_eq(d.row_hits, 3);
    ck_assert_uint_eq(d.row_conflicts, 2);
    dram_fini(&d);
}
END_TEST

/* A walk of three levels: cold, each level is a miss to memory; for the next page they are all in the line just read.
 */
START_TEST(walks_through_the_cache)
{
    struct core_config cfg;
    struct hierarchy h;
    enum tlb_miss miss;
    core_config_default(&cfg);
    plain_memory(&cfg);
    cfg.walk_levels = 3;
    hierarchy_init(&h, &cfg);
    uint64_t one = cfg.l2_cycles + cfg.llc_cycles + cfg.dram_cycles + cfg.dram_line_cycles;
    ck_assert_uint_eq(tlb_access(&h.dtlb, 0x100000, 1000, &miss), 1000 + cfg.l2tlb_cycles + 3 * one);
    ck_assert_uint_eq(tlb_access(&h.dtlb, 0x101000, 5000, &miss), 5000 + cfg.l2tlb_cycles + 3 * cfg.l2_cycles);
    ck_assert_uint_eq(tlb_access(&h.dtlb, 0x101000, 6000, &miss), 6000);
    hierarchy_fini(&h);
}
END_TEST

/* Requests in any order of time: no two of them hold the channel at once. */
START_TEST(dram_serves_one_at_a_time)
{
    enum { CYCLES = 20000, LATER = 1000, PLACES = 3 };
    static uint8_t channel[4 * CYCLES];
    struct dram d;
    struct dram_timing t = {.banks = 2,
                            .line_bytes = LINE,
                            .latency_cycles = DRAM,
                            .bank_cycles = BANK,
                            .line_cycles = CHANNEL,
                            .queue = PLACES};
    uint64_t state = 3, early = 0, latest = 0;
    memset(channel, 0, sizeof channel);
    dram_init(&d, &t);
    for (uint64_t now = 0; now < CYCLES; now += 40) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        uint64_t at = now + ((state >> 20) % 4 == 0 ? LATER : 0), addr = state >> 40 << 6;
        uint64_t expected = dram_would_deliver(&d, addr, at);
        uint64_t done = dram_access(&d, addr, at, false);
        ck_assert_uint_eq(done, expected);
        ck_assert_uint_ge(done, at + DRAM + CHANNEL);
        for (uint64_t c = done - CHANNEL; c < done; c++)
            ck_assert_uint_eq(channel[c]++, 0);
        early += done < latest;
        latest = done > latest ? done : latest;
    }
    ck_assert_uint_gt(early, 50);
    dram_fini(&d);
}
END_TEST

/* Data requests that wait for the only MSHR book nothing below for the cycles before they are sent: an instruction miss
 * among them takes as long as alone. From memory it may find another row open and the channel in use. */
START_TEST(waiting_requests_leave_the_levels_below_idle)
{
    struct core_config cfg;
    struct hierarchy *h = calloc(1, sizeof *h);
    core_config_default(&cfg);
    cfg.l1d_mshrs = 1;
    cfg.l1d_next_line = cfg.l1i_next_line = 0;
    hierarchy_init(h, &cfg);
    hierarchy_fetch(h, 0x40000000, 0);
    for (uint64_t i = 1; i <= cfg.l2_ways; i++) /* out of the L1 and L2 caches, which it conflicts with */
        hierarchy_fetch(h, 0x40000000 + i * cfg.l2_bytes / cfg.l2_ways, i * 1000);
    for (uint64_t i = 0; i < 32; i++)
        hierarchy_data(h, i * cfg.line_bytes * 5, 8, 100000, false);
    ck_assert_uint_eq(h->l1d.stats.mshr_waits, 31);
    struct cache_result r = hierarchy_fetch(h, 0x40000000, 100100);
    ck_assert_int_eq(r.level, MEM_LEVEL_LLC);
    ck_assert_uint_eq(r.done, 100100 + cfg.l1i_cycles + cfg.l2_cycles + cfg.llc_cycles);
    r = hierarchy_fetch(h, 0x50000000, 100200);
    uint64_t alone = cfg.l1i_cycles + cfg.l2_cycles + cfg.llc_cycles + cfg.dram_cycles + cfg.dram_line_cycles;
    ck_assert_int_eq(r.level, MEM_LEVEL_DRAM);
    ck_assert_uint_ge(r.done, 100200 + alone);
    ck_assert_uint_le(r.done, 100200 + alone + cfg.dram_precharge_cycles + cfg.dram_line_cycles);
    check_lines(&h->l1d);
    hierarchy_fini(h);
    free(h);
}
END_TEST

/* Two places in the queue: the third request starts when the first has left. */
START_TEST(dram_queue)
{
    struct dram d;
    struct dram_timing t = {.banks = 8,
                            .line_bytes = LINE,
                            .latency_cycles = DRAM,
                            .bank_cycles = BANK,
                            .line_cycles = CHANNEL,
                            .queue = 2};
    dram_init(&d, &t);
    ck_assert_uint_eq(dram_access(&d, 0, 0, false), DRAM + CHANNEL);
    ck_assert_uint_eq(dram_access(&d, LINE, 0, false), DRAM + 2 * CHANNEL);
    ck_assert_uint_eq(dram_access(&d, 2 * LINE, 0, false), DRAM + CHANNEL + DRAM + CHANNEL);
    dram_fini(&d);
}
END_TEST

START_TEST(levels_add_up)
{
    struct core_config cfg;
    struct hierarchy *h = calloc(1, sizeof *h);
    core_config_default(&cfg);
    plain_memory(&cfg);
    cfg.l1d_next_line = 0;
    hierarchy_init(h, &cfg);
    struct cache_result r = hierarchy_data(h, 0x4000, 8, 0, false);
    uint64_t all = cfg.l1d_cycles + cfg.l2_cycles + cfg.llc_cycles + cfg.dram_cycles + cfg.dram_line_cycles;
    ck_assert_uint_eq(r.done, all);
    ck_assert_int_eq(r.level, MEM_LEVEL_DRAM);
    /* Push the line out of L1 with eight others of its set: it comes from L2 then. */
    for (uint64_t i = 1; i <= 8; i++)
        hierarchy_data(h, 0x4000 + i * 4096, 8, i * 1000, false);
    r = hierarchy_data(h, 0x4000, 8, 100000, false);
    ck_assert_uint_eq(r.done, 100000 + cfg.l1d_cycles + cfg.l2_cycles);
    ck_assert_int_eq(r.level, MEM_LEVEL_L2);
    /* Over the end of a line: the later of two. */
    uint64_t before = h->l1d.stats.accesses;
    r = hierarchy_data(h, 0x403c, 8, 200000, false);
    ck_assert_uint_eq(h->l1d.stats.accesses, before + 2);
    ck_assert_uint_eq(r.done, 200000 + all);
    hierarchy_fini(h);
    free(h);
}
END_TEST

START_TEST(perfect_caches)
{
    struct core_config cfg;
    struct hierarchy h;
    enum tlb_miss miss;
    core_config_default(&cfg);
    cfg.perfect_caches = 1;
    hierarchy_init(&h, &cfg);
    for (uint64_t i = 0; i < 100; i++) {
        struct cache_result r = hierarchy_data(&h, i * 4096 + 60, 8, i, i & 1);
        ck_assert_uint_eq(r.done, i + cfg.l1d_cycles);
        ck_assert_int_eq(r.level, MEM_LEVEL_L1);
        ck_assert_int_eq(hierarchy_fetch(&h, i * 4096, i).level, MEM_LEVEL_L1);
        ck_assert_uint_eq(tlb_access(&h.dtlb, i * 4096, i, &miss), i);
        ck_assert(!miss);
    }
    ck_assert_uint_eq(h.l1d.stats.accesses, 200); /* each crosses a line */
    ck_assert_uint_eq(h.l1d.stats.misses + h.l2.stats.accesses + h.l2tlb.accesses, 0);
    hierarchy_fini(&h);
}
END_TEST

/* A permutation of pages, by the seed; what is in a page stays together. */
START_TEST(pages_are_permuted)
{
    enum { PAGES = 4096 };
    const uint64_t page = 1 << TLB_PAGE_BITS, beyond = UINT64_C(3) << 40;
    struct placement p, other;
    static uint64_t frame[PAGES];
    unsigned moved = 0, same = 0;
    placement_init(&p, 1);
    placement_init(&other, 2);
    for (uint64_t n = 0; n < PAGES; n++) {
        frame[n] = placement_physical(&p, n * page);
        ck_assert_uint_eq(frame[n] % page, 0);
        ck_assert_uint_eq(placement_physical(&p, n * page + 1234), frame[n] + 1234);
        ck_assert_uint_eq(placement_physical(&p, beyond + n * page), beyond + frame[n]);
        ck_assert_uint_lt(frame[n], UINT64_C(1) << PLACEMENT_ADDRESS_BITS);
        for (uint64_t before = 0; before < n; before++)
            ck_assert_uint_ne(frame[n], frame[before]);
        moved += frame[n] != n * page;
        same += frame[n] == placement_physical(&other, n * page);
    }
    ck_assert_uint_gt(moved, PAGES - 10);
    ck_assert_uint_lt(same, 10);
}
END_TEST

/* A dirty line of a page that has moved goes back to where it came from. */
START_TEST(placed_pages_are_written_back)
{
    struct core_config cfg;
    struct hierarchy *h = calloc(1, sizeof *h);
    core_config_default(&cfg);
    plain_memory(&cfg);
    cfg.l1d_next_line = 0;
    cfg.l1d_bytes = cfg.line_bytes;
    cfg.l1d_ways = 1;
    hierarchy_init(h, &cfg);
    hierarchy_place_pages(h, 1);
    hierarchy_data(h, 0x4000, 8, 0, true);
    hierarchy_data(h, 0x5000, 8, 10000, false);
    ck_assert_uint_eq(h->l1d.stats.writebacks, 1);
    ck_assert_uint_eq(h->dram.writes, 0);
    ck_assert(cache_holds(&h->l2, placement_physical(&h->placement, 0x4000)));
    ck_assert(!cache_holds(&h->l2, 0x4000));
    hierarchy_fini(h);
    free(h);
}
END_TEST

START_TEST(next_line)
{
    struct core_config cfg;
    struct hierarchy *h = calloc(1, sizeof *h);
    core_config_default(&cfg);
    plain_memory(&cfg);
    hierarchy_init(h, &cfg);
    hierarchy_data(h, 0x4000, 8, 0, false);
    ck_assert(cache_holds(&h->l1d, 0x4040));
    ck_assert(!cache_holds(&h->l1d, 0x4080));
    hierarchy_fini(h);
    free(h);
}
END_TEST

START_TEST(translation)
{
    enum { L2_HIT = 6, WALK = 40 };
    struct tlb_shared s;
    struct tlb t;
    enum tlb_miss miss;
    tlb_shared_init(&s, 16, L2_HIT, WALK);
    tlb_init(&t, 2, &s);
    ck_assert_uint_eq(tlb_access(&t, 0x1000, 0, &miss), L2_HIT + WALK);
    ck_assert_int_eq(miss, TLB_WALK);
    /* This page is on its way; another waits for the walker. */
    ck_assert_uint_eq(tlb_access(&t, 0x1ff8, 5, &miss), L2_HIT + WALK);
    ck_assert_int_eq(miss, TLB_WALK);
    ck_assert_uint_eq(tlb_access(&t, 0x2000, 5, &miss), L2_HIT + 2 * WALK);
    ck_assert_uint_eq(tlb_access(&t, 0x1000, 200, &miss), 200);
    ck_assert_int_eq(miss, TLB_HIT);
    /* A third page pushes out the second, which is in the L2 TLB still. */
    tlb_access(&t, 0x3000, 300, &miss);
    ck_assert_uint_eq(tlb_access(&t, 0x1000, 400, &miss), 400);
    ck_assert_uint_eq(tlb_access(&t, 0x2000, 500, &miss), 500 + L2_HIT);
    ck_assert_int_eq(miss, TLB_MISS);
    ck_assert_uint_eq(s.misses, 3);
    tlb_fini(&t);
    tlb_shared_fini(&s);
}
END_TEST

/* Replacement beside a list of pages in the order of use. Half of the pages have the same hash. */
START_TEST(tlb_replaces_the_least_recently_used)
{
    enum { PAGES = 24, ACCESSES = 4000, L2_HIT = 6, WALK = 40 };
    const uint32_t entries = (uint32_t)_i;
    uint64_t used[PAGES], resident = 0, state = 1;
    struct tlb_shared s;
    struct tlb t;
    enum tlb_miss miss;
    tlb_shared_init(&s, 16, L2_HIT, WALK);
    tlb_init(&t, entries, &s);
    for (uint64_t n = 0, now = 1; n < ACCESSES; n++, now += 1000) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint64_t p = (state >> 33) % (n % 100 < 50 ? PAGES : entries + 1), page = p % 2 == 0 ? p * TLB_HASHES : p;
        uint64_t at = 0;
        while (at < resident && used[at] != page)
            at++;
        (void)tlb_access(&t, page << TLB_PAGE_BITS, now, &miss);
        ck_assert_int_eq(miss == TLB_HIT, at < resident);
        if (at == resident)
            resident += resident < entries;
        for (at = at < resident ? at : resident - 1; at > 0; at--)
            used[at] = used[at - 1];
        used[0] = page;
    }
    tlb_fini(&t);
    tlb_shared_fini(&s);
}
END_TEST

/* ---- warming ---- */

/* One access: code or data, in one line or two, of a few hot lines, a larger part, or anywhere. */
static void access_at_random(uint64_t r, uint64_t now, struct hierarchy *timed, struct warm_ports *warmed,
                             struct lines_pair *pairs)
{
    static const uint64_t parts[] = {1 << 11, 1 << 15, 1 << 19, 1 << 30};
    const uint64_t addr = (r >> 20) % parts[r % 4];
    const uint32_t bytes = 1u << (r >> 4) % 4;
    const bool is_code = (r >> 8) % 4 == 0, is_write = (r >> 10) % 2 != 0;
    struct lines *lines = warmed->data.lines;
    const struct lines_pair *pair = lines_pair_of(lines, pairs, addr);
    enum tlb_miss miss;
    if (is_code) {
        (void)tlb_access(&timed->itlb, addr, now, &miss);
        (void)hierarchy_fetch(timed, addr, now);
        if (!lines_again(lines, &pair->code, addr, 0, false))
            warm_code(warmed, addr);
    } else {
        (void)tlb_access(&timed->dtlb, addr, now, &miss);
        (void)hierarchy_data(timed, addr, bytes, now, is_write);
        if (!lines_again(lines, &pair->data, addr, (r >> 4) % 4, is_write))
            warm_data(warmed, addr, bytes, is_write, (r >> 12) % 16 != 0);
    }
}

/* Warming leaves what accesses leave of which each begins when the last one is over, and counts nothing. `_i`: 1:
 * without a last-level cache, 2: pages are placed, 4: no prefetches, 8: L1 caches of two sets. */
START_TEST(warming_is_access_without_time)
{
    enum { ACCESSES = 50000, APART = 100000 };
    struct core_config config;
    struct hierarchy timed, warmed, *both[] = {&timed, &warmed};
    core_config_default(&config);
    if (_i & 1)
        config.llc_bytes = 0;
    if (_i & 4)
        config.l1d_next_line = config.l1i_next_line = 0;
    if (_i & 8) {
        config.l1d_bytes = 2 * config.l1d_ways * config.line_bytes;
        config.l1i_bytes = 2 * config.l1i_ways * config.line_bytes;
    }
    for (int n = 0; n < 2; n++) {
        hierarchy_init(both[n], &config);
        if (_i & 2)
            hierarchy_place_pages(both[n], 7);
    }
    struct warm_ports ports;
    static struct lines_pair pairs[LINES_PAIRS];
    struct lines lines;
    warm_ports_init(&ports, &warmed, &lines, pairs);
    uint64_t r = 1;
    for (uint64_t n = 1; n <= ACCESSES; n++) {
        r = r * UINT64_C(6364136223846793005) + 1442695040888963407;
        access_at_random(r >> 13, n * APART, &timed, &ports, pairs);
        if (r >> 53 == 0)
            warm_ports_forget(&ports);
    }
    same_hierarchy(&timed, &warmed);
    ck_assert_uint_eq(warmed.l1d.stats.accesses + warmed.l2.stats.misses + warmed.dtlb.accesses + warmed.dram.reads, 0);
    ck_assert_uint_gt(timed.dram.writes, 0);
    for (int n = 0; n < 2; n++)
        hierarchy_fini(both[n]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("caches");
    TCase *t = tcase_create("caches");
    tcase_add_test(t, miss_merge_hit);
    tcase_add_test(t, mshr_cycles_add_up);
    tcase_add_test(t, used_prefetches_count_once);
    tcase_add_test(t, least_recently_used_leaves);
    tcase_add_test(t, dirty_lines_are_written_back);
    tcase_add_test(t, mshrs_limit_misses);
    tcase_add_test(t, banks_conflict);
    tcase_add_test(t, dram_rows);
    tcase_add_test(t, dram_queue);
    tcase_add_test(t, dram_serves_one_at_a_time);
    tcase_add_test(t, waiting_requests_leave_the_levels_below_idle);
    tcase_add_test(t, walks_through_the_cache);
    tcase_add_test(t, levels_add_up);
    tcase_add_test(t, next_line);
    tcase_add_test(t, pages_are_permuted);
    tcase_add_test(t, placed_pages_are_written_back);
    tcase_add_test(t, translation);
    tcase_add_test(t, perfect_caches);
    tcase_add_loop_test(t, tlb_replaces_the_least_recently_used, 1, 9);
    tcase_add_loop_test(t, warming_is_access_without_time, 0, 16);
    suite_add_tcase(s, t);
    return run_suite(s);
}
