/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stratified samples: published examples, results of R, and how often intervals hold. */
#include "host/region/stratified.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/status.h"
#include "tests/unit/suite.h"

/* ---- estimates ---- */

static const double y[] = {12, 15, 11, 14, 13, 18, 31, 28, 36, 30, 55, 71, 49},
                    x[] = {10, 11, 10, 12, 11, 12, 20, 19, 21, 20, 25, 30, 24};
static const struct region_sample means[] = {{40, 6, y, NULL, 0}, {25, 4, y + 6, NULL, 0}, {10, 3, y + 10, NULL, 0}},
                                  ratios[] = {{40, 6, y, x, 0}, {25, 4, y + 6, x + 6, 0}, {10, 3, y + 10, x + 10, 0}};

/* svymean, svyratio (package survey 4.1) and sd of R 4.2.2, with a finite population. */
START_TEST(estimates_of_r)
{
    double deviation[3];
    struct region_estimate e = region_estimate(means, 3, REGION_PRIOR_NONE, deviation);
    ck_assert_double_eq_tol(e.value, 25.5722222222222, 1e-12);
    ck_assert_double_eq_tol(e.deviation, 1.0272611314066, 1e-12);
    ck_assert_double_eq_tol(deviation[0], 2.48327740429189, 1e-12);
    ck_assert_double_eq_tol(deviation[1], 3.40342964277702, 1e-12);
    ck_assert_double_eq_tol(deviation[2], 11.37248140615465, 1e-12);
    e = region_estimate(ratios, 3, REGION_PRIOR_NONE, NULL);
    ck_assert_double_eq_tol(e.value, 1.5938365650969528, 1e-12);
    ck_assert_double_eq_tol(e.deviation, 0.0381963584891811, 1e-12);
}
END_TEST

/* Of two large strata of equal size, the mean has half of the standard error of the difference, and its degrees of
 * freedom: t.test and qt of R. */
START_TEST(freedom_of_r)
{
    const struct region_sample pair[] = {{1e12, 6, y, NULL, 0}, {1e12, 4, y + 6, NULL, 0}};
    struct region_estimate e = region_estimate(pair, 2, REGION_PRIOR_NONE, NULL);
    ck_assert_double_eq_tol(e.freedom, 5.12039689592229, 1e-9);
    ck_assert_double_eq_tol(e.deviation, 1.98081072066745 / 2, 1e-9);
    ck_assert_double_eq_tol(e.half, 2.55250802372975 * 1.98081072066745 / 2, 1e-7);
}
END_TEST

START_TEST(strata_without_variance)
{
    /* A stratum that is measured as a whole adds none; one with a single unit of several has an unknown one. */
    const struct region_sample whole[] = {{6, 6, y, NULL, 0}, {1, 1, y + 6, NULL, 0}},
                               single[] = {{40, 6, y, NULL, 0}, {25, 1, y + 6, NULL, 0}};
    struct region_estimate e = region_estimate(whole, 2, REGION_PRIOR_NONE, NULL);
    ck_assert(e.has_interval);
    ck_assert_double_eq(e.half, 0);
    ck_assert_double_eq_tol(e.value, (12 + 15 + 11 + 14 + 13 + 18 + 31) / 7.0, 1e-12);
    ck_assert(!region_estimate(single, 2, REGION_PRIOR_NONE, NULL).has_interval);
}
END_TEST

/* Cochran, chapter 10: the second stage adds the sum of the variances
 * within the measured units, divided by the part of the units that is measured. */
START_TEST(variance_within_units)
{
    const struct region_sample exact = {40, 6, y, NULL, 0}, sampled = {40, 6, y, NULL, 9}, whole = {6, 6, y, NULL, 9};
    const double first = region_estimate(&exact, 1, REGION_PRIOR_NONE, NULL).deviation,
                 both = region_estimate(&sampled, 1, REGION_PRIOR_NONE, NULL).deviation;
    ck_assert_double_eq_tol(both * both - first * first, 40.0 / 6 * 9 / (40 * 40), 1e-12);
    ck_assert_double_eq_tol(region_estimate(&whole, 1, REGION_PRIOR_NONE, NULL).deviation, 3.0 / 6, 1e-12);
}
END_TEST

/* ---- allocation ---- */

