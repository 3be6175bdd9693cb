/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory behind the caches, and translation. */
#include "core-model/mem/hierarchy.h"
#include "tests/micro/micro.h"

/* ---- DRAM: the time of the last of some requests, each `apart` lines behind the one before it, that come in one cycle
 * ---- */
static uint64_t requests(const struct micro *m, unsigned n, uint64_t apart)
{
    struct hierarchy h;
    uint64_t done = 0;
    hierarchy_init(&h, &m->cfg);
    for (unsigned i = 0; i < n; i++)
        done = dram_access(&h.dram, i * apart * m->cfg.line_bytes, 0, false);
    hierarchy_fini(&h);
    return done;
}

/* Two neighbours: in two banks the second waits for the channel, in one for the bank. */
static uint64_t neighbours(const struct micro *m) { return requests(m, 2, 1); }
static uint64_t neighbours_expected(const struct micro *m)
{
    const struct core_config *c = &m->cfg;
    uint64_t wait = c->dram_banks == 1 ? c->dram_bank_cycles : c->dram_line_cycles;
    return c->dram_cycles + c->dram_line_cycles + wait;
}
static void one_bank(struct micro *m) { m->cfg.dram_banks = 1; }

/* Three in different banks, of which the queue takes so many at a time: a further one starts when the first has left.
 */
static uint64_t three(const struct micro *m) { return requests(m, 3, 1); }
static uint64_t three_expected(const struct micro *m)
{
    uint64_t memory = m->cfg.dram_cycles, line = m->cfg.dram_line_cycles, places = m->cfg.dram_queue;
    if (places == 0 || places >= 3)
        return memory + 3 * line;
    return places == 1 ? 3 * (memory + line) : 2 * (memory + line);
}

/* A second access, when all is quiet again: to the row that is open, or to another row of the bank. */
static uint64_t later(const struct micro *m, uint64_t addr)
{
    struct hierarchy h;
    hierarchy_init(&h, &m->cfg);
    dram_access(&h.dram, 0, 0, false);
    uint64_t cycles = dram_access(&h.dram, addr, 100000, false) - 100000;
    hierarchy_fini(&h);
    return cycles;
}
static uint64_t same_row(const struct micro *m) { return later(m, m->cfg.line_bytes); }
static uint64_t same_row_expected(const struct micro *m)
{
    return (m->cfg.dram_row_bytes > m->cfg.line_bytes ? m->cfg.dram_row_hit_cycles : m->cfg.dram_cycles) +
           m->cfg.dram_line_cycles;
}
static uint64_t other_row(const struct micro *m) { return later(m, m->cfg.dram_row_bytes); }
static uint64_t other_row_expected(const struct micro *m)
{
    return m->cfg.dram_precharge_cycles + m->cfg.dram_cycles + m->cfg.dram_line_cycles;
}
static void with_rows(struct micro *m)
{
    m->cfg.dram_row_bytes = 1024;
    m->cfg.dram_banks = 1;
}

/* ---- translation: `kind` of a row is which L1 TLB ---- */
enum { DTLB, ITLB, PAGE = 4096, PAGES = 128 };

/* Pages touched in order and then backwards: how many of the second touches hit the L1 TLB, and how many the L2 TLB? */
static void there_and_back(const struct micro *m, uint64_t *l1_hits, uint64_t *l2_hits)
{
    struct hierarchy h;
    enum tlb_miss miss;
    hierarchy_init(&h, &m->cfg);
    struct tlb *t = m->kind == ITLB ? &h.itlb : &h.dtlb;
    for (uint64_t i = 0; i < PAGES; i++)
        tlb_access(t, i * PAGE, i * 10000, &miss);
    ck_assert_uint_eq(h.l2tlb.misses, PAGES);
    *l1_hits = 0;
    for (uint64_t i = PAGES; i-- > 0;) {
        tlb_access(t, i * PAGE, (3 * PAGES - i) * 10000, &miss);
        *l1_hits += !miss;
    }
    *l2_hits = PAGES - *l1_hits - (h.l2tlb.misses - PAGES);
    hierarchy_fini(&h);
}
static uint64_t l1_tlb_hits(const struct micro *m)
{
    uint64_t l1, l2;
    there_and_back(m, &l1, &l2);
    return l1;
}
static uint64_t l2_tlb_hits(const struct micro *m)
{
    uint64_t l1, l2;
    there_and_back(m, &l1, &l2);
    return l2;
}
static uint64_t l1_tlb_expected(const struct micro *m)
{
    return m->kind == ITLB ? m->cfg.itlb_entries : m->cfg.dtlb_entries;
}
/* It has the pages touched last, of which the L1 TLB answers for its own. */
static uint64_t l2_tlb_expected(const struct micro *m) { return m->cfg.l2tlb_entries - m->cfg.dtlb_entries; }
static void small_l1_tlbs(struct micro *m) { m->cfg.itlb_entries = m->cfg.dtlb_entries = 1; }

