/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a run: pauses change nothing, warming saves misses, a new beginning counts from zero and shows observers
 * whole lives. */
#include "tests/unit/guest_core.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/suite.h"

enum { LINES = 200, ROUNDS = 20 };

/* Loads one word of each of LINES lines, ROUNDS times. */
static const struct program *sweep(void)
{
    struct program *p = program_begin();
    addi(p, T0, ZERO, ROUNDS);
    uint32_t round = p->count;
    lui(p, S2, DATA_START);
    addi(p, T1, ZERO, LINES);
    uint32_t line = p->count;
    ld(p, T2, S2, 0);
    add(p, T3, T3, T2);
    addi(p, S2, S2, 192);
    addi(p, T1, T1, -1);
    branch(p, 1, T1, ZERO, line);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, round);
    exit_with(p, ZERO);
    return p;
}

static void sweep_open(struct bench *b, int core)
{
    struct core_config cfg = config_of(core);
    bench_open(b, sweep(), &cfg);
}

static void stop_now(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct bench *b = ctx;
    (void)cycle;
    if (in->seq % 97 == 0)
        b->guest.hart.stop = 1;
}

START_TEST(pauses_change_nothing)
{
    struct bench whole, paused;
    unsigned pauses = 0;
    sweep_open(&whole, _i);
    sweep_open(&paused, _i);
    struct probe_observer o = {.ctx = &paused, .stage = {[PROBE_RETIRED] = stop_now}};
    core_attach(paused.core, &o);
    bench_finish(&whole);
    while (core_run(paused.core, UINT64_MAX) == RV_TRAP_STOP) {
        paused.guest.hart.stop = 0;
        pauses++;
    }
    ck_assert_uint_gt(pauses, 50);
    ck_assert_uint_eq(core_cycle(paused.core), core_cycle(whole.core));
    ck_assert_uint_eq(core_retired(paused.core), core_retired(whole.core));
    bench_close(&whole);
    bench_close(&paused);
}
END_TEST

START_TEST(warming_saves_misses)
{
    struct bench cold, warm;
    const uint64_t skipped = 2 * LINES * 5; /* two rounds */
    sweep_open(&cold, _i);
    sweep_open(&warm, _i);
    ck_assert_int_eq(core_warm(warm.core, skipped, NULL), RV_TRAP_LIMIT);
    ck_assert_uint_eq(warm.guest.hart.instret, skipped);
    ck_assert_int_eq(core_run(cold.core, LINES * 5), RV_TRAP_LIMIT);
    ck_assert_int_eq(core_run(warm.core, LINES * 5), RV_TRAP_LIMIT);
    ck_assert_uint_eq(core_retired(warm.core), LINES * 5);
    ck_assert_uint_eq(warm.guest.hart.instret, skipped + LINES * 5);
    ck_assert_uint_lt(2 * core_cycle(warm.core), core_cycle(cold.core));
    bench_close(&cold);
    bench_close(&warm);
}
END_TEST

/* Warming does not stop at an odd address, at which no instruction is, nor does it wait there. */
START_TEST(warming_passes_odd_addresses)
{
    struct bench b;
    sweep_open(&b, _i);
    const uint64_t odd = b.guest.hart.pc + 1;
    ck_assert_int_eq(core_warm(b.core, 2000, &odd), RV_TRAP_LIMIT);
    ck_assert_uint_eq(b.guest.hart.instret, 2000);
    bench_close(&b);
}
END_TEST

/* Cycles after warming by 2,000 instructions. Where page faults are modelled, each instruction is warmed by rv_exec,
 * else only the unusual ones are; all pages have been accessed then, so none faults. */
static uint64_t cycles_after_warming(int core, uint32_t page_fault_cycles)
{
    struct bench b;
    struct core_config cfg = config_of(core);
    cfg.page_fault_cycles = page_fault_cycles;
    bench_open(&b, eventful_loop(ROUNDS * 20), &cfg);
    ck_assert_int_eq(core_warm(b.core, 2000, NULL), RV_TRAP_LIMIT);
    ck_assert_int_eq(core_run(b.core, 1000), RV_TRAP_LIMIT);
    const uint64_t cycles = core_cycle(b.core);
    bench_close(&b);
    return cycles;
}

START_TEST(both_ways_to_warm_are_equal)
{
    ck_assert_uint_eq(cycles_after_warming(_i, 0), cycles_after_warming(_i, 5000));
}
END_TEST

struct lives {
    uint64_t fetched, ended, before; /* before: endings of instructions whose fetch was not seen */
    uint64_t first_seq;
};

static void life_begins(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct lives *l = ctx;
    (void)cycle;
    if (l->fetched++ == 0)
        l->first_seq = in->seq;
}

static void life_ends(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct lives *l = ctx;
    (void)cycle;
    l->ended++;
    l->before += in->stage_cycle[PROBE_FETCHED] == 0 || in->seq < l->first_seq;
}

START_TEST(beginning_anew)
{
    struct bench b, whole;
    struct lives l = {0};
    sweep_open(&b, _i);
    sweep_open(&whole, _i);
    bench_finish(&whole);
    ck_assert_int_eq(core_run(b.core, 1234), RV_TRAP_LIMIT);
    uint64_t clock = core_clock(b.core);
    core_begin(b.core);
    core_check(b.core);
    ck_assert_uint_eq(core_clock(b.core), clock);
    ck_assert_uint_eq(core_cycle(b.core), 0);
    ck_assert_uint_eq(core_retired(b.core), 0);
    struct probe_observer o = {
        .ctx = &l,
        .cycles = PROBE_ALL_CYCLES,
        .stage = {[PROBE_FETCHED] = life_begins, [PROBE_RETIRED] = life_ends, [PROBE_SQUASHED] = life_ends}};
    core_attach(b.core, &o);
    bench_finish(&b);
    ck_assert_uint_eq(core_retired(b.core) + 1234, core_retired(whole.core));
    ck_assert_uint_eq(l.before, 0);
    ck_assert_uint_eq(l.fetched, l.ended);
    bench_close(&b);
    bench_close(&whole);
}
END_TEST

START_TEST(skipping_to_a_place)
{
    struct bench b;
    sweep_open(&b, OOO);
    uint64_t place = CODE_START + 9 * 4; /* behind the inner loop */
    ck_assert_int_eq(core_skip(&b.guest, UINT64_MAX, &place), RV_TRAP_LIMIT);
    ck_assert_uint_eq(b.guest.hart.pc, place);
    ck_assert_uint_gt(b.guest.hart.instret, LINES * 5);
    place = 4;
    ck_assert_int_eq(core_skip(&b.guest, UINT64_MAX, &place), RV_TRAP_NONE);
    ck_assert(b.guest.process->exited);
    bench_close(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("regions");
    TCase *t = tcase_create("both cores");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, pauses_change_nothing, 0, 2);
    tcase_add_loop_test(t, warming_saves_misses, 0, 2);
    tcase_add_loop_test(t, warming_passes_odd_addresses, 0, 2);
    tcase_add_loop_test(t, both_ways_to_warm_are_equal, 0, 2);
    tcase_add_loop_test(t, beginning_anew, 0, 2);
    tcase_add_test(t, skipping_to_a_place);
    suite_add_tcase(s, t);
    return run_suite(s);
}
