/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The caches: what they hold, how long each level takes, how many misses are under way. */
#include "core-model/mem/hierarchy.h"
#include "tests/micro/micro.h"

/* ---- contents: `kind` of a row is the level ---- */
enum { L1I, L1D, L2, LLC };

static const struct cache *level(const struct hierarchy *h, unsigned kind)
{
    const struct cache *const caches[] = {&h->l1i, &h->l1d, &h->l2, &h->llc};
    return caches[kind];
}

static void touch(struct hierarchy *h, unsigned kind, uint64_t addr, uint64_t now)
{
    if (kind == L1I)
        hierarchy_fetch(h, addr, now);
    else
        hierarchy_data(h, addr, 8, now, false);
}

/* Of `lines` lines `stride` bytes apart, touched one after the other, how many does the level hold in the end? */
static uint64_t held(const struct micro *m, uint64_t lines, uint64_t stride)
{
    struct hierarchy h;
    uint64_t n = 0;
    hierarchy_init(&h, &m->cfg);
    for (uint64_t i = 0; i < lines; i++)
        touch(&h, m->kind, i * stride, i * 10000);
    for (uint64_t i = 0; i < lines; i++)
        n += cache_holds(level(&h, m->kind), i * stride);
    hierarchy_fini(&h);
    return n;
}

static uint32_t size_of(const struct micro *m)
{
    const uint32_t bytes[] = {m->cfg.l1i_bytes, m->cfg.l1d_bytes, m->cfg.l2_bytes, m->cfg.llc_bytes};
    return bytes[m->kind];
}
static uint32_t ways_of(const struct micro *m)
{
    const uint32_t ways[] = {m->cfg.l1i_ways, m->cfg.l1d_ways, m->cfg.l2_ways, m->cfg.llc_ways};
    return ways[m->kind];
}

/* More neighbouring lines than it has place for. */
static uint64_t capacity(const struct micro *m)
{
    return held(m, 2 * size_of(m) / m->cfg.line_bytes, m->cfg.line_bytes);
}
static uint64_t capacity_expected(const struct micro *m) { return size_of(m) / m->cfg.line_bytes; }
/* Lines that all belong to one set. */
static uint64_t associativity(const struct micro *m) { return held(m, 20, size_of(m) / ways_of(m)); }
static uint64_t associativity_expected(const struct micro *m) { return ways_of(m); }

static void tiny(struct micro *m)
{
    m->cfg.l1i_bytes = m->cfg.l1d_bytes = 1024;
    m->cfg.l2_bytes = 2048;
    m->cfg.llc_bytes = 4096;
    m->cfg.l1i_ways = m->cfg.l1d_ways = m->cfg.l2_ways = m->cfg.llc_ways = 2;
}

/* Lines that 1 kB needs. */
static uint64_t lines(const struct micro *m)
{
    struct hierarchy h;
    hierarchy_init(&h, &m->cfg);
    for (uint64_t addr = 0; addr < 1024; addr += 8)
        touch(&h, L1D, addr, addr * 1000);
    uint64_t n = h.l1d.stats.misses;
    hierarchy_fini(&h);
    return n;
}
static uint64_t lines_expected(const struct micro *m) { return 1024 / m->cfg.line_bytes; }

/* ---- latencies, in the core; what others left behind does not keep the banks busy ---- */
static void free_banks(struct micro *m) { m->cfg.dram_bank_cycles = 1; }
static uint64_t below_l1(const struct core_config *c)
{
    if (c->perfect_caches)
        return 0;
    return c->l2_cycles + (c->llc_bytes != 0 ? c->llc_cycles : 0) + c->dram_cycles + c->dram_line_cycles;
}

/* A load from memory; its page is known from the load before it, on which it depends. */
static void second_load(struct scene *s)
{
    scene_gate(s);
    add(&s->p, A0, T1, S4);
    sub(&s->p, A0, A0, S2);
    s->ops = s->p.count;
    ld(&s->p, A1, A0, 1024);
}
static uint64_t miss_time(const struct micro *m)
{
    struct scene *s = scene_run(m, second_load);
    uint64_t cycles = scene_at(s, s->ops, PROBE_LOAD_COMPLETED) - scene_at(s, s->ops, PROBE_ISSUED);
    scene_free(s);
    return cycles;
}
static uint64_t miss_time_expected(const struct micro *m)
{
    return m->cfg.load_cycles + m->cfg.l1d_cycles + below_l1(&m->cfg);
}

