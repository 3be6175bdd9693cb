/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coherence of the harts' private caches: states after each access, worked out by hand from the MESI protocol, and the
 * directory's invariants under random accesses. */
#include "base/random.h"
#include "core-model/mem/hierarchy.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

enum { HARTS = 4, ADDR = 0x40000 };

struct system {
    struct core_config cfg;
    struct hierarchy hart[HARTS];
    struct directory *directory;
    uint64_t now;
};

static void open_system(struct system *s, bool tiny)
{
    core_config_default(&s->cfg);
    s->cfg.l1d_next_line = s->cfg.l1i_next_line = 0;
    if (tiny) {
        s->cfg.l1i_bytes = s->cfg.l1d_bytes = 512;
        s->cfg.l2_bytes = 1024;
        s->cfg.llc_bytes = 4096;
        s->cfg.l1i_ways = s->cfg.l1d_ways = s->cfg.l2_ways = s->cfg.llc_ways = 2;
        s->cfg.l1d_next_line = 1;
    }
    s->now = 0;
    for (int n = 0; n < HARTS; n++)
        hierarchy_init(&s->hart[n], &s->cfg);
    s->directory = directory_new(&s->hart[0], s->cfg.transfer_cycles, s->cfg.invalidate_cycles);
    for (int n = 0; n < HARTS; n++)
        hierarchy_join(&s->hart[n], &s->hart[0], s->directory);
}

static void close_system(struct system *s)
{
    directory_check(s->directory);
    for (int n = 0; n < HARTS; n++)
        hierarchy_fini(&s->hart[n]);
    directory_free(s->directory);
}

static void access_line(struct system *s, unsigned hart, bool is_write)
{
    (void)hierarchy_data(&s->hart[hart], ADDR, 8, s->now += 1000, is_write);
    directory_check(s->directory);
}

/* The state of the line in the hart's L1 cache: M, E, S or I. */
static char state(const struct system *s, unsigned hart)
{
    const struct cache *c = &s->hart[hart].l1d;
    const struct cache_line *l = cache_find(c, ADDR >> c->line_bits);
    return l == NULL ? 'I' : l->shared ? 'S' : l->dirty ? 'M' : 'E';
}

static void expect(const struct system *s, const char *states)
{
    for (unsigned n = 0; n < HARTS; n++)
        ck_assert_msg(state(s, n) == states[n], "hart %u: %c, expected %s", n, state(s, n), states);
}

START_TEST(states_follow_mesi)
{
    static const struct {
        unsigned hart;
        bool is_write;
        const char *states;
    } steps[] = {
        {0, false, "EIII"}, {0, true, "MIII"},  {1, false, "SSII"}, {2, false, "SSSI"},
        {1, true, "IMII"},  {1, false, "IMII"}, {3, true, "IIIM"},  {0, true, "MIII"},
        {0, false, "MIII"}, {2, false, "SISI"}, {3, false, "SISS"}, {2, true, "IIMI"},
    };
    struct system s;
    open_system(&s, false);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        access_line(&s, steps[i].hart, steps[i].is_write);
        expect(&s, steps[i].states);
    }
    ck_assert_uint_eq(s.hart[1].coherence.upgrades, 1);
    ck_assert_uint_eq(s.hart[1].coherence.hitm, 1);
    ck_assert_uint_eq(s.hart[3].coherence.hitm, 1);
    ck_assert_uint_eq(s.hart[0].coherence.invalidations, 2);
    close_system(&s);
}
END_TEST

/* The hart's L1 cache evicts the line, its L2 cache does not. */
static void evict_from_l1(struct system *s, unsigned hart)
{
    uint64_t step = s->cfg.l1d_bytes / s->cfg.l1d_ways;
    for (uint64_t i = 1; cache_holds(&s->hart[hart].l1d, ADDR); i++) /* by others of its set */
        (void)hierarchy_data(&s->hart[hart], ADDR + i * step, 8, s->now += 1000, false);
    ck_assert(cache_holds(&s->hart[hart].l2, ADDR));
}

/* The line may also be only in a hart's L2 cache. */
START_TEST(a_line_in_l2_is_coherent)
{
    struct system s;
    open_system(&s, false);
    access_line(&s, 0, true);
    evict_from_l1(&s, 0);
    access_line(&s, 1, true);
    ck_assert(!cache_holds(&s.hart[0].l2, ADDR));
    ck_assert_uint_eq(s.hart[1].coherence.hitm, 1);
    close_system(&s);
}
END_TEST

