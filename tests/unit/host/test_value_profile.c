/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The value profile: the estimate of A.6 and the score against examples worked by hand, the confidence rules. */
#include "tests/unit/suite.h"
#include <math.h>
#include <stdlib.h>

#include "host/driver/value/value_profile.h"
#include "host/driver/value/value_score.h"

#define ck_near(a, b) ck_assert_double_eq_tol(a, b, 1e-12)

static struct value_profile profile;

static void setup(void) { value_profile_init(&profile); }
static void teardown(void) { value_profile_fini(&profile); }

START_TEST(estimate_one_value)
{
    /* 80 of 100 hit and nothing is unaccounted for: the misses belong to no known value. */
    value_profile_add(&profile, 1, 7, 80, 20, 100);
    ck_near(value_estimate(value_profile_find(&profile, 1), 0), 0.80);
}
END_TEST

START_TEST(estimate_shares_misses_and_rest)
{
    /* Values a, b, c with hits 60, 30, 10, misses 20, 10, 40; total 220, so R = 220 - 170 = 50 and each gets
     * min(50 / 3, 0.2 * 50) = 10.
     *   a: 60 + 10 * 60/70 + 40 * 60/90 + 10 = 105.2381  (b's misses over a+c = 70, c's over a+b = 90)
     *   b: 30 + 20 * 30/40 + 40 * 30/90 + 10 = 68.3333   (a's misses over b+c = 40)
     *   c: 10 + 20 * 10/40 + 10 * 10/70 + 10 = 26.4286
     * Their sum is 200: all samples but the 20 of the rest that no value may have. */
    value_profile_add(&profile, 5, 0xa, 60, 20, 100);
    value_profile_add(&profile, 5, 0xb, 30, 10, 50);
    value_profile_add(&profile, 5, 0xc, 10, 40, 70);
    const struct value_load *l = value_profile_find(&profile, 5);
    double a = value_estimate(l, 0), b = value_estimate(l, 1), c = value_estimate(l, 2);
    ck_near(a * 220, 60 + 600.0 / 70 + 2400.0 / 90 + 10);
    ck_near(b * 220, 30 + 15 + 1200.0 / 90 + 10);
    ck_near(c * 220, 10 + 5 + 100.0 / 70 + 10);
    ck_near((a + b + c) * 220, 200);
}
END_TEST

START_TEST(estimate_many_values_share_equally)
{
    /* Ten values of one hit each, total 110: R = 100, and a tenth of it is less than 20 %. */
    for (uint32_t v = 0; v < 10; v++)
        value_profile_add(&profile, 5, v, 1, 0, 11);
    ck_near(value_estimate(value_profile_find(&profile, 5), 3), 11.0 / 110);
}
END_TEST

START_TEST(likeliest_shares)
{
    /* Two values and others, whose shares of 1/2, 1/4 and 1/4 give these counts exactly. */
    struct value_set s = {0};
    value_set_add(&s, 0xa, 40, 40, 80);
    value_set_add(&s, 0xb, 20, 60, 80);
    value_set_solve(&s);
    ck_assert_double_eq_tol(value_set_estimate(&s, 0), 0.50, 1e-3);
    ck_assert_double_eq_tol(value_set_estimate(&s, 1), 0.25, 1e-3);
    value_set_fini(&s);
}
END_TEST

/* 60 samples are of a time in which replaced values were active: the value has a fifth of them. */
START_TEST(shares_of_replaced_values)
{
    struct value_set s = {0};
    value_set_add(&s, 0xa, 40, 0, 100);
    value_set_solve(&s);
    ck_assert_double_eq_tol(value_set_estimate(&s, 0), (40 + 0.2 * 60) / 100, 1e-9);
    value_set_fini(&s);
}
END_TEST

/* Two values that are active in turn for half of each slot: neither has a share of the other's replaced samples, of
 * which each has a fifth in its own slots. */
