/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profilers of time on hand-written streams of the probe port: the rules for the store queue, exceptions, replays
 * and handlers, sampling, and the list of profilers that a user writes. The TIP paper's own examples are in
 * test_tip_figures.c. */
#include "core-model/prof/time/tip.h"

#include "tests/unit/refused.h"
#include "tests/unit/token_stream.h"

/* A mispredicted branch commits, fetch fills the pipeline again, and the first to enter is a store that must wait: not
 * the branch's. */
START_TEST(a_full_store_queue_stalls_the_store_before_the_rob)
{
    struct stream s = watch(all, 2);
    commit(&s, 1, (uint64_t[]){I1}, true, false);
    empty(&s, 4);
    block(&s, I2, 30);
    enter(&s, I2);
    commit(&s, 1, (uint64_t[]){I2}, false, false);
    finish(&s);
    for (unsigned i = ORACLE; i <= TIP_ILP; i++) {
        EXPECT_IN(&s, i, I1, TIME_MISPREDICT, 4);
        EXPECT_IN(&s, i, I2, TIME_STALL_ALU, 31); /* the program is not known here */
        EXPECT_IN(&s, i, I2, TIME_FRONTEND, 0);
    }
    EXPECT(&s, NCI, I2, 36);
    done(&s);
}
END_TEST

/* Drained cycles before it are the front end's, up to the cycle in which the waiting instruction is known. */
START_TEST(a_drained_sample_is_complete_when_the_store_waits)
{
    struct stream s = watch("oracle,tip:period=1,tip:period=5", 2);
    commit2(&s, I1, I2);
    empty(&s, 6);      /* the second tip's trigger in cycle 4 */
    block(&s, I3, 12); /* in 9 and 14 */
    enter(&s, I3);     /* in 19 */
    finish(&s);
    for (unsigned i = 0; i < 2; i++) {
        EXPECT_IN(&s, i, I3, TIME_FRONTEND, 6);
        EXPECT_IN(&s, i, I3, TIME_STALL_ALU, 13);
    }
    EXPECT_IN(&s, 2, I3, TIME_FRONTEND, 5);
    EXPECT_IN(&s, 2, I3, TIME_STALL_ALU, 15);
    done(&s);
}
END_TEST

START_TEST(a_flushing_instruction_is_charged_for_the_empty_cycles)
{
    struct stream s = watch(all, 4);
    commit(&s, 1, (uint64_t[]){I1}, false, true);
    empty(&s, 7);
    enter(&s, I2);
    finish(&s);
    for (unsigned i = ORACLE; i <= TIP_ILP; i++) {
        EXPECT_IN(&s, i, I1, TIME_FLUSH, 7);
        EXPECT(&s, i, I2, 1);
    }
    done(&s);
}
END_TEST

/* A fault, or a load that overtook a store: the cycle in which it fires, and the empty ones until the handler or the
 * load itself enters. */
START_TEST(an_exception_is_its_instructions)
{
    struct stream s = watch(all, 4);
    commit(&s, 1, (uint64_t[]){I1}, true, false); /* a misprediction before it is no excuse */
    stall(&s, I2, 3);
    exception(&s, I2);
    empty(&s, 5);
    enter(&s, I5);
    finish(&s);
    for (unsigned i = ORACLE; i <= TIP_ILP; i++) {
        EXPECT_IN(&s, i, I2, TIME_STALL_ALU, 4);
        EXPECT_IN(&s, i, I2, TIME_FLUSH, 5);
        EXPECT(&s, i, I5, 1);
    }
    done(&s);
}
END_TEST

/* The mispredicted branch commits in the cycle of the interrupt; the handler takes 20 cycles, and 5 pass until I5
 * enters. */
START_TEST(a_handlers_time_is_no_instructions)
{
    struct stream s = watch(all, 2);
    commit(&s, 1, (uint64_t[]){I1}, true, false);
    handler(&s, 20);
    empty(&s, 5);
    enter(&s, I5);
    commit(&s, 1, (uint64_t[]){I5}, false, false);
    finish(&s);
    for (unsigned i = ORACLE; i <= TIP_ILP; i++) {
        EXPECT_IN(&s, i, 0, TIME_HANDLER, 25);
        EXPECT(&s, i, 0, 25);
        EXPECT(&s, i, I1, 1);
        EXPECT(&s, i, I5, 2);
    }
    EXPECT_IN(&s, NCI, 0, TIME_HANDLER, 20);
    EXPECT(&s, NCI, I5, 7);
    EXPECT_IN(&s, LCI, 0, TIME_HANDLER, 26);
    done(&s);
}
END_TEST

