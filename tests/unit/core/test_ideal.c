/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Idealised instructions: gains that are known by hand, from the stages of a run without idealisation and from the
 * configuration. */
#include "tests/unit/ideal_guest.h"
#include "tests/unit/suite.h"

static void setup_ooo(void) { begin_with(OOO); }
static void setup_inorder(void) { begin_with(INORDER); }

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

/* ---- caches below the first ---- */

/* All that follows waits for a load that misses all caches, and is to hit one of them. */
START_TEST(a_miss_that_hits_below_takes_the_time_of_that_level)
{
    lui(&program, S2, DATA_START);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    chain_from(T1, CHAIN);
    end();
    const uint64_t before = cycles_with((struct choice){load, IDEAL_DTLB}, (struct choice){0}),
                   miss = latency_with(load, (struct choice){load, IDEAL_DTLB}),
                   l2 = cfg.load_cycles + cfg.l1d_cycles + cfg.l2_cycles;
    const struct {
        uint32_t cause;
        uint64_t takes;
    } level[] = {{IDEAL_L2, l2}, {IDEAL_DRAM, l2 + cfg.llc_cycles}, {IDEAL_L2 | IDEAL_DRAM, l2}};
    ck_assert_uint_gt(miss, l2 + cfg.llc_cycles);
    for (unsigned n = 0; n < 3; n++) {
        const struct choice choice = {load, IDEAL_DTLB | level[n].cause};
        ck_assert_uint_eq(latency_with(load, choice), level[n].takes);
        ck_assert_uint_eq(before - cycles_with(choice, (struct choice){0}), miss - level[n].takes);
    }
    cfg.llc_bytes = 0; /* the L2 cache is the last one */
    ck_assert_uint_eq(latency_with(load, (struct choice){load, IDEAL_DTLB | IDEAL_DRAM}), l2);
}
END_TEST

/* A load of a line that another load has missed before, and that has not arrived. */
START_TEST(an_outstanding_miss_arrives_as_from_below)
{
    lui(&program, S2, DATA_START);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    ld(&program, T2, S2, 8);
    chain_from(T2, CHAIN);
    end();
    const struct choice second = {load + 1, IDEAL_DTLB | IDEAL_L2}, tlb = {load, IDEAL_DTLB};
    struct run *r = run_with(second, tlb);
    const struct life *l = life_at(r, load + 1, 0);
    ck_assert_uint_eq(l->at[PROBE_READY_TO_RETIRE] - l->at[PROBE_ISSUED],
                      cfg.load_cycles + cfg.l1d_cycles + cfg.l2_cycles);
    run_free(r);
}
END_TEST

/* ---- older stores ---- */

/* A division by 1, then a store whose address or data wait for it, a load of the same word, and a chain from that,
 * which is longer than the division. Returns the load's word, which is behind the store's. */
static uint32_t stored_and_loaded(bool address_waits)
{
    lui(&program, S2, DATA_START);
    addi(&program, S3, ZERO, 1);
    div_(&program, S6, S2, S3);
    sd(&program, address_waits ? S3 : S6, address_waits ? S6 : S2, 0);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    chain_from(T1, 5 * CHAIN);
    end();
    return load;
}
/* Its run; both hit the TLB. */
static struct run *run_stored_and_loaded(uint32_t load, uint32_t causes)
{
    return run_with((struct choice){load - 1, IDEAL_DTLB}, (struct choice){load, IDEAL_DTLB | causes});
}
static uint64_t ready_at(const struct run *r, uint32_t word) { return life_at(r, word, 0)->at[PROBE_READY_TO_RETIRE]; }

/* The load overtakes the store, whose address is late, and is fetched again. Ideally it waits for that store alone. */
START_TEST(a_load_that_is_predicted_right_is_not_fetched_again)
{
    const uint32_t load = stored_and_loaded(true);
    struct run *r = run_stored_and_loaded(load, 0), *right = run_stored_and_loaded(load, IDEAL_ORDERING);
    ck_assert_uint_eq(core_statistics(r->core).ordering_violations, 1);
    ck_assert_uint_eq(core_statistics(right->core).ordering_violations, 0);
    ck_assert_uint_eq(right->trace.last_seq, core_retired(right->core)); /* nothing is squashed */
    ck_assert_uint_eq(core_retired(r->core), core_retired(right->core));
    ck_assert_uint_eq(ready_at(right, load), ready_at(right, load - 1) + cfg.forward_cycles);
    ck_assert_uint_gt(ready_at(r, load), ready_at(right, load));
    ck_assert_uint_eq(core_cycle(r->core) - core_cycle(right->core), ready_at(r, load) - ready_at(right, load));
    run_free(r);
    run_free(right);
}
END_TEST

/* In the first of two turns the load overtakes the store, so in the second it waits for the store's address, which is
 * another word's. Ideally it does not. */