START_TEST(replaced_samples_are_of_their_slot)
{
    struct value_set s = {0};
    for (unsigned i = 0; i < 100; i++) {
        value_set_add(&s, 0xa, 15, 15, 50);
        value_set_add(&s, 0xb, 15, 15, 50);
    }
    value_set_solve(&s);
    double a = value_set_estimate(&s, 0);
    ck_assert_double_eq_tol(a, 0.15 + 0.15 * a / (1 - a) + 0.2 * 0.2, 1e-4); /* hits, misses of 0xb, rest */
    ck_assert_double_eq_tol(value_set_estimate(&s, 1), a, 1e-4);
    value_set_fini(&s);
}
END_TEST

/* The counts of two values a and b are as likely as a^hits (1 - a)^misses b^hits (1 - b)^misses. */
START_TEST(likeliest_shares_by_search)
{
    const double hits[] = {9, 3}, misses[] = {2, 5};
    struct value_set s = {0};
    value_set_add(&s, 0xa, hits[0], misses[0], hits[0] + misses[0]);
    value_set_add(&s, 0xb, hits[1], misses[1], hits[1] + misses[1]);
    value_set_solve(&s);
    double best = -INFINITY, a_best = 0, b_best = 0;
    for (double a = 0.001; a < 1; a += 0.001)
        for (double b = 0.001; a + b < 1.0005; b += 0.001) {
            double likely = hits[0] * log(a) + misses[0] * log1p(-a) + hits[1] * log(b) + misses[1] * log1p(-b);
            if (likely > best) {
                best = likely;
                a_best = a;
                b_best = b;
            }
        }
    ck_assert_double_eq_tol(value_set_estimate(&s, 0), a_best, 0.01);
    ck_assert_double_eq_tol(value_set_estimate(&s, 1), b_best, 0.01);
    value_set_fini(&s);
}
END_TEST

START_TEST(likeliest_shares_of_nothing)
{
    struct value_set s = {0};
    value_set_solve(&s);
    value_set_add(&s, 0xa, 0, 0, 3);
    value_set_solve(&s);
    ck_near(value_set_estimate(&s, 0), 0);
    value_set_add(&s, 0xa, 5, 0, 5);
    value_set_solve(&s);
    ck_near(value_set_estimate(&s, 0), (5 + 0.2 * 3) / 8);
    value_set_fini(&s);
}
END_TEST

/* 16 samples of one slot count as 4. */
START_TEST(samples_of_a_slot_are_damped)
{
    profile.damped = true;
    struct value_load *l = value_profile_add(&profile, 5, 0xa, 12, 4, 16);
    ck_near(l->round.total, 4);
    ck_near(l->round.list[0].hits, 3);
    ck_assert_uint_eq(l->total, 16);
}
END_TEST

/* 30 of 100 samples have one value, and each of the others a value of its own, which is forgotten. */
START_TEST(damped_values_are_bounded)
{
    profile.damped = true;
    for (uint32_t n = 0; n < 1000; n++)
        value_profile_add(&profile, 5, n % 10 < 3 ? 7 : 1000 + n, 1, 0, 1);
    struct value_load *l = value_profile_find(&profile, 5);
    value_set_solve(&l->round);
    ck_assert_uint_eq(l->value_count, VALUE_KEPT);
    ck_assert_uint_eq(l->round.count, VALUE_KEPT);
    ck_assert_double_eq_tol(value_estimate(l, (unsigned)(value_load_find(l, 7) - l->values)), 0.30, 1e-9);
}
END_TEST