/* The ROB has drained when the interrupt comes: the handler's first instruction is the next to enter. */
START_TEST(a_handler_ends_a_drained_state)
{
    struct stream s = watch("oracle,tip:period=1,nci:period=1,tip:period=4", 2);
    commit(&s, 1, (uint64_t[]){I1}, false, false);
    empty(&s, 4); /* the second tip's trigger in cycle 3 */
    handler(&s, 10);
    commit(&s, 1, (uint64_t[]){I5}, false, false);
    finish(&s);
    for (unsigned i = 0; i < 3; i++)
        EXPECT_IN(&s, i, 0, TIME_HANDLER, 14);
    EXPECT(&s, 3, 0, 12);
    EXPECT(&s, 3, I5, 4);
    EXPECT(&s, 0, I5, 1);
    done(&s);
}
END_TEST

START_TEST(only_the_youngest_committing_instruction_explains_an_empty_rob)
{
    struct stream s = watch("oracle,tip:period=1", 4);
    struct probe_token t = {.committing = 2};
    t.bank[0].pc = I1;
    t.bank[1].pc = I2;
    t.bank[0].valid = t.bank[1].valid = t.bank[0].commits = t.bank[1].commits = t.bank[0].mispredicted = true;
    send(&s, &t);
    empty(&s, 3);
    enter(&s, I5);
    finish(&s);
    for (unsigned i = ORACLE; i <= TIP; i++) {
        EXPECT(&s, i, I1, 0.5);
        EXPECT_IN(&s, i, I5, TIME_FRONTEND, 3);
    }
    done(&s);
}
END_TEST

START_TEST(shares_of_every_size_add_up)
{
    struct stream s = watch(all, 8);
    uint64_t pc[8];
    for (unsigned i = 0; i < 8; i++)
        pc[i] = I1 + 2 * i;
    for (unsigned n = 1; n <= 8; n++) /* the head bank wraps on the way */
        commit(&s, n, pc, false, false);
    finish(&s);
    EXPECT(&s, ORACLE, pc[7], 1.0 / 8);
    ck_assert_double_eq(time_of(&s, TIP, pc[0]), time_of(&s, ORACLE, pc[0]));
    EXPECT(&s, LCI, pc[6], 1);
    done(&s);
}
END_TEST

START_TEST(time_before_the_first_and_behind_the_last_instruction)
{
    struct stream s = watch(all, 2);
    empty(&s, 9);
    enter(&s, I1);
    commit(&s, 1, (uint64_t[]){I1}, false, false);
    empty(&s, 6);
    finish(&s);
    for (unsigned i = ORACLE; i <= TIP_ILP; i++) {
        EXPECT_IN(&s, i, I1, TIME_FRONTEND, 9);
        EXPECT_IN(&s, i, 0, TIME_FRONTEND, 6);
    }
    EXPECT(&s, NCI, 0, 6);
    EXPECT(&s, LCI, 0, 10);
    done(&s);
}
END_TEST

/* Sampling: a trigger stands for the cycles since the one before it. */
START_TEST(samples_are_weighted_by_the_cycles_since_the_last)
{
    struct stream s = watch("oracle,tip:period=10,nci:period=10,lci:period=10", 2);
    stall(&s, I1, 25); /* triggers in cycles 9 and 19 */
    commit2(&s, I1, I2);
    empty(&s, 13); /* in 29; 39 is the one of the dispatch */
    enter(&s, I3);
    stall(&s, I3, 9);
    commit2(&s, I3, I4); /* in 49 */
    finish(&s);
    ck_assert_uint_eq(s.cycle, 50);
    ck_assert_uint_eq(s.result->profile[1].samples, 5);
    EXPECT_IN(&s, 1, I1, TIME_STALL_ALU, 20);
    EXPECT_IN(&s, 1, I3, TIME_FRONTEND, 10);
    EXPECT_IN(&s, 1, I3, TIME_STALL_ALU, 10);
    EXPECT_IN(&s, 1, I3, TIME_EXECUTE, 5);
    EXPECT_IN(&s, 1, I4, TIME_EXECUTE, 5);
    EXPECT(&s, 2, I1, 20);
    EXPECT(&s, 2, I3, 30);
    EXPECT(&s, 3, 0, 20);
    EXPECT(&s, 3, I2, 20);
    EXPECT(&s, 3, I4, 10);
    done(&s);
}
END_TEST