/* Cochran, section 5.5: the populations of 64 cities in 1930, in strata of 16 and 48, with variances 53843 and 5581. Of
 * 24 cities, the variance of the estimated total is 1,882,293 in proportion to strata (6 and 18), and 1,090,827 with 12
 * each. The best allocation is 9.77 and 14.23. */
START_TEST(cities)
{
    const double units[] = {16, 48}, deviation[] = {sqrt(53843), sqrt(5581)}, alike[] = {1, 1};
    size_t count[2] = {0};
    region_allocate(units, alike, 2, 24, count);
    ck_assert_uint_eq(count[0], 6);
    ck_assert_uint_eq(count[1], 18);
    count[0] = count[1] = 0;
    region_allocate(units, deviation, 2, 24, count);
    ck_assert_uint_eq(count[0], 12);
    ck_assert_uint_eq(count[1], 12);
}
END_TEST

/* As many units as are needed for the precision that a number of them has: with 24 cities the standard error of the
 * total by the best allocation, N h S h being 3712.6 and 3585.9. */
START_TEST(needed_units)
{
    const double units[] = {16, 48}, deviation[] = {sqrt(53843), sqrt(5581)};
    const double sum = 16 * sqrt(53843) + 48 * sqrt(5581), variance = sum * sum / 24 - 16 * 53843 - 48 * 5581.0;
    ck_assert_double_eq_tol(region_units_needed(units, deviation, 2, 2 * sqrt(variance) / 64, 2), 24, 1e-9);
    ck_assert_double_eq(region_units_needed(units, (const double[]){0, 0}, 2, 1, 2), 0);
}
END_TEST

START_TEST(bounds_of_allocation)
{
    const double units[] = {3, 100, 1, 50}, deviation[] = {100, 1, 5, 0};
    size_t count[] = {2, 2, 2, 2};
    region_allocate(units, deviation, 4, 30, count);
    ck_assert_uint_eq(count[0], 3);
    ck_assert_uint_eq(count[1], 24);
    ck_assert_uint_eq(count[2], 1);
    ck_assert_uint_eq(count[3], 2);
    /* More than there are. */
    region_allocate(units, deviation, 4, 1000, count);
    ck_assert_uint_eq(count[1], 100);
    /* No more than the least numbers need. */
    count[0] = count[1] = count[2] = count[3] = 1;
    region_allocate(units, deviation, 4, 2, count);
    ck_assert_uint_eq(count[0] + count[1] + count[2] + count[3], 4);
}
END_TEST

START_TEST(sums_of_allocation)
{
    struct random r = {.state = (uint64_t)_i};
    enum { STRATA = 7 };
    double units[STRATA], deviation[STRATA];
    size_t count[STRATA], least[STRATA], sum = 0;
    for (size_t h = 0; h < STRATA; h++) {
        units[h] = 2 + random_below(&r, 100);
        deviation[h] = random_below(&r, 5);
        count[h] = least[h] = random_below(&r, 3);
    }
    deviation[0] = 1;
    const size_t total = 3 * STRATA + random_below(&r, 30);
    region_allocate(units, deviation, STRATA, total, count);
    bool is_full = true;
    for (size_t h = 0; h < STRATA; h++) {
        ck_assert_uint_ge(count[h], least[h]);
        ck_assert_double_le((double)count[h], units[h]);
        is_full &= deviation[h] == 0 || (double)count[h] == units[h];
        sum += count[h];
    }
    ck_assert(is_full || sum == total);
}
END_TEST

/* ---- how often intervals hold ---- */

enum { TRIALS = 4000, POPULATION = 600 };

static double random_share(struct random *r) { return ((double)(random_bits(r) >> 11) + 0.5) / 9007199254740992.0; }

static double random_normal(struct random *r)
{
    const double radius = sqrt(-2 * log(random_share(r)));
    return radius * cos(2 * acos(-1) * random_share(r));
}

/* Populations of units with cycles and instructions: strata that differ in mean, spread and size, their shares of all
 * units, the coefficient of variation within them, and whether units differ in size. */