START_TEST(estimate_survives_empty_sums)
{
    value_profile_add(&profile, 1, 9, 0, 0, 0); /* nothing at all */
    ck_near(value_estimate(value_profile_find(&profile, 1), 0), 0);
    ck_near(value_measured(value_profile_find(&profile, 1), 0), 0);
    value_profile_add(&profile, 2, 9, 0, 12, 12); /* misses and no value to give them to */
    value_profile_add(&profile, 2, 8, 0, 8, 8);
    ck_near(value_estimate(value_profile_find(&profile, 2), 0), 0);
    value_profile_add(&profile, 3, 9, 10, 0, 9); /* counters ahead of the total */
    ck_near(value_estimate(value_profile_find(&profile, 3), 0), 1);
    value_profile_add(&profile, 4, 9, 0, 6, 6); /* only the other one has hits: it gets the misses */
    value_profile_add(&profile, 4, 8, 6, 0, 6);
    ck_near(value_estimate(value_profile_find(&profile, 4), 0), 0);
    ck_near(value_estimate(value_profile_find(&profile, 4), 1), 1);
}
END_TEST

START_TEST(slots_add_up)
{
    value_profile_add(&profile, 5, 0xa, 60, 20, 100);
    value_profile_add(&profile, 5, 0xa, 10, 2, 12);
    value_profile_add(&profile, 6, 0xa, 1, 0, 1);
    const struct value_load *l = value_profile_find(&profile, 5);
    ck_assert_uint_eq(value_profile_count(&profile), 2);
    ck_assert_uint_eq(l->value_count, 1);
    ck_assert_uint_eq(l->values[0].hits, 70);
    ck_assert_uint_eq(l->values[0].misses, 22);
    ck_assert_uint_eq(l->total, 112);
    ck_assert_uint_eq(l->visit_total, 112);
    value_profile_end_visit(&profile, 100);
    ck_assert_uint_eq(l->visit_total, 0);
    ck_assert_ptr_null(profile.seen);
}
END_TEST

static bool judge(uint32_t pc32, uint64_t hits, uint64_t misses, uint64_t total)
{
    value_profile_add(&profile, pc32, 1, hits, misses, total);
    bool known = value_load_judge(value_profile_find(&profile, pc32), &value_confidence_default);
    value_profile_end_visit(&profile, 100);
    return known;
}

START_TEST(confidence)
{
    ck_assert(judge(1, 64, 0, 64));
    ck_assert(!judge(2, 63, 0, 63)); /* too few to be sure */
    ck_assert(judge(3, 95, 5, 100)); /* the line itself is invariant */
    ck_assert(!judge(4, 94, 6, 100));
    ck_assert(judge(5, 9, 41, 100)); /* no value holds a tenth */
    ck_assert(!judge(6, 10, 40, 100));
    ck_assert(!judge(7, 1, 3, 16));
    ck_assert(!judge(7, 1, 3, 15)); /* a visit with too few samples does not count */
    ck_assert(!judge(7, 9, 1, 16));
    ck_assert(!judge(7, 9, 1, 16));
    ck_assert(judge(7, 9, 1, 16)); /* the fourth */
}
END_TEST

START_TEST(glacial_is_not_invariant)
{
    value_profile_add(&profile, 1, 0xa, 255, 0, 255);
    ck_assert(!value_load_is_glacial(value_profile_find(&profile, 1)));
    value_profile_add(&profile, 1, 0xb, 255, 1, 256);
    struct value_load *l = value_profile_find(&profile, 1);
    ck_assert(value_load_is_glacial(l));
    ck_assert(!value_load_judge(l, &value_confidence_default)); /* half and half, though each slot looks invariant */
}
END_TEST

START_TEST(rounds_weigh_by_time)
{
    /* The load is seen in 100 of 1000 cycles with 50 samples, all 7: 500 executions. In a second round, of 3000 cycles,
     * it is seen in 100 cycles with 30 samples of 9: 900 executions. */
    value_profile_add(&profile, 1, 7, 50, 0, 50);
    struct value_load *l = value_profile_find(&profile, 1);
    value_profile_end_visit(&profile, 100);
    ck_near(value_estimate(l, 0), 1);
    l->masked = true;
    profile.masked = 1;
    value_profile_next_round(&profile, 1000);
    ck_assert(!l->masked);
    ck_assert_uint_eq(profile.masked, 0);
    value_profile_next_round(&profile, 2000); /* it is not seen, and this time counts for no load */
    value_profile_add(&profile, 1, 9, 30, 0, 30);
    value_profile_end_visit(&profile, 100);
    value_profile_next_round(&profile, 3000); /* not known yet: its round goes on */
    value_profile_close(&profile, 5000);
    ck_near(value_estimate(l, 0), 500.0 / 1400);
    ck_near(value_estimate(l, 1), 900.0 / 1400);
    ck_assert_uint_eq(l->total, 80);
}
END_TEST