/* An L1 cache that is filled from a shared line of its L2 cache may not write to it. */
START_TEST(a_line_of_a_shared_one_in_l2_is_shared)
{
    struct system s;
    open_system(&s, false);
    access_line(&s, 0, false);
    access_line(&s, 1, false);
    evict_from_l1(&s, 0);
    struct cache *others[] = {&s.hart[1].l1d, &s.hart[1].l2};
    for (int n = 0; n < 2; n++) /* silently */
        cache_find(others[n], ADDR >> others[n]->line_bits)->tag = CACHE_NO_LINE;
    access_line(&s, 0, false);
    expect(&s, "SIII");
    access_line(&s, 0, true);
    expect(&s, "MIII");
    ck_assert_uint_eq(s.hart[0].coherence.upgrades, 1);
    close_system(&s);
}
END_TEST

START_TEST(an_eviction_from_the_last_level_takes_all_copies)
{
    struct system s;
    open_system(&s, true);
    access_line(&s, 0, true);
    for (uint64_t i = 1; i <= 4; i++)
        (void)hierarchy_data(&s.hart[1], ADDR + i * s.cfg.llc_bytes / s.cfg.llc_ways, 8, s.now += 1000, false);
    ck_assert_int_eq(state(&s, 0), 'I');
    ck_assert(!cache_holds(&s.hart[0].l2, ADDR));
    ck_assert_uint_ge(s.hart[0].dram.writes, 1);
    close_system(&s);
}
END_TEST

/* A request made while another hart's is under way waits for it. */
START_TEST(a_requested_line_is_busy)
{
    struct system s;
    open_system(&s, false);
    struct cache_result r = hierarchy_data(&s.hart[0], ADDR, 8, 100, true);
    ck_assert_uint_eq(hierarchy_busy_until(&s.hart[1], ADDR, 101, true), r.done);
    ck_assert_uint_eq(hierarchy_busy_until(&s.hart[1], ADDR, 101, false), r.done);
    ck_assert_uint_eq(hierarchy_busy_until(&s.hart[0], ADDR, 101, true), 0);
    ck_assert_uint_eq(hierarchy_busy_until(&s.hart[1], ADDR, r.done, true), 0);
    close_system(&s);
}
END_TEST

/* Hits are made in the L1 cache alone. */
static void access_as_cores_do(struct hierarchy *h, uint64_t addr, uint64_t now, bool is_write)
{
    struct cache_result r;
    bool is_split = (addr & h->line_mask) + 8 > h->line_mask + 1;
    if (is_split || !cache_hit(&h->l1d, addr, now, is_write, &r))
        (void)hierarchy_data(h, addr, 8, now, is_write);
}

START_TEST(invariants_hold_under_random_accesses)
{
    enum { ACCESSES = 20000, LINES = 200, CHECKED = 16 };
    struct random random = {.state = 7};
    struct system s;
    open_system(&s, true);
    for (int i = 0; i < ACCESSES; i++) {
        unsigned hart = random_below(&random, HARTS);
        uint64_t addr = ADDR + (uint64_t)random_below(&random, LINES) * 64 + random_below(&random, 60);
        s.now += random_below(&random, 30);
        if (random_below(&random, 8) == 0)
            (void)hierarchy_fetch(&s.hart[hart], addr, s.now);
        else
            access_as_cores_do(&s.hart[hart], addr, s.now, random_below(&random, 3) == 0);
        if (i % CHECKED == 0)
            directory_check(s.directory);
    }
    for (int n = 0; n < HARTS; n++)
        ck_assert_uint_gt(s.hart[n].coherence.hitm, 0);
    close_system(&s);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("directory");
    TCase *t = tcase_create("directory");
    tcase_add_test(t, states_follow_mesi);
    tcase_add_test(t, a_line_in_l2_is_coherent);
    tcase_add_test(t, a_line_of_a_shared_one_in_l2_is_shared);
    tcase_add_test(t, an_eviction_from_the_last_level_takes_all_copies);
    tcase_add_test(t, a_requested_line_is_busy);
    tcase_add_test(t, invariants_hold_under_random_accesses);
    suite_add_tcase(s, t);
    return s;
}

int main(void) { return run_suite(make_suite()); }