static const struct population {
    size_t strata, sampled;
    double share[4], mean[4], spread[4];
    bool skewed, sizes;
} populations[] = {
    {1, 30, {1}, {2}, {0.2}, false, false},
    {3, 30, {0.5, 0.3, 0.2}, {1, 2, 5}, {0.05, 0.1, 0.2}, false, false},
    {3, 45, {0.5, 0.3, 0.2}, {1, 2, 5}, {0.05, 0.1, 0.2}, true, false},
    {4, 60, {0.4, 0.3, 0.2, 0.1}, {0.5, 1, 3, 8}, {0.1, 0.3, 0.1, 0.4}, false, true},
    {2, 200, {0.6, 0.4}, {1, 3}, {0.3, 0.5}, false, false},
};

struct stratum_values {
    size_t units;
    double cycles[POPULATION], insns[POPULATION];
};

static void make_population(const struct population *p, struct random *r, struct stratum_values *values)
{
    for (size_t h = 0; h < p->strata; h++) {
        values[h].units = (size_t)(p->share[h] * POPULATION);
        for (size_t i = 0; i < values[h].units; i++) {
            const double normal = random_normal(r),
                         factor = p->skewed ? exp(p->spread[h] * normal) : fmax(1 + p->spread[h] * normal, 0.01);
            values[h].insns[i] = p->sizes ? 50 + 100 * random_share(r) : 100;
            values[h].cycles[i] = values[h].insns[i] * p->mean[h] * factor;
        }
    }
}

static double true_ratio(const struct stratum_values *values, size_t strata)
{
    double cycles = 0, insns = 0;
    for (size_t h = 0; h < strata; h++)
        for (size_t i = 0; i < values[h].units; i++) {
            cycles += values[h].cycles[i];
            insns += values[h].insns[i];
        }
    return cycles / insns;
}

static void swap(double *a, double *b)
{
    const double t = *a;
    *a = *b;
    *b = t;
}

/* Draws a sample from each stratum by bringing it to the front. */
static void draw_sample(struct stratum_values *v, size_t count, struct random *r)
{
    for (size_t i = 0; i < count; i++) {
        const size_t other = i + random_bits(r) % (v->units - i);
        swap(&v->cycles[i], &v->cycles[other]);
        swap(&v->insns[i], &v->insns[other]);
    }
}

START_TEST(intervals_hold)
{
    const struct population *p = &populations[_i];
    struct random r = {.state = 1000 + (uint64_t)_i};
    struct stratum_values *values = xcalloc(p->strata, sizeof *values);
    make_population(p, &r, values);
    const double truth = true_ratio(values, p->strata);
    double units[4], deviation[4];
    for (size_t h = 0; h < p->strata; h++) {
        units[h] = (double)values[h].units;
        deviation[h] = p->mean[h] * p->spread[h];
    }
    size_t count[4] = {4, 4, 4, 4};
    region_allocate(units, deviation, p->strata, p->sampled, count);
    unsigned holds = 0;
    for (unsigned n = 0; n < TRIALS; n++) {
        struct region_sample sample[4];
        for (size_t h = 0; h < p->strata; h++) {
            draw_sample(&values[h], count[h], &r);
            sample[h] = (struct region_sample){units[h], count[h], values[h].cycles, values[h].insns, 0};
        }
        const struct region_estimate e = region_estimate(sample, p->strata, REGION_PRIOR_NONE, NULL);
        holds += fabs(e.value - truth) <= e.half;
    }
    ck_assert_msg(holds >= 0.93 * TRIALS && holds <= 0.97 * TRIALS, "population %d: %u of %d intervals hold", _i, holds,
                  TRIALS);
    free(values);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof(table)[0])

int main(void)
{
    Suite *s = suite_create("stratified");
    TCase *t = tcase_create("estimates");
    tcase_add_test(t, estimates_of_r);
    tcase_add_test(t, freedom_of_r);
    tcase_add_test(t, strata_without_variance);
    tcase_add_test(t, variance_within_units);
    suite_add_tcase(s, t);
    t = tcase_create("allocation");
    tcase_add_test(t, cities);
    tcase_add_test(t, needed_units);
    tcase_add_test(t, bounds_of_allocation);
    tcase_add_loop_test(t, sums_of_allocation, 0, 200);
    suite_add_tcase(s, t);
    t = tcase_create("intervals");
    tcase_add_loop_test(t, intervals_hold, 0, ROWS(populations));
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return run_suite(s);
}
