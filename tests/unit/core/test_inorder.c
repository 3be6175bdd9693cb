/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The in-order core: micro-programs whose cycle counts are computed by hand, the slotting rules, the rules of the probe
 * stream, and the lock-step check over a program of everything. All runs check the core's invariants in every cycle. */
#include "core-model/prof/log/lockstep.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/pipe_loop.h"
#include "tests/unit/suite.h"

/* Two issue slots, and nothing else in the way. */
static struct core_config dual(void)
{
    struct core_config cfg = plain_config(INORDER);
    cfg.commit_width = 2;
    cfg.alu_units = 2;
    cfg.store_queue = 6;
    return cfg;
}

static void body_stores(struct program *p)
{
    for (int i = 0; i < BODY; i++)
        sd(p, T1, S2, 8);
}

/* The loop's own addi and branch depend on each other and take two cycles, of which pairing may hide some. */
START_TEST(slots_and_scoreboard)
{
    struct core_config cfg = dual();
    uint64_t independent = slope(body_independent, &cfg);
    ck_assert_uint_ge(independent, LOOPS * (BODY / 2));
    ck_assert_uint_le(independent, LOOPS * (BODY / 2 + 1));
    uint64_t chain = slope(body_chain, &cfg);
    ck_assert_uint_ge(chain, LOOPS * BODY);
    ck_assert_uint_le(chain, LOOPS * (BODY + 2));
}
END_TEST

START_TEST(stores_issue_alone)
{
    struct core_config cfg = dual();
    cfg.store_units = cfg.mem_ports = 2;
    uint64_t stores = slope(body_stores, &cfg);
    ck_assert_uint_ge(stores, LOOPS * BODY);
    ck_assert_uint_le(stores, LOOPS * (BODY + 3));
}
END_TEST

/* The store pairs with the loop's branch, then a pair of operations; the load would pair with the third, two cycles
 * after the store. */
START_TEST(no_load_two_cycles_after_a_store)
{
    struct core_config cfg = dual();
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, T0, ZERO, 10);
    uint32_t top = p->count;
    sd(p, S2, S2, 64);
    addi(p, T1, ZERO, 1);
    addi(p, T2, ZERO, 1);
    addi(p, T3, ZERO, 1);
    uint32_t load = p->count;
    ld(p, T4, S2, 128);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, ZERO);
    struct run *r = run_program(p, &cfg);
    const struct life *s = life_at(r, top, 8), *before = life_at(r, load - 1, 8), *l = life_at(r, load, 8);
    ck_assert_uint_eq(before->at[PROBE_ISSUED], s->at[PROBE_ISSUED] + 2);
    ck_assert_uint_eq(l->at[PROBE_ISSUED], s->at[PROBE_ISSUED] + 3);
    run_free(r);
}
END_TEST

/* More lines than the write buffer holds, in a burst: the seventh store waits until the first is in the cache. */
START_TEST(write_buffer_fills)
{
    struct core_config cfg = dual();
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    ld(p, T1, S2, 0);
    add(p, T1, T1, T1); /* the translation is there when the stores come */
    uint32_t first = p->count;
    for (int i = 0; i < 10; i++)
        sd(p, ZERO, S2, 192 * (i + 1));
    exit_with(p, ZERO);
    struct run *r = run_program(p, &cfg);
    uint64_t start = life_at(r, first, 0)->at[PROBE_ISSUED];
    for (uint32_t i = 1; i < 6; i++)
        ck_assert_uint_eq(life_at(r, first + i, 0)->at[PROBE_ISSUED], start + i);
    uint64_t miss = cfg.l1d_cycles + cfg.l2_cycles + cfg.llc_cycles + cfg.dram_cycles + cfg.dram_line_cycles;
    /* The first leaves for the cache in the cycle in which the second issues. */
    ck_assert_uint_eq(life_at(r, first + 6, 0)->at[PROBE_ISSUED], start + 1 + miss);
    run_free(r);
}
END_TEST

/* Ten stores to two lines take two entries of the write buffer, where one entry is kept until a second line is stored
 * to. A load of what an entry holds gets it from there; one of what it holds in part sends it off and reads the cache.
 */
START_TEST(write_buffer_merges)
{
    struct core_config cfg = dual();
    cfg.store_queue = 2;
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    ld(p, T1, S2, 0);
    ld(p, T2, S2, 128);
    add(p, T1, T1, T2); /* lines and translation are there when the stores come */
    uint32_t first = p->count;
    for (int i = 0; i < 5; i++)
        sd(p, ZERO, S2, 8 * i);
    for (int i = 0; i < 5; i++)
        sd(p, ZERO, S2, 128 + 8 * i);
    sb(p, ZERO, S2, 168);
    uint32_t held = p->count;
    ld(p, T3, S2, 144);
    ld(p, T4, S2, 168);
    exit_with(p, ZERO);
    struct run *r = run_program(p, &cfg);
    uint64_t start = life_at(r, first, 0)->at[PROBE_ISSUED];
    for (uint32_t i = 1; i <= 10; i++)
        ck_assert_uint_eq(life_at(r, first + i, 0)->at[PROBE_ISSUED], start + i);
    const struct life *whole = life_at(r, held, 0), *part = life_at(r, held + 1, 0);
    ck_assert_uint_ne(whole->events & PROBE_FORWARDED, 0);
    ck_assert_uint_eq(whole->at[PROBE_LOAD_COMPLETED] - whole->at[PROBE_ISSUED], cfg.load_cycles + cfg.forward_cycles);
    ck_assert_uint_eq(part->events & PROBE_FORWARDED, 0);
    ck_assert_uint_eq(part->at[PROBE_LOAD_COMPLETED] - part->at[PROBE_ISSUED], cfg.load_cycles + cfg.l1d_cycles);
    run_free(r);
}
END_TEST

START_TEST(lockstep_agrees)
{
    struct core_config cfg = dual();
    struct bench b;
    bench_open(&b, loop_of_everything(300), &cfg);
    struct lockstep *k = lockstep_new(b.core, &b.guest);
    observer_attach(lockstep_observer(k), b.core);
    /* In pieces: a pause changes nothing, and neither does a new beginning what is computed. */
    ck_assert_int_eq(core_run(b.core, 1000), RV_TRAP_LIMIT);
    ck_assert_uint_eq(core_retired(b.core), 1000);
    bench_finish(&b);
    ck_assert_uint_eq(lockstep_compared(k), core_retired(b.core));
    observer_release(lockstep_observer(k));
    bench_close(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("inorder");
    TCase *t = tcase_create("timing");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, slots_and_scoreboard);
    tcase_add_test(t, stores_issue_alone);
    tcase_add_test(t, no_load_two_cycles_after_a_store);
    tcase_add_test(t, write_buffer_fills);
    tcase_add_test(t, write_buffer_merges);
    tcase_add_test(t, lockstep_agrees);
    suite_add_tcase(s, t);
    return run_suite(s);
}