START_TEST(a_load_that_is_predicted_right_waits_for_no_other_store)
{
    lui(&program, S2, DATA_START);
    addi(&program, S3, ZERO, 1);
    addi(&program, S7, ZERO, 2);
    const uint32_t top = program.count;
    div_(&program, S6, S2, S3);
    add(&program, S6, S6, S4);
    sd(&program, ZERO, S6, 0);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    chain_from(T1, CHAIN);
    addi(&program, S4, S4, LINE_BYTES);
    addi(&program, S2, S2, 2 * LINE_BYTES);
    addi(&program, S7, S7, -1);
    branch(&program, 1, S7, ZERO, top);
    end();
    const uint32_t hits = IDEAL_DTLB | IDEAL_L1D_ALONE;
    const struct choice none = {0};
    struct run *r = run_with((struct choice){load, hits}, none),
               *right = run_with((struct choice){load, hits | IDEAL_ORDERING}, none);
    const struct life *waited = life_at(r, load, 1), *hit = life_at(right, load, 1), *late = life_at(r, load - 1, 1);
    ck_assert_uint_eq(core_statistics(r->core).ordering_violations, 1);
    ck_assert_uint_eq(core_statistics(right->core).ordering_violations, 0);
    ck_assert_uint_gt(waited->at[PROBE_READY_TO_RETIRE], late->at[PROBE_READY_TO_RETIRE]);
    ck_assert_uint_eq(hit->at[PROBE_READY_TO_RETIRE] - hit->at[PROBE_ISSUED], cfg.load_cycles + cfg.l1d_cycles);
    run_free(r);
    run_free(right);
}
END_TEST

/* The store's data are late. */
START_TEST(forwarded_data_are_there_at_once)
{
    const uint32_t load = stored_and_loaded(false);
    struct run *r = run_stored_and_loaded(load, 0), *at_once = run_stored_and_loaded(load, IDEAL_FORWARD);
    const struct life *l = life_at(at_once, load, 0);
    ck_assert_uint_gt(ready_at(r, load), ready_at(r, load - 2)); /* after the division */
    ck_assert_uint_lt(ready_at(at_once, load), ready_at(at_once, load - 2));
    ck_assert_uint_ne(l->events & PROBE_FORWARDED, 0);
    ck_assert_uint_eq(ready_at(at_once, load) - l->at[PROBE_ISSUED], cfg.load_cycles + cfg.forward_cycles);
    ck_assert_uint_eq(core_cycle(r->core) - core_cycle(at_once->core), ready_at(r, load) - ready_at(at_once, load));
    run_free(r);
    run_free(at_once);
}
END_TEST

/* ---- units, operands, serialisation ---- */

/* Two divisions for one unit: without its wait the second one executes as on a unit of its own. */
START_TEST(a_division_without_a_wait_for_its_unit)
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
    const struct choice none = {0}, first = {division, IDEAL_UNIT}, second = {division + 1, IDEAL_UNIT};
    const uint64_t before = cycles_without(), after = cycles_with(second, none);
    ck_assert_uint_eq(before - after, cfg.div_cycles);
    ck_assert_uint_eq(cycles_with(first, none), after); /* it leaves the unit to the second one */
    cfg.div_units = 2;
    ck_assert_uint_eq(cycles_without(), after);
}
END_TEST

/* An addition behind a division, and a chain from it that is longer: without its wait it takes as long as one of the
 * register `operand`, which is ready. */
static uint64_t cycles_of_chain_behind_division(int operand, uint32_t causes)
{
    program.count = 0;
    div_(&program, S6, ZERO, ZERO);
    const uint32_t addition = program.count;
    add(&program, T1, operand, operand);
    chain_from(T1, 5 * CHAIN);
    end();
    return cycles_with((struct choice){addition, causes}, (struct choice){0});
}
START_TEST(an_instruction_without_a_wait_for_its_operands)
{
    const uint64_t before = cycles_of_chain_behind_division(S6, 0), ready = cycles_of_chain_behind_division(ZERO, 0);
    ck_assert_uint_lt(cfg.div_cycles, 5 * CHAIN);
    ck_assert_uint_eq(before - ready, cfg.div_cycles);
    ck_assert_uint_eq(cycles_of_chain_behind_division(S6, IDEAL_DEPENDENCE), ready);
}
END_TEST

