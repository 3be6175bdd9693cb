/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gains from graphs of dependences beside those of a run without the cause, for programs in which both must agree to
 * the cycle; and that a graph has the cycles of the run that it is of. */
#include <math.h>

#include "core-model/ideal.h"
#include "core-model/prof/graph/graph_window.h"
#include "core-model/prof/observer.h"
#include "core-model/prof/observers.h"
#include "tests/unit/ideal_guest.h"
#include "tests/unit/suite.h"

static uint32_t fetch_ideal; /* cause that all instructions are without, so that nothing hides behind misses of fetch */

static void setup(void)
{
    begin_with(OOO);
    fetch_ideal = IDEAL_ICACHE;
}

/* What the graph says of the instruction at a word and a cause; no events: nothing. */
static struct graph_row graph_row_of(const char *profiler, uint32_t word, uint32_t causes)
{
    struct bench b;
    struct errmsg err;
    struct ideal *ideal = ideal_new();
    struct observers *set = observers_new();
    struct graph_row row = {.removed = NULL};
    ideal_add(ideal, 0, UINT64_MAX, fetch_ideal);
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
            row = p->row[n];
    row.removed = NULL;
    observers_free(set);
    bench_close(&b);
    ideal_free(ideal);
    return row;
}

/* The gain in cycles that it estimates. */
static double graph_gain(const char *profiler, uint32_t word, uint32_t causes)
{
    return graph_row_of(profiler, word, causes).gain;
}

