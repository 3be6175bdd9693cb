/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The intervals of the value profile: visits and their batches, and how often intervals contain the truth, for loads
 * whose shares change between visits. */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "host/driver/value/value_interval.h"

/* Last: it defines the word fail. */
#include "tests/unit/suite.h"

static struct value_profile profile;
static struct random source;

static void setup(void)
{
    value_profile_init(&profile);
    profile.damped = true;
    source = (struct random){1};
}

static void teardown(void) { value_profile_fini(&profile); }

static double value_interval_uniform(void) { return (double)(random_bits(&source) >> 11) * 0x1p-53; }

/* A visit of load `pc32`: a slot of 100 samples whose active value is 7 with this share of them. */
static void visit_load(uint32_t pc32, unsigned hits)
{
    struct value_load *l = value_profile_add(&profile, pc32, 7, hits, 100 - hits, 100);
    value_set_solve(&l->round);
    value_profile_end_visit(&profile, 1000);
}

static struct interval interval_of_load(uint32_t pc32)
{
    struct interval *all = value_intervals_of(value_profile_find(&profile, pc32), value_interval_correlation(&profile));
    const struct interval first = all[0];
    free(all);
    return first;
}

START_TEST(one_visit_says_nothing)
{
    visit_load(5, 80);
    ck_assert(!interval_of_load(5).is_known);
    visit_load(5, 80);
    ck_assert(interval_of_load(5).is_known);
}
END_TEST

START_TEST(visits_that_differ_widen_it)
{
    for (unsigned n = 0; n < 8; n++) {
        visit_load(5, 50);
        visit_load(6, n % 2 != 0 ? 100 : 0);
    }
    const struct interval same = interval_of_load(5), differing = interval_of_load(6);
    ck_assert_double_lt(same.high - same.low, differing.high - differing.low);
    ck_assert(same.low < 0.5 && 0.5 < same.high);
}
END_TEST

/* Of 8 samples before the value became active the estimate gives it a fifth: they were not seen. */
START_TEST(what_was_not_seen_is_below)
{
    for (unsigned n = 0; n < 2; n++) {
        struct value_load *l = value_profile_add(&profile, 5, 7, 4, 4, 16);
        value_set_solve(&l->round);
        value_profile_end_visit(&profile, 1000);
    }
    const struct value_load *l = value_profile_find(&profile, 5);
    ck_assert_double_eq_tol(value_estimate(l, 0), (4 + 0.2 * 8) / 16, 1e-6);
    ck_assert_double_le(interval_of_load(5).low, 4.0 / 16);
}
END_TEST

START_TEST(visits_are_combined)
{
    struct value_visits v = {0};
    for (unsigned n = 0; n < 1000; n++) {
        value_visits_begin(&v);
        value_visits_add(&v, n % 2, 3, 1, 2);
    }
    ck_assert_uint_eq(v.total, 1000);
    ck_assert_uint_le(v.count, VALUE_VISITS_MAX);
    double weight = 0, hits = 0;
    for (unsigned i = 0; i < v.count; i++) {
        weight += v.list[i].weight;
        hits += value_visit_part(&v.list[i], 0).hits;
        if (i + 1 < v.count)
            ck_assert_double_eq(v.list[i].weight, v.list[0].weight);
    }
    ck_assert_double_eq(weight, 6000);
    ck_assert_double_eq(hits, 1500);
    ck_assert_double_eq(value_visit_part(&v.list[0], 9).hits, 0);
    value_visits_fini(&v);
}
END_TEST

/* 2,000 loads, each of 2 to 9 visits of a share that differs by up to 0.2 between visits around the load's own. */
START_TEST(intervals_contain_the_truth)
{
    enum { LOADS = 2000 };
    static double truth[LOADS];
    for (unsigned i = 0; i < LOADS; i++) {
        truth[i] = 0.3 + 0.5 * value_interval_uniform();
        unsigned visits = 2 + (unsigned)(8 * value_interval_uniform());
        for (unsigned n = 0; n < visits; n++) {
            double share = truth[i] + 0.4 * (value_interval_uniform() - 0.5);
            unsigned hits = 0;
            for (unsigned s = 0; s < 100; s++)
                hits += value_interval_uniform() < share;
            visit_load(i, hits);
        }
    }
    unsigned holding = 0;
    for (unsigned i = 0; i < LOADS; i++) {
        const struct interval interval = interval_of_load(i);
        holding += interval.low <= truth[i] && truth[i] <= interval.high;
    }
    ck_assert_double_ge(holding, 0.93 * LOADS);
    ck_assert_double_le(holding, 0.999 * LOADS);
}
END_TEST

/* Values of which most have a share of 1 / 1000, and some of 1 / 10; 300 samples find a part of them. */
START_TEST(found_values_contain_the_truth)
{
    enum { SAMPLES = 300, COMMON = 5, RARE = 500, RUNS = 40 };
    unsigned intervals = 0, holding = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        unsigned found[COMMON + RARE] = {0};
        for (unsigned s = 0; s < SAMPLES; s++) {
            double at = value_interval_uniform();
            found[at < 0.5 ? (unsigned)(10 * at) : COMMON + (unsigned)((at - 0.5) * 2 * RARE)]++;
        }
        for (unsigned v = 0; v < COMMON + RARE; v++) {
            const struct interval interval = interval_of_found(found[v], SAMPLES);
            double truth = v < COMMON ? 0.1 : 0.001;
            ck_assert(interval.is_known == (found[v] >= 2));
            intervals += interval.is_known;
            holding += interval.is_known && interval.low <= truth && truth <= interval.high;
        }
    }
    ck_assert_uint_gt(intervals, 500);
    ck_assert_double_ge(holding, 0.90 * intervals);
    ck_assert_double_le(holding, 0.99 * intervals);
}
END_TEST

START_TEST(all_finds)
{
    const struct interval all = interval_of_found(64, 64);
    ck_assert_double_eq(all.high, 1);
    ck_assert_double_eq_tol(all.low, pow(0.05, 1.0 / 64), 1e-3); /* the condition says next to nothing */
    ck_assert(!interval_of_found(3, 2).is_known);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host value intervals");
    TCase *t = tcase_create("intervals");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, one_visit_says_nothing);
    tcase_add_test(t, visits_that_differ_widen_it);
    tcase_add_test(t, what_was_not_seen_is_below);
    tcase_add_test(t, visits_are_combined);
    tcase_add_test(t, intervals_contain_the_truth);
    tcase_add_test(t, found_values_contain_the_truth);
    tcase_add_test(t, all_finds);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