/* The first instruction of the second line, after the last of the first: fetch tries in the cycle after that. */
static uint64_t fetch_miss_time(const struct micro *m)
{
    struct program *p = program_begin();
    uint32_t first = m->cfg.line_bytes / 4;
    while (p->count < 2 * first)
        addi(p, ZERO, ZERO, 0);
    exit_with(p, ZERO);
    struct run *r = run_program(p, &m->cfg);
    uint64_t cycles = life_at(r, first, 0)->at[PROBE_FETCHED] - life_at(r, first - 1, 0)->at[PROBE_FETCHED];
    run_free(r);
    return cycles;
}
/* Prefetched with the first line's miss, it has still to arrive: it left the L1 cache in the same cycle, and waits for
 * the channel. */
static uint64_t fetch_miss_time_expected(const struct micro *m)
{
    const struct core_config *c = &m->cfg;
    return 1 + (c->l1i_next_line ? c->dram_line_cycles - 1 : c->l1i_cycles + below_l1(c));
}

/* The line behind one that missed, long after. */
static uint64_t next_line_time(const struct micro *m)
{
    struct hierarchy h;
    hierarchy_init(&h, &m->cfg);
    touch(&h, L1D, 0, 0);
    uint64_t cycles = hierarchy_data(&h, m->cfg.line_bytes, 8, 10000, false).done - 10000;
    hierarchy_fini(&h);
    return cycles;
}
static uint64_t next_line_time_expected(const struct micro *m)
{
    return m->cfg.l1d_cycles + (m->cfg.l1d_next_line ? 0 : below_l1(&m->cfg));
}

/* ---- outstanding misses: five at once, from level `kind` on; the fifth is in batch 4 / MSHRs, and waits for the
 * channel behind those of its batch. Two to one line need one MSHR. ---- */
enum { MISSES = 5 };
static uint64_t fifth_miss(const struct micro *m)
{
    struct hierarchy h;
    uint64_t done = 0;
    hierarchy_init(&h, &m->cfg);
    for (uint64_t i = 0; i < MISSES; i++) {
        done = hierarchy_data(&h, i * m->cfg.line_bytes, 8, 0, false).done;
        ck_assert_uint_eq(hierarchy_data(&h, i * m->cfg.line_bytes + 8, 8, 0, false).done, done);
    }
    hierarchy_fini(&h);
    return done;
}
static uint64_t fifth_miss_expected(const struct micro *m)
{
    const struct core_config *c = &m->cfg;
    uint64_t mshrs = m->kind == L1D  ? c->l1d_mshrs
                     : m->kind == L2 ? c->l2_mshrs
                                     : c->llc_mshrs,
             memory = c->dram_cycles + c->dram_line_cycles;
    uint64_t above = m->kind == L1D  ? c->l1d_cycles
                     : m->kind == L2 ? c->l1d_cycles + c->l2_cycles
                                     : c->l1d_cycles + c->l2_cycles + c->llc_cycles;
    uint64_t held_cycles = m->kind == L1D  ? c->l2_cycles + c->llc_cycles + memory
                           : m->kind == L2 ? c->llc_cycles + memory
                                           : memory;
    uint64_t batch = (MISSES - 1) / mshrs, place = (MISSES - 1) % mshrs;
    return above + (batch + 1) * held_cycles + place * c->dram_line_cycles;
}

/* Fetch waits for one line at a time: what a second MSHR is for is the prefetch. */
static uint64_t code_prefetches(const struct micro *m)
{
    struct hierarchy h;
    hierarchy_init(&h, &m->cfg);
    touch(&h, L1I, 0, 0);
    uint64_t n = h.l1i.stats.prefetches;
    hierarchy_fini(&h);
    return n;
}
static uint64_t code_prefetches_expected(const struct micro *m) { return m->cfg.l1i_mshrs > 1; }
static void prefetching(struct micro *m) { m->cfg.l1i_next_line = 1; }

#define CONTENTS(name, level)                                                                                 \
    {name "_bytes",                                                                                           \
     MICRO_SHARED,                                                                                            \
     .kind = level,                                                                                           \
     VALUES(level == LLC ? 8192 : 1024, 2048 << (level == LLC) * 3),                                          \
     .set = tiny,                                                                                             \
     .measure = capacity,                                                                                     \
     .expect = capacity_expected},                                                                            \
    {                                                                                                         \
        name "_ways", MICRO_SHARED, .kind = level, VALUES(1, 2, 4, 8), .set = tiny, .measure = associativity, \
                                    .expect = associativity_expected                                          \
    }
/* ---- coherence: what an access of hart 1 waits for after hart 0 has had the line ---- */
enum { FIRST_WRITES = 1, SECOND_HAS = 2, SECOND_WRITES = 4 };

