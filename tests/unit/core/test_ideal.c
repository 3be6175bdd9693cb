/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Idealised instructions: gains that are known by hand, from the stages of a run without idealisation and from the
 * configuration. Fetch always hits here, so nothing hides behind its misses. */
#include "core-model/ideal.h"

#include "tests/unit/pipe_guest.h"
#include "tests/unit/suite.h"

enum { S6 = 22, S7 = 23, LINE_BYTES = 64, PAGE_BYTES = 4096, CHAIN = 12 };

static struct core_config cfg;
static struct program program;

static void setup(void)
{
    core_config_default(&cfg);
    program = (struct program){.count = 0};
}

/* The run with causes of up to two instructions, by their words. */
struct choice {
    uint32_t word, causes;
};
static struct run *run_with(struct choice first, struct choice second)
{
    struct ideal *ideal = ideal_new();
    ideal_add(ideal, 0, UINT64_MAX, IDEAL_ICACHE);
    ideal_add(ideal, CODE_START + 4 * first.word, CODE_START + 4 * first.word + 4, first.causes);
    ideal_add(ideal, CODE_START + 4 * second.word, CODE_START + 4 * second.word + 4, second.causes);
    struct run *r = run_ideal_program(&program, &cfg, ideal);
    ideal_free(ideal);
    return r;
}
static uint64_t cycles_with(struct choice first, struct choice second)
{
    struct run *r = run_with(first, second);
    const uint64_t cycles = core_cycle(r->core);
    run_free(r);
    return cycles;
}
static uint64_t cycles_without(void) { return cycles_with((struct choice){0}, (struct choice){0}); }

/* Cycles from issue to the result of the instruction at a word, in that run. */
static uint64_t latency_with(uint32_t word, struct choice choice)
{
    struct run *r = run_with(choice, (struct choice){0});
    const struct life *l = life_at(r, word, 0);
    const uint64_t cycles = l->at[PROBE_READY_TO_RETIRE] - l->at[PROBE_ISSUED];
    run_free(r);
    return cycles;
}

static void chain_from(int reg, unsigned length)
{
    for (unsigned n = 0; n < length; n++)
        addi(&program, reg, reg, 1);
}
static void end(void)
{
    addi(&program, A0, ZERO, 0);
    exit_with(&program, ZERO);
}

/* All that follows waits for the load: its removal gains what it took more than a hit. */
START_TEST(a_serial_miss_gains_its_latency)
{
    lui(&program, S2, DATA_START);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    chain_from(T1, CHAIN);
    end();
    const uint64_t before = cycles_without(), hit = cfg.load_cycles + cfg.l1d_cycles;
    const uint32_t causes[] = {IDEAL_L1D, IDEAL_L1D_LATENCY, IDEAL_L1D_ALONE};
    for (unsigned n = 0; n < 3; n++) {
        const struct choice choice = {load, IDEAL_DTLB | causes[n]};
        const uint64_t miss = latency_with(load, (struct choice){0});
        ck_assert_uint_eq(latency_with(load, choice), hit);
        ck_assert_uint_gt(miss, cfg.dram_cycles);
        ck_assert_uint_eq(before - cycles_with(choice, (struct choice){0}), miss - hit);
    }
}
END_TEST

/* A line that is filled is there for a second load of the line; without the fill, that misses instead. */
START_TEST(a_filled_line_credits_its_neighbour)
{
    lui(&program, S2, DATA_START);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    add(&program, T2, T1, S2); /* the datum is 0: an address that waits for it */
    ld(&program, T2, T2, 8);
    chain_from(T2, CHAIN);
    end();
    const struct choice filled = {load, IDEAL_DTLB | IDEAL_L1D}, alone = {load, IDEAL_DTLB | IDEAL_L1D_ALONE},
                        none = {0};
    const uint64_t hit = cfg.load_cycles + cfg.l1d_cycles, miss = latency_with(load, none);
    ck_assert_uint_eq(cycles_without() - cycles_with(filled, none), miss - hit);
    /* The second load then misses in the cache alone. */
    const uint64_t second = latency_with(load + 2, alone);
    ck_assert_uint_eq(cycles_with(alone, none) - cycles_with(filled, none), second - hit);
    ck_assert_uint_gt(second, cfg.dram_cycles);
}
END_TEST