/* A mispredicted branch that waits for a miss is resolved when it is issued. */
START_TEST(a_branch_without_a_wait_for_its_operands)
{
    lui(&program, S2, DATA_START);
    const uint32_t load = program.count;
    ld(&program, T1, S2, 0);
    const uint32_t at = program.count;
    branch(&program, 0, T1, ZERO, at + 2);
    addi(&program, S7, ZERO, 1);
    end();
    struct run *r = run_with((struct choice){at, IDEAL_DEPENDENCE}, (struct choice){0});
    ck_assert_uint_ne(life_at(r, at, 0)->events & PROBE_MISPREDICTED, 0);
    ck_assert_uint_lt(ready_at(r, at), ready_at(r, load));
    ck_assert_uint_lt(life_at(r, at + 2, 0)->at[PROBE_FETCHED], ready_at(r, load));
    run_free(r);
}
END_TEST

/* A miss, an instruction that is alone in the pipeline, and a chain that is longer than the miss. */
enum alone { ALONE_NOT, ALONE_FLAGS, ALONE_ATOMIC, ALONE_COUNTER };
static struct run *run_with_alone(enum alone which, uint32_t causes, uint32_t *at)
{
    program.count = 0;
    lui(&program, S2, DATA_START);
    ld(&program, T1, S2, 0);
    *at = program.count;
    if (which == ALONE_FLAGS)
        fsflags(&program, ZERO);
    else if (which == ALONE_ATOMIC)
        amoadd(&program, ZERO, ZERO, S2);
    else if (which == ALONE_COUNTER)
        rdcycle(&program, T2);
    else
        mul(&program, ZERO, ZERO, ZERO);
    chain_from(S6, 25 * CHAIN);
    end();
    return run_with((struct choice){*at, causes}, (struct choice){0});
}
START_TEST(an_instruction_that_is_not_alone_costs_what_another_one_does)
{
    const enum alone which = _i == 0 ? ALONE_FLAGS : ALONE_ATOMIC;
    uint32_t at;
    struct run *alone = run_with_alone(which, 0, &at), *beside = run_with_alone(which, IDEAL_FLUSH, &at),
               *other = run_with_alone(ALONE_NOT, 0, &at);
    const uint32_t last = at + 25 * CHAIN;
    const enum probe_stage enters = cfg.core == OOO ? PROBE_MAPPED : PROBE_ISSUED;
    ck_assert_uint_ge(life_at(alone, at, 0)->at[enters], life_at(alone, at - 1, 0)->at[PROBE_RETIRED]);
    ck_assert_uint_ge(life_at(alone, at + 1, 0)->at[enters], life_at(alone, at, 0)->at[PROBE_RETIRED]);
    ck_assert_uint_gt(ready_at(beside, last), ready_at(beside, at - 1)); /* the chain is longer than the miss */
    ck_assert_uint_eq(ready_at(beside, last), ready_at(other, last));
    ck_assert_uint_eq(core_cycle(beside->core), core_cycle(other->core));
    ck_assert_uint_eq(core_cycle(alone->core) - core_cycle(beside->core),
                      ready_at(alone, last) - ready_at(beside, last));
    ck_assert_uint_eq(beside->trace.last_seq, core_retired(beside->core)); /* nothing is squashed */
    run_free(alone);
    run_free(beside);
    run_free(other);
}
END_TEST