START_TEST(triggers_that_meet_an_incomplete_sample_join_it)
{
    struct stream s = watch("tip:period=5,nci:period=5", 2);
    empty(&s, 17); /* triggers in 4, 9 and 14 */
    enter(&s, I1);
    stall(&s, I1, 1);
    commit2(&s, I1, I2); /* cycle 19: the fourth */
    finish(&s);
    EXPECT_IN(&s, 0, I1, TIME_FRONTEND, 15);
    EXPECT_IN(&s, 0, I1, TIME_EXECUTE, 2.5);
    EXPECT(&s, 1, I1, 20);
    ck_assert_uint_eq(s.result->profile[0].samples, 4);
    done(&s);
}
END_TEST

START_TEST(random_triggers_lie_one_in_each_period)
{
    struct schedule s, again;
    uint64_t different = 0;
    schedule_init(&s, 100, true, 7);
    schedule_init(&again, 100, true, 7);
    for (uint64_t i = 0; i < 1000; i++) {
        ck_assert_uint_eq(s.next / 100, i);
        ck_assert_uint_eq(s.next, again.next);
        different += s.next % 100 != 99;
        ck_assert_uint_eq(schedule_take(&s), 100);
        (void)schedule_take(&again);
    }
    ck_assert_uint_gt(different, 900);
}
END_TEST

/* The mean over seeds of the time that is attributed to cycles [from, to) of a run. */
static double mean_time(uint64_t from, uint64_t to, uint64_t run)
{
    enum { SEEDS = 20000, PERIOD = 10 };
    struct random seeds = {1};
    uint64_t time = 0;
    for (int n = 0; n < SEEDS; n++) {
        struct schedule s;
        schedule_init(&s, PERIOD, true, random_bits(&seeds));
        while (schedule_due(&s, run)) {
            const uint64_t at = s.next, cycles = schedule_take(&s);
            time += at >= from && at < to ? cycles : 0;
        }
    }
    return (double)time / SEEDS;
}

/* Also at the start and in the last period, which the run does not end. Five standard deviations of a mean are 0.18. */
START_TEST(random_triggers_are_unbiased)
{
    static const uint64_t part[][2] = {{0, 3}, {3, 10}, {8, 12}, {17, 20}, {20, 25}, {24, 25}};
    for (unsigned n = 0; n < sizeof part / sizeof part[0]; n++)
        ck_assert_double_eq_tol(mean_time(part[n][0], part[n][1], 25), (double)(part[n][1] - part[n][0]), 0.18);
    ck_assert_double_eq_tol(mean_time(0, 25, 25), 25, 0.18);
}
END_TEST

START_TEST(triggers_are_taken_together)
{
    static const uint64_t ends[] = {1, 99, 100, 101, 199, 200, 201, 250, 1000, 1001, 12345, 20000, 20000, 99999};
    struct schedule one, together;
    uint64_t first = 0, second = 0;
    schedule_init(&one, 100, _i != 0, 7);
    schedule_init(&together, 100, _i != 0, 7);
    for (unsigned n = 0; n < sizeof ends / sizeof ends[0]; n++) {
        uint64_t cycles = 0;
        for (; schedule_due(&one, ends[n]); first++)
            cycles += schedule_take(&one);
        ck_assert_uint_eq(schedule_take_until(&together, ends[n], &second), cycles);
        ck_assert_uint_eq(second, first);
        ck_assert_uint_eq(together.next, one.next);
    }
    ck_assert_uint_gt(schedule_take_until(&together, UINT64_C(1) << 60, &second), UINT64_C(1) << 59);
}
END_TEST

START_TEST(a_schedule_can_start_late)
{
    struct schedule s, late;
    schedule_init(&s, 100, true, 7);
    schedule_init(&late, 100, true, 7);
    schedule_start_at(&late, 12345);
    for (unsigned i = 0; i < 10; i++) {
        ck_assert_uint_eq(late.next, s.next + 12345);
        ck_assert_uint_eq(schedule_take(&late), schedule_take(&s));
    }
}
END_TEST