static uint64_t shared_access(const struct micro *m)
{
    enum { ADDR = 0x40000, LATER = 10000 };
    struct hierarchy h[2];
    for (int n = 0; n < 2; n++)
        hierarchy_init(&h[n], &m->cfg);
    struct directory *d = directory_new(&h[0], m->cfg.transfer_cycles, m->cfg.invalidate_cycles);
    for (int n = 0; n < 2; n++)
        hierarchy_join(&h[n], &h[0], d);
    (void)hierarchy_data(&h[0], ADDR, 8, LATER, (m->kind & FIRST_WRITES) != 0);
    if (m->kind & SECOND_HAS)
        (void)hierarchy_data(&h[1], ADDR, 8, 2 * LATER, false);
    uint64_t took = hierarchy_data(&h[1], ADDR, 8, 3 * LATER, (m->kind & SECOND_WRITES) != 0).done - 3 * LATER;
    directory_check(d);
    for (int n = 0; n < 2; n++)
        hierarchy_fini(&h[n]);
    directory_free(d);
    return took;
}

/* Through the last-level cache to the other hart. */
static uint64_t transfer_expected(const struct micro *m)
{
    return m->cfg.l1d_cycles + m->cfg.l2_cycles + m->cfg.llc_cycles + m->cfg.transfer_cycles;
}

static uint64_t invalidate_expected(const struct micro *m)
{
    return m->cfg.l1d_cycles + m->cfg.l2_cycles + m->cfg.llc_cycles + m->cfg.invalidate_cycles;
}

static const struct micro_row rows[] = {
    CONTENTS("l1i", L1I),
    CONTENTS("l1d", L1D),
    CONTENTS("llc", LLC),
    {"l2_bytes", MICRO_SHARED, .kind = L2, VALUES(1024, 2048, 4096), .set = tiny, .measure = capacity,
     .expect = capacity_expected},
    {"l2_ways", MICRO_SHARED, .kind = L2, VALUES(1, 2, 4, 8), .set = tiny, .measure = associativity,
     .expect = associativity_expected},
    {"line_bytes", MICRO_SHARED, VALUES(64, 128, 256), .measure = lines, .expect = lines_expected},
    {"l1d_cycles", MICRO_BOTH, VALUES(1, 3, 30), .set = free_banks, .measure = miss_time, .expect = miss_time_expected},
    {"l2_cycles", MICRO_BOTH, VALUES(1, 12, 100), .set = free_banks, .measure = miss_time,
     .expect = miss_time_expected},
    {"llc_cycles", MICRO_BOTH, VALUES(1, 26, 1000), .set = free_banks, .measure = miss_time,
     .expect = miss_time_expected},
    {"perfect_caches", MICRO_BOTH, VALUES(0, 1), .set = free_banks, .measure = miss_time, .expect = miss_time_expected},
    {"llc_bytes", MICRO_BOTH, VALUES(0, 1 << 20), .set = free_banks, .measure = miss_time,
     .expect = miss_time_expected},
    {"dram_cycles", MICRO_BOTH, VALUES(1, 120, 3000), .set = free_banks, .measure = miss_time,
     .expect = miss_time_expected},
    {"dram_line_cycles", MICRO_BOTH, VALUES(1, 8, 100), .set = free_banks, .measure = miss_time,
     .expect = miss_time_expected},
    {"l1i_cycles", MICRO_BOTH, VALUES(1, 2, 30), .measure = fetch_miss_time, .expect = fetch_miss_time_expected},
    {"l1i_next_line", MICRO_BOTH, VALUES(0, 1), .measure = fetch_miss_time, .expect = fetch_miss_time_expected},
    {"l1i_mshrs", MICRO_SHARED, VALUES(1, 2), .set = prefetching, .measure = code_prefetches,
     .expect = code_prefetches_expected},
    {"l1d_next_line", MICRO_SHARED, VALUES(0, 1), .measure = next_line_time, .expect = next_line_time_expected},
    {"l1d_mshrs", MICRO_SHARED, .kind = L1D, VALUES(1, 2, 3, 8), .set = free_banks, .measure = fifth_miss,
     .expect = fifth_miss_expected},
    {"l2_mshrs", MICRO_SHARED, .kind = L2, VALUES(1, 2, 3, 8), .set = free_banks, .measure = fifth_miss,
     .expect = fifth_miss_expected},
    {"llc_mshrs", MICRO_SHARED, .kind = LLC, VALUES(1, 2, 3, 8), .set = free_banks, .measure = fifth_miss,
     .expect = fifth_miss_expected},
    {"transfer_cycles", MICRO_SHARED, VALUES(0, 24, 100), .kind = FIRST_WRITES, .measure = shared_access,
     .expect = transfer_expected},
    {"invalidate_cycles", MICRO_SHARED, VALUES(0, 16, 100), .kind = SECOND_HAS | SECOND_WRITES,
     .measure = shared_access, .expect = invalidate_expected},
    {"invalidate_cycles", MICRO_SHARED, VALUES(0, 16, 100), .kind = SECOND_WRITES, .measure = shared_access,
     .expect = invalidate_expected},
};
MICRO_TABLE(caches, rows);