START_TEST(later_rounds_confirm)
{
    value_profile_add(&profile, 1, 7, 60, 40, 100);
    struct value_load *l = value_profile_find(&profile, 1);
    ck_assert(!value_load_judge(l, &value_confidence_default));
    value_profile_end_visit(&profile, 100);
    l->masked = true;
    value_profile_next_round(&profile, 1000);
    value_profile_add(&profile, 1, 7, 11, 9, 20);
    ck_assert(value_load_judge(l, &value_confidence_default)); /* 55 %, as before */
    value_profile_end_visit(&profile, 100);
    l->masked = true;
    value_profile_next_round(&profile, 2000);
    value_profile_add(&profile, 1, 7, 18, 2, 20);
    ck_assert(!value_load_judge(l, &value_confidence_default)); /* 90 % */
    value_profile_end_visit(&profile, 100);
}
END_TEST

START_TEST(values_are_bounded)
{
    for (uint32_t v = 0; v < 3 * VALUE_KEPT; v++)
        value_profile_add(&profile, 1, v, v, 0, v);
    struct value_load *l = value_profile_find(&profile, 1);
    value_profile_end_visit(&profile, 100);
    value_profile_close(&profile, 100);
    ck_assert_uint_eq(l->value_count, VALUE_KEPT);
    ck_assert_ptr_null(value_load_find(l, 2 * VALUE_KEPT - 1));
    ck_assert_ptr_nonnull(value_load_find(l, 2 * VALUE_KEPT));
}
END_TEST

START_TEST(whole_values)
{
    /* Four fifths have the low half 5; of these, as the second pass says, three quarters the high half 1. */
    value_profile_add(&profile, 1, 5, 80, 20, 100);
    struct value_load *l = value_profile_find(&profile, 1);
    ck_near(value_estimate_whole(l, 0, 0x100000005), 0.8); /* not known better */
    ck_assert_uint_eq(value_whole(&l->values[0]), 5);
    value_set_add(&l->values[0].highs, 1, 30, 10, 40);
    value_set_add(&l->values[0].highs, 0, 10, 30, 40);
    ck_near(value_estimate_whole(l, 0, 0x100000005), 0.8 * (30 + 30) / 80);
    ck_near(value_estimate_whole(l, 0, 5), 0.8 * (10 + 10) / 80);
    ck_near(value_estimate_whole(l, 0, 0x200000005), 0);
    ck_assert_uint_eq(value_whole(&l->values[0]), 0x100000005);
}
END_TEST

/* Truth for the score, in one table. */
static void truth_loads(void *ctx, void (*each)(void *arg, const struct truth_load *load), void *arg)
{
    for (const struct truth_load *l = ctx; l->count != 0; l++)
        each(arg, l);
}

static const struct truth_value values_200[] = {{6, 300}, {7, 300}, {0x100000005, 300}, {5, 100}};
static const struct truth_value values_300[] = {{1, 800}, {2, 150}, {3, 50}};
static const struct truth_value values_400[] = {{4, 199}};
static const struct truth_load truth_table[] = {
    {.pc = 0x200, .count = 1000, .values = values_200, .value_count = 4},
    {.pc = 0x300, .count = 1000, .values = values_300, .value_count = 3},
    {.pc = 0x400, .count = 199, .values = values_400, .value_count = 1},
    {.count = 0},
};

