/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gains from graphs of dependences beside those of a run without the cause, for programs in which both must agree to
 * the cycle; and that a graph has the cycles of the run that it is of. */
#include "core-model/ideal.h"
#include "core-model/prof/graph/graph_window.h"
#include "core-model/prof/observers.h"
#include "tests/unit/ideal_guest.h"
#include "tests/unit/suite.h"

static void setup(void) { begin_with(OOO); }

/* The gain that the graph estimates for the instruction at a word. */
static double graph_gain(const char *profiler, uint32_t word, uint32_t causes)
{
    struct bench b;
    struct errmsg err;
    struct ideal *ideal = ideal_new();
    struct observers *set = observers_new();
    double gain = 0;
    ideal_add(ideal, 0, UINT64_MAX, IDEAL_ICACHE);
    bench_open(&b, &program, &cfg);
    ck_assert(core_idealise(b.core, ideal));
    ck_assert_int_eq(observers_create(set, profiler, 1, &err), ST_OK);
    observers_attach(set, b.core);
    bench_finish(&b);
    observers_finish(set, core_cycle(b.core), &b.guest.hart);
    const struct graph_profile *p = observers_graphs(set)->profile;
    ck_assert_uint_eq(p->retired, core_retired(b.core));
    if (p->is_whole)
        ck_assert_uint_eq(p->covered, p->retired);
    for (size_t n = 0; n < p->rows; n++)
        if (p->row[n].pc == CODE_START + 4 * word && p->row[n].causes == causes)
            gain = p->row[n].gain;
    observers_free(set);
    bench_close(&b);
    ideal_free(ideal);
    return gain;
}

/* The estimate, and the gain of a run without the cause, in cycles. */
static void graph_agrees(uint32_t word, uint32_t causes, uint64_t at_least)
{
    const uint64_t gain = cycles_without() - cycles_with((struct choice){word, causes}, (struct choice){0});
    ck_assert_uint_ge(gain, at_least);
    ck_assert_double_eq(graph_gain("graph", word, causes), (double)gain);
}

START_TEST(a_serial_miss)
{
    lui(&program, S2, DATA_START);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    chain_from(T1, CHAIN);
    end();
    graph_agrees(load, IDEAL_DTLB | IDEAL_L1D, cfg.dram_cycles);
}
END_TEST

START_TEST(a_filled_line_credits_its_neighbour)
{
    lui(&program, S2, DATA_START);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    ld(&program, T2, S2, 8);
    add(&program, T2, T1, T2);
    chain_from(T2, CHAIN);
    end();
    graph_agrees(load, IDEAL_DTLB | IDEAL_L1D, cfg.dram_cycles);
}
END_TEST

START_TEST(a_hidden_miss)
{
    lui(&program, S2, DATA_START);
    addi(&program, S3, ZERO, 1);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    for (unsigned n = 0; n < 40; n++)
        div_(&program, S6, S6, S3);
    add(&program, S6, S6, T1);
    end();
    graph_agrees(load, IDEAL_DTLB | IDEAL_L1D, 0);
    graph_agrees(load + 20, IDEAL_LATENCY, cfg.div_cycles - 1);
}
END_TEST

START_TEST(a_branch_behind_a_miss)
{
    lui(&program, S2, DATA_START);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    const uint32_t at = program.count;
    branch(&program, 0, T1, ZERO, at + 2);
    addi(&program, S7, ZERO, 1);
    chain_from(S6, 40);
    end();
    graph_agrees(load, IDEAL_DTLB | IDEAL_L1D, cfg.dram_cycles);
    graph_agrees(at, IDEAL_BRANCH, 20);
}
END_TEST

/* The divisions issue in order; the second one gains the time for which it waits, too. */
START_TEST(two_divisions_for_one_unit)
{
    cfg.div_units = 1;
    cfg.div_pipelined = 0;
    addi(&program, S3, ZERO, 1);
    const uint32_t division = program.count;
    div_(&program, S6, S3, S3);
    div_(&program, S7, S3, S3);
    add(&program, S6, S6, S7);
    chain_from(S6, CHAIN);
    end();
    graph_agrees(division, IDEAL_LATENCY, cfg.div_cycles - 1);
    /* The run executes the second one without its latency before the first one: a cycle that the graph does not have.
     */
    const struct choice second = {division + 1, IDEAL_LATENCY}, none = {0};
    const uint64_t gain = cycles_without() - cycles_with(second, none);
    ck_assert_uint_eq(gain, cfg.div_cycles);
    ck_assert_double_eq(graph_gain("graph", division + 1, IDEAL_LATENCY), (double)gain - 1);
}
END_TEST