/* Two misses at once, in two banks: the removal of one gains a line's time of the channel at the most, and that of both
 * what a miss takes. */
START_TEST(parallel_misses_interact)
{
    lui(&program, S2, DATA_START);
    lui(&program, S3, DATA_START + 2 * PAGE_BYTES);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    ld(&program, T2, S3, 0);
    add(&program, T1, T1, T2);
    chain_from(T1, CHAIN);
    end();
    const struct choice first = {load, IDEAL_DTLB | IDEAL_L1D}, second = {load + 1, IDEAL_DTLB | IDEAL_L1D},
                        first_miss = {load, IDEAL_DTLB}, second_miss = {load + 1, IDEAL_DTLB};
    const uint64_t before = cycles_with(first_miss, second_miss), both = before - cycles_with(first, second);
    ck_assert_uint_gt(both, cfg.dram_cycles);
    ck_assert_uint_le(before - cycles_with(second, first_miss), cfg.dram_line_cycles);
    ck_assert_uint_le(before - cycles_with(first, second_miss), cfg.dram_line_cycles);
}
END_TEST

/* A miss beside a longer chain of divisions. */
START_TEST(a_hidden_miss_gains_nothing)
{
    lui(&program, S2, DATA_START);
    addi(&program, S3, ZERO, 1);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    for (unsigned n = 0; n < 40; n++)
        div_(&program, S6, S6, S3);
    add(&program, S6, S6, T1);
    end();
    const struct choice choice = {load, IDEAL_DTLB | IDEAL_L1D};
    ck_assert_uint_gt(40 * cfg.div_cycles, latency_with(load, (struct choice){0}));
    ck_assert_uint_eq(cycles_without(), cycles_with(choice, (struct choice){0}));
}
END_TEST

/* A branch behind a miss: both paths lead to a chain that the miss does not delay. A right prediction gains all of the
 * chain but what is left behind the miss. */
START_TEST(a_branch_behind_a_miss_delays_what_follows)
{
    lui(&program, S2, DATA_START);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    const uint32_t at = program.count;
    branch(&program, 0, T1, ZERO, at + 2); /* taken; a predictor that knows nothing says not taken */
    addi(&program, S7, ZERO, 1);
    chain_from(S6, 40);
    end();
    const struct choice right = {at, IDEAL_BRANCH}, none = {0};
    struct run *r = run_with(none, none), *ideal = run_with(right, none);
    ck_assert_uint_ne(life_at(r, at, 0)->events & PROBE_MISPREDICTED, 0);
    ck_assert_uint_eq(life_at(ideal, at, 0)->events & PROBE_MISPREDICTED, 0);
    ck_assert_uint_eq(ideal->trace.last_seq, core_retired(ideal->core)); /* nothing is squashed */
    /* The chain begins when the branch is resolved; ideally, it is fetched beside the load. */
    ck_assert_uint_gt(life_at(r, at + 2, 0)->at[PROBE_FETCHED], life_at(r, load, 0)->at[PROBE_READY_TO_RETIRE]);
    ck_assert_uint_lt(life_at(ideal, at + 41, 0)->at[PROBE_READY_TO_RETIRE],
                      life_at(ideal, load, 0)->at[PROBE_READY_TO_RETIRE]);
    ck_assert_uint_gt(core_cycle(r->core), core_cycle(ideal->core) + 20);
    run_free(r);
    run_free(ideal);
}
END_TEST

/* Two divisions for one unit without a pipeline: an ideal one takes no time of the unit. */
START_TEST(an_ideal_division_leaves_the_unit_free)
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
    const struct choice first = {division, IDEAL_LATENCY}, second = {division + 1, IDEAL_LATENCY}, none = {0};
    const uint64_t before = cycles_without();
    /* Each issues in a cycle of its own. */
    ck_assert_uint_eq(before - cycles_with(first, none), cfg.div_cycles - 1);
    ck_assert_uint_eq(before - cycles_with(second, none), cfg.div_cycles);
    ck_assert_uint_eq(before - cycles_with(first, second), 2 * cfg.div_cycles - 2);
}
END_TEST

