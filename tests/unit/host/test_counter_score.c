/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The samples of event counters by instruction and function: shares, estimates and errors by hand, and beside the exact
 * counts of a run. */
#include "core-model/prof/observers.h"
#include "host/family/counter_score.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/suite.h"
#include <math.h>

/* Two events take turns; addresses 4 to 16 have samples of the one, 8 of the other, 8 and 20 the event itself. */
static const struct count_row samples[] = {
    {.pc = 4, .samples = 6, .count[COUNT_LOADS] = 6},
    {.pc = 8, .samples = 5, .count[COUNT_LOADS] = 2, .count[COUNT_TAKEN] = 3},
    {.pc = 16, .samples = 2, .count[COUNT_LOADS] = 2},
};
static const struct count_row counts[] = {
    {.pc = 4, .count[COUNT_RETIRED] = 100},
    {.pc = 8, .count[COUNT_RETIRED] = 100, .count[COUNT_LOADS] = 75},
    {.pc = 20, .count[COUNT_RETIRED] = 100, .count[COUNT_LOADS] = 25},
};
static const struct counter_profile counter = {.row = samples, .rows = 3};
static const struct counter_event loads = {.kind = COUNT_LOADS, .estimate = 200};
static const struct count_profile exact = {
    .exact = true, .kinds = 1u << COUNT_RETIRED | 1u << COUNT_LOADS, .row = counts, .rows = 3};

START_TEST(instructions_by_samples)
{
    static const struct counter_line expected[] = {
        {.pc = 4, .samples = 6, .share = 0.6, .estimate = 120},
        {.pc = 8, .samples = 2, .share = 0.2, .estimate = 40, .exact = 75, .exact_share = 0.75},
        {.pc = 16, .samples = 2, .share = 0.2, .estimate = 40},
        {.pc = 20, .exact = 25, .exact_share = 0.25},
    };
    struct counter_lines in = counter_instructions(&counter, &loads, &exact);
    ck_assert(in.has_exact);
    ck_assert_uint_eq(in.lines, 4);
    for (size_t i = 0; i < in.lines; i++) {
        ck_assert_uint_eq(in.line[i].pc, expected[i].pc);
        ck_assert_uint_eq(in.line[i].samples, expected[i].samples);
        ck_assert_uint_eq(in.line[i].exact, expected[i].exact);
        ck_assert_double_eq_tol(in.line[i].share, expected[i].share, 1e-9);
        ck_assert_double_eq_tol(in.line[i].estimate, expected[i].estimate, 1e-9);
        ck_assert_double_eq_tol(in.line[i].exact_share, expected[i].exact_share, 1e-9);
    }
    ck_assert_double_eq_tol(in.error, 0.8, 1e-9); /* 0.2 of the samples are at 8, which has the event */
    free(in.line);
}
END_TEST

START_TEST(functions_add_up)
{
    struct counter_lines in = counter_functions(&counter, &loads, &exact, NULL); /* all in one that is not known */
    ck_assert_uint_eq(in.lines, 1);
    ck_assert_uint_eq(in.line[0].samples, 10);
    ck_assert_uint_eq(in.line[0].exact, 100);
    ck_assert_double_eq_tol(in.error, 0, 1e-9);
    free(in.line);
}
END_TEST

/* Without exact counts, without those of the event, and without samples. */
START_TEST(what_is_not_known)
{
    static const struct counter_event taken = {.kind = COUNT_TAKEN, .estimate = 30};
    static const struct counter_profile nothing = {.rows = 0};
    struct counter_lines alone = counter_instructions(&counter, &loads, NULL);
    struct counter_lines other = counter_instructions(&counter, &taken, &exact);
    struct counter_lines empty = counter_instructions(&nothing, &loads, &exact);
    ck_assert(!alone.has_exact && !other.has_exact && empty.has_exact);
    ck_assert(isnan(alone.error) && isnan(other.error) && isnan(empty.error));
    ck_assert_uint_eq(alone.lines, 3);
    ck_assert_uint_eq(other.lines, 1);
    ck_assert_uint_eq(other.line[0].pc, 8);
    ck_assert_double_eq_tol(other.line[0].estimate, 30, 1e-9);
    ck_assert_uint_eq(empty.lines, 2);
    ck_assert_uint_eq(empty.line[0].pc, 8);
    free(alone.line);
    free(other.line);
    free(empty.line);
}
END_TEST

/* Of a run, with events in turns: all samples of an event are on its lines, its exact counts are its total, and a
 * counter of another event has another error. */
START_TEST(lines_of_a_run)
{
    struct core_config cfg = config_of(_i);
    struct bench b;
    struct errmsg err;
    struct observers *set = observers_new();
    ck_assert_int_eq(observers_create(set, "counter:event=loads+taken:rotate=97:period=3,counts", 1, &err), ST_OK);
    bench_open(&b, loop_of_everything(400), &cfg);
    observers_attach(set, b.core);
    bench_finish(&b);
    observers_finish(set, core_cycle(b.core), NULL);
    const struct counter_result *r = observers_counters(set);
    ck_assert_ptr_eq(r->exact, &observers_counts(set)->profile[0]);
    for (unsigned e = 0; e < 2; e++) {
        const struct counter_event *event = &r->profile[0].event[e];
        struct counter_lines in = counter_instructions(&r->profile[0], event, r->exact);
        uint64_t sampled = 0, counted = 0;
        double estimate = 0;
        for (size_t i = 0; i < in.lines; i++) {
            sampled += in.line[i].samples;
            counted += in.line[i].exact;
            estimate += in.line[i].estimate;
            ck_assert(i == 0 || in.line[i - 1].samples >= in.line[i].samples);
        }
        ck_assert_uint_gt(sampled, 0);
        ck_assert_uint_eq(sampled, event->samples);
        ck_assert_uint_eq(counted, event->total);
        ck_assert_double_eq_tol(estimate, event->estimate, 1e-6 * event->estimate);
        ck_assert(in.error > 0.1 && in.error <= 1); /* a counter skids */
        free(in.line);
    }
    observers_free(set);
    bench_close(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("counter score");
    TCase *t = tcase_create("lines");
    tcase_add_test(t, instructions_by_samples);
    tcase_add_test(t, functions_add_up);
    tcase_add_test(t, what_is_not_known);
    tcase_add_loop_test(t, lines_of_a_run, 0, 2);
    suite_add_tcase(s, t);
    return run_suite(s);
}