/* A load to a page that has not been touched. */
static void gate_alone(struct scene *s) { scene_gate(s); }
static uint64_t new_page_time(const struct micro *m)
{
    struct scene *s = scene_run(m, gate_alone);
    uint64_t cycles = scene_at(s, s->gate, PROBE_LOAD_COMPLETED) - scene_at(s, s->gate, PROBE_ISSUED);
    scene_free(s);
    return cycles;
}
static uint64_t new_page_time_expected(const struct micro *m)
{
    const struct core_config *c = &m->cfg;
    return c->load_cycles + c->l2tlb_cycles + c->walk_cycles + c->l1d_cycles + c->l2_cycles + c->llc_cycles +
           c->dram_cycles + c->dram_line_cycles;
}

/* A cold walk: as many reads from memory, one behind the other, as there are levels. */
static uint64_t walk_time(const struct micro *m)
{
    struct hierarchy h;
    enum tlb_miss miss;
    hierarchy_init(&h, &m->cfg);
    uint64_t cycles = tlb_access(&h.dtlb, 0, 0, &miss);
    hierarchy_fini(&h);
    return cycles;
}
static uint64_t walk_time_expected(const struct micro *m)
{
    const struct core_config *c = &m->cfg;
    uint64_t read = c->l2_cycles + c->llc_cycles + c->dram_cycles + c->dram_line_cycles;
    return c->l2tlb_cycles + (c->walk_levels == 0 ? c->walk_cycles : c->walk_levels * read);
}

/* One line of each of some pages that have sets of their own in a direct-mapped L2 cache if they are placed in the
 * order of their addresses: how many does it hold in the end? */
enum { FRAMES = 64, SEED = 1 };
static void direct_mapped(struct micro *m)
{
    m->cfg.l2_bytes = FRAMES << TLB_PAGE_BITS;
    m->cfg.l2_ways = 1;
}
static uint64_t pages_held(const struct micro *m)
{
    struct hierarchy h;
    struct placement placement;
    uint64_t held = 0;
    hierarchy_init(&h, &m->cfg);
    placement_init(&placement, SEED);
    if (m->cfg.page_placement != 0)
        hierarchy_place_pages(&h, SEED);
    for (uint64_t n = 0; n < FRAMES; n++)
        hierarchy_data(&h, n << TLB_PAGE_BITS, 8, n * 10000, false);
    for (uint64_t n = 0; n < FRAMES; n++) {
        uint64_t addr = n << TLB_PAGE_BITS;
        held += cache_holds(&h.l2, m->cfg.page_placement != 0 ? placement_physical(&placement, addr) : addr);
    }
    hierarchy_fini(&h);
    return held;
}
/* The pages' sets. */
static uint64_t pages_held_expected(const struct micro *m)
{
    bool used[FRAMES] = {false};
    struct placement placement;
    uint64_t sets = 0;
    placement_init(&placement, SEED);
    for (uint64_t n = 0; n < FRAMES; n++) {
        uint64_t addr = n << TLB_PAGE_BITS,
                 physical = m->cfg.page_placement != 0 ? placement_physical(&placement, addr) : addr,
                 set = (physical >> TLB_PAGE_BITS) % FRAMES;
        sets += !used[set];
        used[set] = true;
    }
    return sets;
}

static const struct micro_row rows[] = {
    {"dram_banks", MICRO_SHARED, VALUES(1, 2, 8), .measure = neighbours, .expect = neighbours_expected},
    {"dram_bank_cycles", MICRO_SHARED, VALUES(10, 90, 1000), .set = one_bank, .measure = neighbours,
     .expect = neighbours_expected},
    {"dram_queue", MICRO_SHARED, VALUES(0, 1, 2, 3), .measure = three, .expect = three_expected},
    {"dram_row_bytes", MICRO_SHARED, VALUES(0, 64, 1024), .measure = same_row, .expect = same_row_expected},
    {"dram_row_hit_cycles", MICRO_SHARED, VALUES(1, 70), .set = with_rows, .measure = same_row,
     .expect = same_row_expected},
    {"dram_precharge_cycles", MICRO_SHARED, VALUES(0, 45), .set = with_rows, .measure = other_row,
     .expect = other_row_expected},
    {"page_placement", MICRO_SHARED, VALUES(0, 1), .set = direct_mapped, .measure = pages_held,
     .expect = pages_held_expected},
    {"itlb_entries", MICRO_SHARED, .kind = ITLB, VALUES(1, 5, 32), .measure = l1_tlb_hits, .expect = l1_tlb_expected},
    {"dtlb_entries", MICRO_SHARED, .kind = DTLB, VALUES(1, 5, 32), .measure = l1_tlb_hits, .expect = l1_tlb_expected},
    {"l2tlb_entries", MICRO_SHARED, .kind = DTLB, VALUES(1, 16, 128), .set = small_l1_tlbs, .measure = l2_tlb_hits,
     .expect = l2_tlb_expected},
    {"l2tlb_cycles", MICRO_BOTH, VALUES(1, 6, 100), .measure = new_page_time, .expect = new_page_time_expected},
    {"walk_cycles", MICRO_BOTH, VALUES(1, 40, 1000), .measure = new_page_time, .expect = new_page_time_expected},
    {"walk_levels", MICRO_SHARED, VALUES(0, 1, 3), .measure = walk_time, .expect = walk_time_expected},
};
MICRO_TABLE(memory, rows);
