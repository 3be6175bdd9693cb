/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Idealised instructions of the in-order core: gains by the rules of its issue stage and its write buffer, known by
 * hand. What it gains as the out-of-order core does is in test_ideal.c. */
#include "core-model/prof/log/lockstep.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/ideal_guest.h"
#include "tests/unit/suite.h"

/* Two issue slots, which nothing but the test's own instructions fills. */
static void setup(void)
{
    begin_with(INORDER);
    cfg.commit_width = 2;
    cfg.alu_units = 2;
}

static uint64_t issued_at(const struct run *r, uint32_t word) { return life_at(r, word, 0)->at[PROBE_ISSUED]; }

/* A chain behind a mispredicted branch that waits for a miss. */
START_TEST(a_right_prediction_gains_the_way_through_the_front_end)
{
    lui(&program, S2, DATA_START);
    ld(&program, T1, S2, 0);
    const uint32_t at = program.count;
    branch(&program, 0, T1, ZERO, at + 2); /* taken; a predictor that knows nothing says not taken */
    addi(&program, S7, ZERO, 1);
    chain_from(S6, CHAIN);
    end();
    const struct choice none = {0};
    struct run *r = run_with(none, none), *right = run_with((struct choice){at, IDEAL_BRANCH}, none);
    ck_assert_uint_eq(issued_at(r, at), issued_at(right, at));
    ck_assert_uint_eq(issued_at(right, at + 2), issued_at(right, at)); /* in the second slot */
    /* Resolution, redirection, front end, and a cycle from the issue stage's entry to issue. */
    const uint64_t gain = cfg.branch_cycles + cfg.redirect_cycles + cfg.frontend_cycles + 1;
    ck_assert_uint_eq(issued_at(r, at + 2), issued_at(r, at) + gain);
    ck_assert_uint_eq(core_cycle(r->core) - core_cycle(right->core), gain);
    run_free(r);
    run_free(right);
}
END_TEST

/* A division, and an addition that writes the same register, which a chain reads. */
START_TEST(a_result_waits_for_no_older_one)
{
    div_(&program, S6, ZERO, ZERO);
    const uint32_t addition = program.count;
    addi(&program, S6, ZERO, 1);
    chain_from(S6, 3 * CHAIN);
    end();
    const struct choice none = {0};
    struct run *r = run_with(none, none), *ideal = run_with((struct choice){addition, IDEAL_DEPENDENCE}, none);
    ck_assert_uint_lt(cfg.div_cycles, 3 * CHAIN);
    ck_assert_uint_eq(issued_at(r, addition), issued_at(r, addition - 1) + cfg.div_cycles - cfg.alu_cycles);
    ck_assert_uint_eq(issued_at(ideal, addition), issued_at(ideal, addition - 1));
    ck_assert_uint_eq(core_cycle(r->core) - core_cycle(ideal->core), cfg.div_cycles - cfg.alu_cycles);
    run_free(r);
    run_free(ideal);
}
END_TEST

/* A store and, two cycles later, a load that may not issue then: the chain is as long as its wait is not. */
START_TEST(a_load_two_cycles_after_a_store_needs_no_slot)
{
    lui(&program, S2, DATA_START);
    ld(&program, T1, S2, 0);
    add(&program, S2, S2, T1); /* the line is there, and the datum is 0 */
    const uint32_t store = program.count;
    sd(&program, ZERO, S2, 0);
    chain_from(S6, 3);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    chain_from(T1, CHAIN);
    end();
    const struct choice none = {0}, choices[] = {{load, IDEAL_UNIT}, {store, IDEAL_UNIT}};
    struct run *r = run_with(none, none);
    ck_assert_uint_eq(issued_at(r, load), issued_at(r, store) + 3);
    for (unsigned n = 0; n < 2; n++) {
        struct run *ideal = run_with(choices[n], none);
        ck_assert_uint_eq(issued_at(ideal, load), issued_at(ideal, store) + 2);
        ck_assert_uint_eq(core_cycle(r->core) - core_cycle(ideal->core), 1);
        run_free(ideal);
    }
    run_free(r);
}
END_TEST

/* Two stores share no cycle. */
START_TEST(a_store_needs_no_slot)
{
    lui(&program, S2, DATA_START);
    const uint32_t store = program.count;
    sd(&program, ZERO, S2, 0);
    sd(&program, ZERO, S2, 8);
    chain_from(S6, CHAIN);
    end();
    const struct choice none = {0}, tlb = {store, IDEAL_DTLB}, unit = {store, IDEAL_DTLB | IDEAL_UNIT};
    struct run *r = run_with(tlb, none), *ideal = run_with(unit, none);
    ck_assert_uint_eq(issued_at(r, store + 1), issued_at(r, store) + 1);
    ck_assert_uint_eq(issued_at(ideal, store + 1), issued_at(ideal, store));
    run_free(r);
    run_free(ideal);
}
END_TEST