/* The registers of Figure 6, as software would read them. */
START_TEST(tip_registers)
{
    struct tip_csr csr = {0};
    struct probe_oir oir = {.pc = I1, .mispredicted = true};
    struct probe_token t = {.banks = 4, .head = 3, .repeat = 1, .committing = 2};
    for (unsigned b = 0; b < 4; b++) {
        t.bank[b].pc = I1 + 4 * b;
        t.bank[b].valid = b != 2;
    }
    t.bank[3].commits = t.bank[0].commits = true;
    ck_assert(tip_select(&csr, &oir, &t));
    ck_assert_uint_eq(csr.flags, 3 << TIP_OLDEST_SHIFT | 0x9 << TIP_VALID_SHIFT);
    ck_assert_uint_eq(csr.address[3], I4);
    t.committing = 0;
    ck_assert(tip_select(&csr, &oir, &t));
    ck_assert_uint_eq(csr.flags, 3 << TIP_OLDEST_SHIFT | 0xb << TIP_VALID_SHIFT | TIP_STALLED);
    t.rob_empty = true;
    ck_assert(tip_select(&csr, &oir, &t));
    ck_assert_uint_eq(csr.flags, 1 << TIP_VALID_SHIFT | TIP_MISPREDICTED);
    ck_assert_uint_eq(csr.address[0], I1);
    oir.mispredicted = false;
    ck_assert(!tip_select(&csr, &oir, &t));
    t.dispatching = true;
    t.dispatch_pc = I5;
    tip_dispatched(&csr, &t);
    ck_assert_uint_eq(csr.flags, 3 << TIP_OLDEST_SHIFT | 8 << TIP_VALID_SHIFT | TIP_FRONTEND);
    ck_assert_uint_eq(csr.address[3], I5);
}
END_TEST

enum { INSTRUCTIONS = 8 };
static uint32_t tags[INSTRUCTIONS]; /* of the instructions in flight, by number */

/* One instruction passes a stage, in the order in which a core reports it. */
static void stage(struct stream *s, enum probe_stage stage, uint64_t seq, uint64_t pc, uint64_t cycle)
{
    struct probe_insn in = {
        .seq = seq, .pc = pc, .cause = stage == PROBE_SQUASHED ? PROBE_CAUSE_MISPREDICT : PROBE_CAUSE_NONE};
    struct tagger_list *l = &s->port->at_rename;
    if (stage == PROBE_MAPPED)
        tags[seq] = probe_port_asks(l, seq, OPCLASS_INT, cycle)
                        ? probe_port_tags(s->port, l, seq, pc, OPCLASS_INT, cycle)
                        : 0;
    else
        probe_port_deliver(s->port, &in, tags[seq], cycle);
    s->cycle = cycle + 1;
}

START_TEST(dispatch_loses_a_squashed_sample_and_software_interrupts_again)
{
    struct stream s = watch("dispatch:period=10,software:period=10", 2);
    stage(&s, PROBE_MAPPED, 1, I1, 8);
    stage(&s, PROBE_MAPPED, 2, I2, 11); /* the trigger was in 9 */
    stage(&s, PROBE_MAPPED, 3, I3, 12);
    stage(&s, PROBE_RETIRED, 1, I1, 13);
    stage(&s, PROBE_SQUASHED, 3, I3, 14);
    stage(&s, PROBE_SQUASHED, 2, I2, 14);
    stage(&s, PROBE_MAPPED, 4, I4, 16); /* software's second try */
    stage(&s, PROBE_MAPPED, 5, I5, 22); /* the trigger was in 19: dispatch's next, software still waits */
    stage(&s, PROBE_RETIRED, 4, I4, 23);
    stage(&s, PROBE_RETIRED, 5, I5, 24);
    stage(&s, PROBE_MAPPED, 6, I1, 25); /* the interrupt that waited */
    stage(&s, PROBE_RETIRED, 6, I1, 26);
    finish(&s);
    EXPECT(&s, 0, I5, 20);
    EXPECT(&s, 1, I4, 10);
    EXPECT(&s, 1, I1, 10);
    ck_assert_uint_eq(s.result->profile[0].lost, 1);
    ck_assert_uint_eq(s.result->profile[0].samples, 1);
    ck_assert_uint_eq(s.result->profile[1].lost, 0);
    ck_assert_uint_eq(s.result->profile[1].samples, 2);
    observers_free(s.set);
    free(s.port);
}
END_TEST

static const struct refused wrong[] = {
    {"", "expected the name of a profiler; there are oracle, tip, tip-ilp"},
    {"oracel", "did you mean 'oracle'?"},
    {"oracle,", "expected the name of a profiler"},
    {"tip:period=0", "expected from 1 to 1099511627775 cycles after 'period=', found '0'"},
    {"tip:period=1099511627776", "from 1 to 1099511627775 cycles"},
    {"tip:perod=5", "tip has no option 'perod=5' (did you mean 'period'?); there are period=N, random and seed=N"},
    {"kanata", "there is no profiler 'kanata'"},
    {"tip:period=", "expected a number after 'period=', found ''"},
    {"tip:period=-5", "expected a number"},
    {"tip:period=99999999999999999999", "from 1 to 1099511627775 cycles"},
    {"tip:period=5:random:period=6", "the option 'period' is given twice"},
    {"tip:seed=x", "expected a number after 'seed=', found 'x'"},
    {"tip:period", "expected 'period=N', found 'period'"},
    {"tip:random=1", "expected 'random', found 'random=1'"},
    {"tip:rate=5", "tip has no option 'rate=5'; there are period=N, random and seed=N"},
    {"tip:", "tip: expected an option after ':'"},
    {"oracle:period=5", "takes no options"},
    {"lci,tip,lci", "'lci' is listed twice"},
};