/* A value goes through memory: the load waits for the datum of the store. */
START_TEST(a_forwarded_datum)
{
    lui(&program, S2, DATA_START);
    addi(&program, S3, ZERO, 1);
    sd(&program, S3, S2, 0);
    const uint32_t division = program.count;
    for (unsigned n = 0; n < 20; n++) /* longer than the page walk */
        div_(&program, S6, n == 0 ? S3 : S6, S3);
    sd(&program, S6, S2, 0);
    ld(&program, T1, S2, 0);
    chain_from(T1, CHAIN);
    end();
    graph_agrees(division, IDEAL_LATENCY, cfg.div_cycles - 1);
}
END_TEST

/* A loop with a branch of random direction. */
static uint32_t random_loop(int rounds)
{
    lui(&program, S2, DATA_START);
    addi(&program, S6, ZERO, 77);
    addi(&program, S7, ZERO, rounds);
    addi(&program, S3, ZERO, 1103);
    const uint32_t top = program.count;
    mul(&program, S6, S6, S3);
    addi(&program, S6, S6, 331);
    srli(&program, T1, S6, 33);
    andi(&program, T1, T1, 1);
    const uint32_t at = program.count;
    branch(&program, 0, T1, ZERO, program.count + 2);
    sd(&program, S6, S2, 0);
    ld(&program, T2, S2, 0);
    addi(&program, S7, S7, -1);
    branch(&program, 1, S7, ZERO, top);
    end();
    return at;
}

/* The predictor learns other directions without the branch's mispredictions, so the run's gain is not the graph's. */
START_TEST(a_random_branch)
{
    const uint32_t at = random_loop(2000);
    const double gain = (double)(cycles_without() - cycles_with((struct choice){at, IDEAL_BRANCH}, (struct choice){0}));
    const double whole = graph_gain("graph", at, IDEAL_BRANCH);
    ck_assert_double_gt(gain, 2000);
    ck_assert_double_eq_tol(whole, gain, 0.02 * gain);
    ck_assert_double_eq_tol(graph_gain("graph:window=64", at, IDEAL_BRANCH), whole, 0.01 * whole);
    ck_assert_double_eq_tol(graph_gain("graph:window=64:period=200", at, IDEAL_BRANCH), whole, 0.1 * whole);
}
END_TEST

/* ---- the run's cycles ---- */

static void graph_add_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct graph_window *w = ctx;
    graph_window_add(w, in, cycle);
    if (!graph_window_is_full(w))
        return;
    graph_explain(&w->graph);
    /* No node has this question. */
    ck_assert_int_eq(graph_answer(&w->graph, INT32_MAX, INT32_MAX, w->graph.context, w->graph.nodes), 0);
    graph_window_remove(w, w->graph.nodes - w->graph.context - w->graph.tail);
}

START_TEST(without_a_question_the_cycles_are_those_of_the_run)
{
    struct bench b;
    struct graph_window w;
    (void)random_loop(1000);
    graph_window_init(&w, &cfg, 100);
    bench_open(&b, &program, &cfg);
    const struct probe_listener listener = {
        .ctx = &w, .cycles = GRAPH_WINDOW_CYCLES, .values = true, .stage = {[PROBE_RETIRED] = graph_add_retired}};
    core_subscribe(b.core, &listener);
    bench_finish(&b);
    ck_assert_int_gt(w.start, 5000);
    bench_close(&b);
    graph_window_fini(&w);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("graph");
    TCase *t = tcase_create("graph");
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, a_serial_miss);
    tcase_add_test(t, a_filled_line_credits_its_neighbour);
    tcase_add_test(t, a_hidden_miss);
    tcase_add_test(t, a_branch_behind_a_miss);
    tcase_add_test(t, two_divisions_for_one_unit);
    tcase_add_test(t, a_forwarded_datum);
    tcase_add_test(t, a_random_branch);
    tcase_add_test(t, without_a_question_the_cycles_are_those_of_the_run);
    suite_add_tcase(s, t);
    return run_suite(s);
}