START_TEST(score_by_hand)
{
    /* Pairs that count: 0x200 has 0x100000005, 6 and 7 (0.3 each; the plain 5 is too rare); 0x300 has 1 (0.8). 0x400 is
     * one occurrence short. Estimates: 5, in 32 bits, has 50 of 100, error +0.2; 6 and 7 were never sampled, error
     * -0.3; 1 has 70 of 100, error -0.1. RMS = sqrt((300 * 0.04 + 600 * 0.09 + 800 * 0.01) / 1700) = sqrt(74 / 1700).
     * Of low halves 5 has 400 of 1000, error +0.1: sqrt((400 * 0.01 + 600 * 0.09 + 800 * 0.01) / 1800) = sqrt(66 /
     * 1800). */
    value_profile_add(&profile, 0x100, 5, 50, 50, 100);
    value_profile_add(&profile, 0x180, 1, 70, 30, 100);
    const struct truth truth = {.ctx = (void *)(uintptr_t)truth_table, .loads = truth_loads};
    struct value_score s;
    value_score_init(&s, &profile, &truth);
    ck_assert_uint_eq(s.count, 4);
    ck_assert_uint_eq(s.found, 2);
    ck_assert_uint_eq(s.loads, 3);
    ck_assert_uint_eq(s.aliased, 1);
    ck_assert_uint_eq(s.executions, 2199);
    ck_assert_uint_eq(s.executions_profiled, 2000);
    ck_assert_uint_eq(s.phantoms, 0);
    ck_near(s.rms, sqrt(74.0 / 1700));
    ck_near(s.rms_measured, sqrt(74.0 / 1700)); /* with one value the correction changes nothing */
    ck_near(s.rms_low, sqrt(66.0 / 1800));
    ck_assert_uint_eq(s.pairs[2].value, 0x100000005);
    ck_near(s.pairs[2].exact, 0.3);
    ck_assert(s.pairs[2].found && !s.pairs[1].found);
    const struct value_load *l = value_profile_find(&profile, 0x100);
    ck_assert(l->known);
    ck_assert_uint_eq(l->executions, 1000);
    ck_assert_uint_eq(l->values[0].exact, 400); /* both values with the low half 5 */
    value_score_fini(&s);
}
END_TEST

START_TEST(score_without_correction)
{
    /* 6 has 40 of 50, 7 has 10 of 50, total 200: R = 100, a share of 20 each.
     * 6: (40 + 40 * 40/40 + 20) / 200 = 0.5; 7: (10 + 10 * 10/10 + 20) / 200 = 0.2; before: 0.8 and 0.2.
     * True 0.3 each, weights 300, and so 0x100000005, not found; 0x300's 1 at 0.8, weight 800. */
    value_profile_add(&profile, 0x100, 6, 40, 10, 100);
    value_profile_add(&profile, 0x100, 7, 10, 40, 100);
    const struct truth truth = {.ctx = (void *)(uintptr_t)truth_table, .loads = truth_loads};
    struct value_score s;
    value_score_init(&s, &profile, &truth);
    double missing = 300 * 0.09 + 800 * 0.64;
    ck_near(s.rms, sqrt((300 * 0.04 + 300 * 0.01 + missing) / 1700));
    ck_near(s.rms_measured, sqrt((300 * 0.25 + 300 * 0.01 + missing) / 1700));
    value_score_fini(&s);
}
END_TEST

START_TEST(score_counts_phantoms)
{
    /* 1 has 60 of 100; all 40 misses go to 99, of which one sample was seen and which never occurs in truth. */
    value_profile_add(&profile, 0x180, 1, 60, 40, 100);
    value_profile_add(&profile, 0x180, 99, 1, 0, 1);
    const struct truth truth = {.ctx = (void *)(uintptr_t)truth_table, .loads = truth_loads};
    struct value_score s;
    value_score_init(&s, &profile, &truth);
    ck_assert_uint_eq(s.phantoms, 1);
    value_score_fini(&s);
}
END_TEST