/* A byte is stored to a line that the cache does not have, and a load reads it, or the byte at `offset`, in the same
 * line. */
static uint32_t stored_in_part(int offset)
{
    program.count = 0;
    lui(&program, S2, DATA_START);
    sb(&program, ZERO, S2, 0);
    const uint32_t load = program.count;
    ld(&program, T1, S2, offset);
    chain_from(T1, CHAIN);
    end();
    return load;
}
static struct run *run_stored_in_part(uint32_t load, uint32_t causes)
{
    return run_with((struct choice){load - 1, IDEAL_DTLB}, (struct choice){load, IDEAL_DTLB | causes});
}
START_TEST(a_part_in_the_write_buffer_is_forwarded)
{
    uint32_t load = stored_in_part(0);
    struct run *r = run_stored_in_part(load, 0), *ideal = run_stored_in_part(load, IDEAL_FORWARD);
    const uint64_t forwarded = cfg.load_cycles + cfg.forward_cycles,
                   before = life_at(r, load, 0)->at[PROBE_READY_TO_RETIRE] - issued_at(r, load);
    ck_assert_uint_gt(before, cfg.dram_cycles); /* the store is sent, and the load merges with its miss */
    ck_assert_uint_eq(life_at(ideal, load, 0)->at[PROBE_READY_TO_RETIRE] - issued_at(ideal, load), forwarded);
    ck_assert_uint_ne(life_at(ideal, load, 0)->events & PROBE_FORWARDED, 0);
    ck_assert_uint_eq(core_cycle(r->core) - core_cycle(ideal->core), before - forwarded);
    run_free(r);
    run_free(ideal);
    load = stored_in_part(8); /* no store writes its data */
    r = run_stored_in_part(load, 0);
    ideal = run_stored_in_part(load, IDEAL_FORWARD);
    ck_assert_uint_eq(life_at(ideal, load, 0)->events & PROBE_FORWARDED, 0);
    ck_assert_uint_eq(core_cycle(r->core), core_cycle(ideal->core));
    run_free(r);
    run_free(ideal);
}
END_TEST

/* No load overtakes a store. */
START_TEST(ordering_has_no_effect)
{
    struct ideal *ideal = ideal_new();
    ideal_add(ideal, 0, UINT64_MAX, IDEAL_ORDERING);
    const struct program *p = loop_of_everything(50);
    struct run *r = run_program(p, &cfg), *ordered = run_ideal_program(p, &cfg, ideal);
    ck_assert_uint_eq(core_cycle(r->core), core_cycle(ordered->core));
    run_free(r);
    run_free(ordered);
    ideal_free(ideal);
}
END_TEST

/* Each cause of all instructions, and all causes. */
START_TEST(results_stay)
{
    struct run *base = run_program(loop_of_everything(50), &cfg);
    uint64_t cycles = 0;
    for (unsigned n = 0; n <= IDEAL_BITS; n++) {
        struct bench b;
        struct ideal *ideal = ideal_new();
        ideal_add(ideal, 0, UINT64_MAX, n < IDEAL_BITS ? 1u << n : IDEAL_EVERY_CAUSE);
        bench_open(&b, loop_of_everything(50), &cfg);
        struct lockstep *k = lockstep_new(b.core, &b.guest);
        observer_attach(lockstep_observer(k), b.core);
        ck_assert(core_idealise(b.core, ideal));
        bench_finish(&b);
        ck_assert_uint_eq(lockstep_compared(k), core_retired(b.core));
        ck_assert_uint_eq(core_retired(b.core), core_retired(base->core));
        cycles = core_cycle(b.core);
        observer_release(lockstep_observer(k));
        bench_close(&b);
        ideal_free(ideal);
    }
    ck_assert_uint_lt(cycles, core_cycle(base->core));
    run_free(base);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ideal inorder");
    TCase *t = tcase_create("gains");
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, a_right_prediction_gains_the_way_through_the_front_end);
    tcase_add_test(t, a_result_waits_for_no_older_one);
    tcase_add_test(t, a_load_two_cycles_after_a_store_needs_no_slot);
    tcase_add_test(t, a_store_needs_no_slot);
    tcase_add_test(t, a_part_in_the_write_buffer_is_forwarded);
    tcase_add_test(t, ordering_has_no_effect);
    tcase_add_test(t, results_stay);
    suite_add_tcase(s, t);
    return run_suite(s);
}