/* The share of a long operation's executions that have no slack; sets the mean of the slacks in cycles. */
static double graph_slack_of(uint32_t word, double *slack)
{
    const struct graph_row r = graph_row_of("graph", word, IDEAL_LATENCY);
    *slack = (double)r.slack / (double)r.events;
    return (double)r.critical / (double)r.events;
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

/* The instructions before and behind an access to the flags overlap only without it. */
START_TEST(an_instruction_that_is_alone)
{
    chain_from(S6, 20);
    const uint32_t at = program.count;
    fsflags(&program, ZERO);
    chain_from(S7, 20);
    end();
    graph_agrees(at, IDEAL_FLUSH, 20);
}
END_TEST

/* It must be alone whatever is removed, so there is no question. */
START_TEST(an_instruction_that_stays_alone)
{
    chain_from(S6, 20);
    const uint32_t at = program.count;
    rdcycle(&program, T1);
    chain_from(S7, 20);
    end();
    graph_agrees(at, IDEAL_FLUSH, 0);
}
END_TEST

/* The line that an atomic writes is fetched whatever is removed. What its translation takes besides is not known. */
START_TEST(an_atomic)
{
    lui(&program, S2, DATA_START);
    lui(&program, S3, DATA_START + PAGE_BYTES);
    ld(&program, T1, S2, 0);
    addi(&program, T1, T1, 0);
    const uint32_t at = program.count;
    amoadd(&program, T1, ZERO, S3);
    chain_from(T1, CHAIN);
    end();
    const struct choice line = {at, IDEAL_L1D}, none = {0};
    ck_assert_uint_eq(cycles_without(), cycles_with(line, none));
    ck_assert_double_eq(graph_gain("graph", at, IDEAL_DTLB | IDEAL_L1D), 0);
    ck_assert_double_eq(graph_gain("graph", at, IDEAL_DTLB), 0);
}
END_TEST

/* A load of bytes of which the last store has one waits until the cache has that. */
START_TEST(a_store_that_has_a_part)
{
    lui(&program, S2, DATA_START);
    ld(&program, T1, S2, 0);
    add(&program, S3, S2, T1); /* the datum is 0 */
    sb(&program, ZERO, S3, 0);
    const uint32_t load = program.count;
    ld(&program, T1, S3, 0);
    chain_from(T1, CHAIN);
    end();
    graph_agrees(load, IDEAL_FORWARD | IDEAL_ORDERING, 1);
}
END_TEST

START_TEST(a_store_without_a_translation)
{
    lui(&program, S2, DATA_START);
    const uint32_t at = program.count;
    sd(&program, ZERO, S2, 0);
    end();
    graph_agrees(at, IDEAL_DTLB, 10);
}
END_TEST

/* Cycles of the run in which fetch misses; `hits`: but that of the instruction at the word. */
static uint64_t cycles_fetching(uint32_t word, bool hits)
{
    struct ideal *ideal = ideal_new();
    ideal_add(ideal, CODE_START + 4 * word, CODE_START + 4 * word + 4, hits ? IDEAL_ICACHE : 0);
    struct run *r = run_ideal_program(&program, &cfg, ideal);
    const uint64_t cycles = core_cycle(r->core);
    run_free(r);
    ideal_free(ideal);
    return cycles;
}

/* A packet in the second line of the code, which nothing prefetches. */
START_TEST(a_miss_of_fetch)
{
    cfg.l1i_next_line = 0;
    fetch_ideal = 0;
    while (program.count < LINE_BYTES / 4)
        addi(&program, S6, S6, 1);
    chain_from(S7, CHAIN);
    end();
    const uint64_t gain = cycles_fetching(LINE_BYTES / 4, false) - cycles_fetching(LINE_BYTES / 4, true);
    ck_assert_uint_gt(gain, 20);
    ck_assert_double_eq(graph_gain("graph", LINE_BYTES / 4, IDEAL_ICACHE), (double)gain);
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

/* ---- several causes together ---- */

enum { SETS = 4 };

/* The gains that the graph estimates without the causes of each set of instructions, in cycles. */
static void graph_gains_asked(const struct ideal *const asked[SETS], double gain[SETS])
{
    struct bench b;
    struct errmsg err;
    struct ideal *ideal = ideal_new();
    struct observers *set = observers_new();
    ideal_add(ideal, 0, UINT64_MAX, fetch_ideal);
    bench_open(&b, &program, &cfg);
    ck_assert(core_idealise(b.core, ideal));
    ck_assert_int_eq(observers_create(set, "graph", 1, &err), ST_OK);
    observers_ask_graph(set, asked, SETS);
    observers_attach(set, b.core);
    bench_finish(&b);
    observers_finish(set, core_cycle(b.core), &b.guest.hart);
    const struct graph_profile *p = observers_graphs(set)->profile;
    ck_assert_uint_eq(p->questions, SETS);
    memcpy(gain, p->asked, SETS * sizeof *gain);
    observers_free(set);
    bench_close(&b);
    ideal_free(ideal);
}

static struct ideal *graph_causes_at(uint32_t word, uint32_t causes)
{
    struct ideal *t = ideal_new();
    ideal_add(t, CODE_START + 4 * word, CODE_START + 4 * word + 4, causes);
    return t;
}

/* Two misses at the same time: each hides the other. The graph has a load's misses of cache and TLB only together, and
 * does not have waits for units. */
START_TEST(two_misses_at_the_same_time)
{
    enum { MISS = IDEAL_DTLB | IDEAL_L1D };
    lui(&program, S2, DATA_START);
    lui(&program, S3, DATA_START + PAGE_BYTES);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    ld(&program, T2, S3, 0);
    add(&program, T1, T1, T2);
    chain_from(T1, CHAIN);
    end();
    struct ideal *both = graph_causes_at(load, MISS), *first = graph_causes_at(load, MISS),
                 *part = graph_causes_at(load, IDEAL_L1D), *unit = graph_causes_at(load, MISS | IDEAL_UNIT);
    ideal_add(both, CODE_START + 4 * load + 4, CODE_START + 4 * load + 8, MISS);
    double gain[SETS];
    graph_gains_asked((const struct ideal *const[SETS]){both, first, part, unit}, gain);
    const struct choice one = {load, MISS}, other = {load + 1, MISS};
    ck_assert_double_eq(gain[0], (double)(cycles_without() - cycles_with(one, other)));
    ck_assert_double_eq(gain[1], graph_gain("graph", load, MISS));
    ck_assert_double_gt(gain[0], gain[1] + graph_gain("graph", load + 1, MISS) + 50);
    ck_assert(isnan(gain[2]) && isnan(gain[3]));
    ideal_free(both);
    ideal_free(first);
    ideal_free(part);
    ideal_free(unit);
}
END_TEST

/* ---- the run's cycles ---- */

/* A question of no node gains nothing, wherever the answer ends. */
static void graph_add_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct graph_window *w = ctx;
    struct graph *g = &w->graph;
    graph_window_add(w, in, cycle);
    if (!graph_window_is_full(w))
        return;
    graph_explain(g);
    for (int32_t end = g->context + 1; end <= g->nodes - g->tail; end += 7)
        ck_assert_int_eq(graph_answer(g, INT32_MAX, INT32_MAX, g->context, end), 0);
    graph_window_remove(w, g->nodes - g->context - g->tail);
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

/* ---- slack ---- */

/* Whether the window's last instruction retires in the same cycle if the execution of node n takes `more` cycles. */
static bool graph_ends_in_time(struct graph *g, int32_t n, int32_t more)
{
    g->node[n].rest[GRAPH_DONE] += more;
    const int32_t gain = graph_answer(g, INT32_MAX, INT32_MAX, n, g->nodes);
    g->node[n].rest[GRAPH_DONE] -= more;
    return gain == 0;
}

/* Slacks of the window's nodes beside those that later executions show. A slack is never too long. It is exact where no
 * queue is full, and for most nodes where one is. */
struct graph_slacks {
    struct graph_window window;
    int32_t nodes, exact, critical;
};

static void graph_compare_slack(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct graph_slacks *s = ctx;
    struct graph *g = &s->window.graph;
    graph_window_add(&s->window, in, cycle);
    if (!graph_window_is_full(&s->window))
        return;
    graph_explain(g);
    graph_find_slack(g);
    for (int32_t n = g->context; n < g->nodes - g->tail; n++) {
        const int32_t slack = graph_slack(g, n, GRAPH_DONE);
        ck_assert_int_ge(slack, 0);
        ck_assert(graph_ends_in_time(g, n, slack));
        s->nodes++;
        s->critical += slack == 0;
        s->exact += !graph_ends_in_time(g, n, slack + 1);
    }
    graph_window_remove(&s->window, g->nodes - g->context - g->tail);
}

static void graph_measure_slack(struct graph_slacks *s)
{
    struct bench b;
    *s = (struct graph_slacks){.nodes = 0};
    graph_window_init(&s->window, &cfg, 64);
    bench_open(&b, &program, &cfg);
    const struct probe_listener listener = {
        .ctx = s, .cycles = GRAPH_WINDOW_CYCLES, .values = true, .stage = {[PROBE_RETIRED] = graph_compare_slack}};
    core_subscribe(b.core, &listener);
    bench_finish(&b);
    bench_close(&b);
    graph_window_fini(&s->window);
    ck_assert_int_gt(s->nodes, 200);
    ck_assert_int_gt(s->critical, 0);
    ck_assert_int_lt(s->critical, s->nodes);
}

START_TEST(a_slack_is_that_of_later_executions)
{
    struct graph_slacks s;
    (void)random_loop(200);
    cfg.int_queue = cfg.mem_queue = 64;
    cfg.rob_entries = 48;
    cfg.max_branches = 48;
    graph_measure_slack(&s);
    ck_assert_int_eq(s.exact, s.nodes);
}
END_TEST

START_TEST(a_slack_is_not_too_long_where_queues_are_full)
{
    struct graph_slacks s;
    (void)random_loop(200);
    cfg.int_queue = cfg.mem_queue = 8;
    cfg.max_branches = 3;
    graph_measure_slack(&s);
    ck_assert_int_gt(s.exact, s.nodes / 2);
}
END_TEST

/* Of two chains the longer one has no slack, and the other one what it is shorter by. */
START_TEST(a_shorter_chain_has_slack)
{
    enum { ROUNDS = 200 };
    cfg.mul_units = 2;
    addi(&program, S3, ZERO, 1);
    addi(&program, S2, ZERO, ROUNDS);
    const uint32_t top = program.count;
    mul(&program, S6, S7, S3); /* a round takes two multiplications and an addition: 2 x mul_cycles + 1 */
    mul(&program, S6, S6, S3);
    mul(&program, T1, S7, S3); /* as long as the first, and nothing needs its result before the round's end */
    add(&program, S7, S6, T1);
    addi(&program, S2, S2, -1);
    branch(&program, 1, S2, ZERO, top);
    end();
    double slack = 0;
    ck_assert_double_eq_tol(graph_slack_of(top, &slack), 1, 0.03);
    ck_assert_double_eq_tol(slack, 0, 0.5);
    ck_assert_double_lt(graph_slack_of(top + 2, &slack), 0.03);
    ck_assert_double_eq_tol(slack, cfg.mul_cycles, 0.5);
}
END_TEST

/* ---- gaps ---- */

/* Two retirements that 32 bits of cycles are between: the graph ends at the gap, and loses nothing. */
START_TEST(a_gap_in_time)
{
    struct errmsg err;
    struct bench b;
    struct observers *set = observers_new();
    const struct rv_insn add = {.op = RV_ADD, .dst = 1, .length_bytes = 4, .opclass = OPCLASS_INT, .unit = RV_UNIT_ALU};
    const struct rv_outcome outcome = {0};
    end();
    bench_open(&b, &program, &cfg);
    ck_assert_int_eq(observers_create(set, "graph", 1, &err), ST_OK);
    observers_attach(set, b.core);
    const struct observer *o = observers_at(set, 0);
    for (uint64_t n = 0, from = 1; n < 5000; n++, from += n == 2500 ? UINT64_C(1) << 33 : 1) {
        const struct probe_insn in = {.seq = n + 1,
                                      .pc = 4 * n,
                                      .insn = &add,
                                      .outcome = &outcome,
                                      .stage_cycle = {[PROBE_FETCHED] = from,
                                                      [PROBE_MAPPED] = from + 7,
                                                      [PROBE_ISSUED] = from + 8,
                                                      [PROBE_READY_TO_RETIRE] = from + 9,
                                                      [PROBE_RETIRED] = from + 10}};
        o->probe.stage[PROBE_RETIRED](o->probe.ctx, &in, from + 10);
    }
    observers_finish(set, UINT64_C(1) << 34, &b.guest.hart);
    const struct graph_profile *p = observers_graphs(set)->profile;
    ck_assert_uint_eq(p->retired, 5000);
    ck_assert_uint_eq(p->covered, 5000);
    ck_assert_uint_eq(p->rows, 0);
    observers_free(set);
    bench_close(&b);
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
    tcase_add_test(t, an_instruction_that_is_alone);
    tcase_add_test(t, an_instruction_that_stays_alone);
    tcase_add_test(t, an_atomic);
    tcase_add_test(t, a_store_that_has_a_part);
    tcase_add_test(t, a_store_without_a_translation);
    tcase_add_test(t, a_miss_of_fetch);
    tcase_add_test(t, a_random_branch);
    tcase_add_test(t, two_misses_at_the_same_time);
    tcase_add_test(t, without_a_question_the_cycles_are_those_of_the_run);
    tcase_add_test(t, a_slack_is_that_of_later_executions);
    tcase_add_test(t, a_slack_is_not_too_long_where_queues_are_full);
    tcase_add_test(t, a_shorter_chain_has_slack);
    tcase_add_test(t, a_gap_in_time);
    suite_add_tcase(s, t);
    return run_suite(s);
}