START_TEST(an_instruction_that_never_executes_gains_nothing)
{
    lui(&program, S2, DATA_START);
    ld(&program, T1, S2, 0);
    jal(&program, ZERO, program.count + 2);
    const uint32_t never = program.count;
    ld(&program, T1, S2, 16 * LINE_BYTES);
    chain_from(T1, CHAIN);
    end();
    const struct choice choice = {never, IDEAL_BRANCH | IDEAL_DTLB | IDEAL_L1D | IDEAL_LATENCY};
    ck_assert_uint_eq(cycles_without(), cycles_with(choice, (struct choice){0}));
}
END_TEST

/* A loop with a branch of random direction: all branches at once are the perfect predictor. */
START_TEST(all_branches_are_the_perfect_predictor)
{
    addi(&program, S6, ZERO, 77);
    addi(&program, S7, ZERO, 1000);
    addi(&program, S3, ZERO, 1103);
    const uint32_t top = program.count;
    mul(&program, S6, S6, S3);
    addi(&program, S6, S6, 331);
    srli(&program, T1, S6, 33);
    andi(&program, T1, T1, 1);
    branch(&program, 0, T1, ZERO, program.count + 2);
    addi(&program, T2, T2, 1);
    addi(&program, S7, S7, -1);
    branch(&program, 1, S7, ZERO, top);
    end();
    struct ideal *ideal = ideal_new();
    ideal_add(ideal, 0, UINT64_MAX, IDEAL_BRANCH);
    struct run *base = run_program(&program, &cfg), *right = run_ideal_program(&program, &cfg, ideal);
    cfg.predictor = 3;
    struct run *perfect = run_program(&program, &cfg);
    ck_assert_uint_eq(core_cycle(right->core), core_cycle(perfect->core));
    ck_assert_uint_eq(core_retired(right->core), core_retired(base->core));
    ck_assert_uint_gt(core_cycle(base->core), core_cycle(right->core) + 3000);
    run_free(base);
    run_free(right);
    run_free(perfect);
    ideal_free(ideal);
}
END_TEST

START_TEST(ranges_overlap)
{
    struct ideal *t = ideal_new();
    ideal_add(t, 100, 200, IDEAL_BRANCH);
    ideal_add(t, 150, 300, IDEAL_L1D);
    ideal_add(t, 150, 152, IDEAL_DTLB);
    ideal_add(t, 0, UINT64_MAX, IDEAL_ICACHE);
    const struct {
        uint64_t pc;
        uint32_t causes;
    } at[] = {{0, 0},
              {99, 0},
              {100, IDEAL_BRANCH},
              {149, IDEAL_BRANCH},
              {150, IDEAL_BRANCH | IDEAL_L1D | IDEAL_DTLB},
              {152, IDEAL_BRANCH | IDEAL_L1D},
              {200, IDEAL_L1D},
              {300, 0},
              {UINT64_MAX, 0}};
    for (unsigned n = 0; n < sizeof at / sizeof at[0]; n++)
        ck_assert_uint_eq(ideal_causes(t, at[n].pc), at[n].causes | IDEAL_ICACHE);
    ideal_free(t);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ideal");
    TCase *t = tcase_create("ideal");
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, a_serial_miss_gains_its_latency);
    tcase_add_test(t, a_filled_line_credits_its_neighbour);
    tcase_add_test(t, parallel_misses_interact);
    tcase_add_test(t, a_hidden_miss_gains_nothing);
    tcase_add_test(t, a_branch_behind_a_miss_delays_what_follows);
    tcase_add_test(t, an_ideal_division_leaves_the_unit_free);
    tcase_add_test(t, an_instruction_that_never_executes_gains_nothing);
    tcase_add_test(t, all_branches_are_the_perfect_predictor);
    tcase_add_test(t, ranges_overlap);
    suite_add_tcase(s, t);
    return run_suite(s);
}