START_TEST(score_counts_glacial)
{
    /* 0x500 holds each of two values for 1000 instances and more; 0x600 for fewer; 0x700 has one value for 95 %. */
    static const struct truth_value halves[] = {{1, 4000}, {2, 4000}}, most[] = {{1, 7600}, {2, 400}};
    static const struct truth_load table[] = {
        {.pc = 0x500, .count = 8000, .values = halves, .value_count = 2, .stretches = 8},
        {.pc = 0x580, .count = 8000, .values = halves, .value_count = 2, .stretches = 2},
        {.pc = 0x600, .count = 8000, .values = halves, .value_count = 2, .stretches = 9},
        {.pc = 0x700, .count = 8000, .values = most, .value_count = 2, .stretches = 2},
        {.count = 0},
    };
    for (uint32_t pc32 = 0x500 / 2; pc32 <= 0x600 / 2; pc32 += 0x100 / 2)
        for (uint32_t value = 1; value <= 2; value++)
            value_profile_add(&profile, pc32, value, 255, 0, 255);
    value_profile_add(&profile, 0x580 / 2, 1, 255, 0, 255);
    const struct truth truth = {.ctx = (void *)(uintptr_t)table, .loads = truth_loads};
    struct value_score s;
    value_score_init(&s, &profile, &truth);
    ck_assert_uint_eq(s.glacial, 2);
    ck_assert_uint_eq(s.glacial_found, 1);
    ck_assert_uint_eq(s.glacial_false, 1);
    value_score_fini(&s);
}
END_TEST

START_TEST(a_slot_that_saw_the_change)
{
    /* Slot by slot: the misses of the last slot with 7 do not undo what the first one saw. */
    value_profile_add(&profile, 1, 7, 255, 0, 255);
    value_profile_add(&profile, 1, 7, 100, 200, 300);
    value_profile_add(&profile, 1, 8, 63, 0, 63);
    ck_assert(!value_load_is_glacial(value_profile_find(&profile, 1)));
    value_profile_add(&profile, 1, 8, 64, 1, 65);
    ck_assert(value_load_is_glacial(value_profile_find(&profile, 1)));
}
END_TEST

START_TEST(score_of_nothing)
{
    const struct truth truth = {.ctx = (void *)(uintptr_t)&truth_table[2], .loads = truth_loads};
    struct value_score s;
    value_score_init(&s, &profile, &truth);
    ck_assert_uint_eq(s.count, 0);
    ck_assert(isnan(s.rms));
    value_score_fini(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host value profile");
    TCase *t = tcase_create("profile");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, estimate_one_value);
    tcase_add_test(t, estimate_shares_misses_and_rest);
    tcase_add_test(t, estimate_many_values_share_equally);
    tcase_add_test(t, estimate_survives_empty_sums);
    tcase_add_test(t, likeliest_shares);
    tcase_add_test(t, shares_of_replaced_values);
    tcase_add_test(t, replaced_samples_are_of_their_slot);
    tcase_add_test(t, likeliest_shares_by_search);
    tcase_add_test(t, likeliest_shares_of_nothing);
    tcase_add_test(t, samples_of_a_slot_are_damped);
    tcase_add_test(t, damped_values_are_bounded);
    tcase_add_test(t, slots_add_up);
    tcase_add_test(t, confidence);
    tcase_add_test(t, glacial_is_not_invariant);
    tcase_add_test(t, rounds_weigh_by_time);
    tcase_add_test(t, later_rounds_confirm);
    tcase_add_test(t, values_are_bounded);
    tcase_add_test(t, whole_values);
    tcase_add_test(t, score_by_hand);
    tcase_add_test(t, score_without_correction);
    tcase_add_test(t, score_counts_phantoms);
    tcase_add_test(t, score_counts_glacial);
    tcase_add_test(t, a_slot_that_saw_the_change);
    tcase_add_test(t, score_of_nothing);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