/* What it reads is known only when it is alone. */
START_TEST(a_counter_is_read_alone)
{
    uint32_t at;
    struct run *r = run_with_alone(ALONE_COUNTER, 0, &at), *ideal = run_with_alone(ALONE_COUNTER, IDEAL_FLUSH, &at);
    ck_assert_uint_eq(core_cycle(r->core), core_cycle(ideal->core));
    run_free(r);
    run_free(ideal);
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
    const struct choice choice = {never, IDEAL_EVERY_CAUSE};
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

/* Loads of 256 lines in 64 pages, in two rounds, and no store: without misses of all instructions the caches and TLBs
 * are perfect. */
START_TEST(all_misses_are_the_perfect_caches)
{
    lui(&program, S4, PAGE_BYTES);
    addi(&program, S7, ZERO, 2);
    const uint32_t round = program.count;
    lui(&program, S2, DATA_START);
    addi(&program, S6, ZERO, 64);
    const uint32_t top = program.count;
    for (int n = 0; n < 4; n++)
        ld(&program, T1, S2, n * 4 * LINE_BYTES);
    add(&program, T2, T2, T1);
    add(&program, S2, S2, S4);
    addi(&program, S6, S6, -1);
    branch(&program, 1, S6, ZERO, top);
    addi(&program, S7, S7, -1);
    branch(&program, 1, S7, ZERO, round);
    end();
    struct ideal *ideal = ideal_new();
    ideal_add(ideal, 0, UINT64_MAX, IDEAL_ICACHE | IDEAL_DTLB | IDEAL_L1D);
    struct run *base = run_program(&program, &cfg), *hits = run_ideal_program(&program, &cfg, ideal);
    cfg.perfect_caches = 1;
    struct run *perfect = run_program(&program, &cfg);
    ck_assert_uint_eq(core_cycle(hits->core), core_cycle(perfect->core));
    ck_assert_uint_gt(core_cycle(base->core), 2 * core_cycle(hits->core));
    run_free(base);
    run_free(hits);
    run_free(perfect);
    ideal_free(ideal);
}
END_TEST

/* Names of causes, as the user writes them. */
START_TEST(causes_have_names)
{
    char *two = ideal_print(IDEAL_DTLB | IDEAL_L1D), *every = ideal_print(IDEAL_EVERY_CAUSE), *none = ideal_print(0);
    ck_assert_str_eq(two, "dtlb+l1d");
    ck_assert_str_eq(every, "all");
    ck_assert_str_eq(none, "");
    free(two);
    free(every);
    free(none);
}
END_TEST

START_TEST(printed_causes_are_parsed)
{
    struct errmsg err;
    uint32_t causes;
    for (uint32_t n = 1; n <= IDEAL_EVERY_CAUSE; n++) {
        char *text = ideal_print(n);
        ck_assert_int_eq(ideal_parse(text, &causes, &err), ST_OK);
        ck_assert_uint_eq(causes, n);
        free(text);
    }
    ck_assert_int_eq(ideal_parse("l1d+all", &causes, &err), ST_OK);
    ck_assert_uint_eq(causes, IDEAL_EVERY_CAUSE);
    static const char *const refused[] = {"", "l1d+", "+l1d", "l1d++l2", "l", "l1d ", "L1D"};
    for (size_t n = 0; n < sizeof refused / sizeof refused[0]; n++)
        ck_assert_int_eq(ideal_parse(refused[n], &causes, &err), ST_INPUT);
    ck_assert_int_eq(ideal_parse("dtlb+brunch", &causes, &err), ST_INPUT);
    ck_assert_str_eq(err.text, "expected a cause (--ideal help lists them), found 'brunch'; did you mean 'branch'?");
}
END_TEST

static void add_range(void *ctx, uint64_t start, uint64_t end, uint32_t causes)
{
    ck_assert_uint_lt(start, end);
    ideal_add(ctx, start, end, causes);
}
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
    struct ideal *copy = ideal_new();
    ideal_each(t, add_range, copy);
    for (unsigned n = 0; n < sizeof at / sizeof at[0]; n++)
        ck_assert_uint_eq(ideal_causes(copy, at[n].pc), ideal_causes(t, at[n].pc));
    ideal_free(copy);
    ideal_free(t);
}
END_TEST

/* What both cores gain by the same sums. */
static void add_tests_of_both(TCase *t)
{
    tcase_add_test(t, a_serial_miss_gains_its_latency);
    tcase_add_test(t, a_filled_line_credits_its_neighbour);
    tcase_add_test(t, parallel_misses_interact);
    tcase_add_test(t, a_hidden_miss_gains_nothing);
    tcase_add_test(t, an_ideal_division_leaves_the_unit_free);
    tcase_add_test(t, a_miss_that_hits_below_takes_the_time_of_that_level);
    tcase_add_test(t, an_outstanding_miss_arrives_as_from_below);
    tcase_add_test(t, a_division_without_a_wait_for_its_unit);
    tcase_add_test(t, an_instruction_without_a_wait_for_its_operands);
    tcase_add_test(t, a_branch_without_a_wait_for_its_operands);
    tcase_add_loop_test(t, an_instruction_that_is_not_alone_costs_what_another_one_does, 0, 2);
    tcase_add_test(t, a_counter_is_read_alone);
    tcase_add_test(t, an_instruction_that_never_executes_gains_nothing);
    tcase_add_test(t, all_branches_are_the_perfect_predictor);
    tcase_add_test(t, all_misses_are_the_perfect_caches);
}

int main(void)
{
    Suite *s = suite_create("ideal");
    TCase *ooo = tcase_create("out of order"), *inorder = tcase_create("in order"), *ranges = tcase_create("ranges");
    tcase_add_checked_fixture(ooo, setup_ooo, NULL);
    tcase_add_checked_fixture(inorder, setup_inorder, NULL);
    add_tests_of_both(ooo);
    add_tests_of_both(inorder);
    tcase_add_test(ooo, a_branch_behind_a_miss_delays_what_follows);
    tcase_add_test(ooo, a_load_that_is_predicted_right_is_not_fetched_again);
    tcase_add_test(ooo, a_load_that_is_predicted_right_waits_for_no_other_store);
    tcase_add_test(ooo, forwarded_data_are_there_at_once);
    tcase_add_test(ranges, ranges_overlap);
    tcase_add_test(ranges, causes_have_names);
    tcase_add_test(ranges, printed_causes_are_parsed);
    suite_add_tcase(s, ooo);
    suite_add_tcase(s, inorder);
    suite_add_tcase(s, ranges);
    return run_suite(s);
}