START_TEST(a_wrong_list_is_one_clear_error) { expect_refused(&wrong[_i]); }
END_TEST

START_TEST(too_many_profilers_are_an_error)
{
    char text[512] = "lci";
    struct observers *set = observers_new();
    struct errmsg err;
    for (unsigned i = 1; i < 25; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ",lci:seed=%u", i);
    ck_assert_int_eq(observers_create(set, text, 1, &err), ST_RANGE);
    observers_free(set);
}
END_TEST

START_TEST(labels_are_what_was_asked_for)
{
    struct stream s = watch("oracle,nci+ilp:random:seed=3:period=0x11", 2);
    commit2(&s, I1, I2);
    finish(&s);
    ck_assert_str_eq(s.result->profile[0].label, "oracle");
    ck_assert_str_eq(s.result->profile[1].label, "nci+ilp:random:seed=3:period=0x11");
    ck_assert(s.result->profile[0].exact && !s.result->profile[1].exact);
    observers_free(s.set);
    free(s.port);
}
END_TEST

/* More pages and more instructions than the map begins with, pages that share a place in its cache among them. */
START_TEST(a_map_of_many_pages)
{
    struct time_map m;
    size_t count;
    time_map_init(&m);
    for (unsigned round = 0; round < 2; round++)
        for (uint64_t page = 0; page < 600; page++)
            for (uint64_t i = 0; i < 5; i++)
                time_map_add(&m, page << PC_PAGE_BITS | i * 2, STATE_COMPUTING, page + i);
    struct time_row *rows = time_map_rows(&m, NULL, NULL, &count);
    ck_assert_uint_eq(count, 3000);
    for (size_t r = 0; r < count; r++) {
        ck_assert_uint_eq(rows[r].pc, r / 5 << PC_PAGE_BITS | r % 5 * 2);
        ck_assert_uint_eq(rows[r].time[TIME_EXECUTE], 2 * (r / 5 + r % 5));
    }
    free(rows);
    time_map_fini(&m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("prof");
    TCase *tc = tcase_create("attribution");
    tcase_add_test(tc, a_full_store_queue_stalls_the_store_before_the_rob);
    tcase_add_test(tc, a_drained_sample_is_complete_when_the_store_waits);
    tcase_add_test(tc, a_flushing_instruction_is_charged_for_the_empty_cycles);
    tcase_add_test(tc, an_exception_is_its_instructions);
    tcase_add_test(tc, a_handlers_time_is_no_instructions);
    tcase_add_test(tc, a_handler_ends_a_drained_state);
    tcase_add_test(tc, only_the_youngest_committing_instruction_explains_an_empty_rob);
    tcase_add_test(tc, shares_of_every_size_add_up);
    tcase_add_test(tc, time_before_the_first_and_behind_the_last_instruction);
    tcase_add_test(tc, tip_registers);
    tcase_add_test(tc, dispatch_loses_a_squashed_sample_and_software_interrupts_again);
    suite_add_tcase(suite, tc);
    tc = tcase_create("sampling");
    tcase_add_test(tc, samples_are_weighted_by_the_cycles_since_the_last);
    tcase_add_test(tc, triggers_that_meet_an_incomplete_sample_join_it);
    tcase_add_test(tc, random_triggers_lie_one_in_each_period);
    tcase_add_loop_test(tc, triggers_are_taken_together, 0, 2); /* at the end of each period, at random */
    tcase_add_test(tc, random_triggers_are_unbiased);
    tcase_add_test(tc, a_schedule_can_start_late);
    suite_add_tcase(suite, tc);
    tc = tcase_create("set");
    tcase_add_loop_test(tc, a_wrong_list_is_one_clear_error, 0, sizeof wrong / sizeof wrong[0]);
    tcase_add_test(tc, too_many_profilers_are_an_error);
    tcase_add_test(tc, labels_are_what_was_asked_for);
    tcase_add_test(tc, a_map_of_many_pages);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
