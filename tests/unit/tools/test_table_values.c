/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/table_values.h"

#include "tests/unit/suite.h"
#include <math.h>

/* Numbers of a report, by a path. */
START_TEST(members)
{
    json_t *report = json_loads("{\"cycles\": 300, \"instructions\": 200, \"time\": {\"profilers\": ["
                                "{\"profiler\": \"oracle\", \"samples\": 0},"
                                "{\"profiler\": \"tip:period=997\", \"samples\": 26, \"error\": {\"block\": 0.25}}]}}",
                                0, NULL);
    ck_assert_double_eq(table_member(report, "cycles"), 300);
    ck_assert_double_eq(table_member(report, "cpi"), 1.5);
    ck_assert_double_eq(table_member(report, "time.profilers.1.samples"), 26);
    ck_assert_double_eq(table_member(report, "time.profilers.profiler=tip:period=997.error.block"), 0.25);
    ck_assert_double_eq(table_member(report, "time.profilers.profiler=oracle.samples"), 0);
    ck_assert(isnan(table_member(report, "time.profilers.2.samples")));
    ck_assert(isnan(table_member(report, "time.profilers.profiler=nci.samples")));
    ck_assert(isnan(table_member(report, "time.profilers")));
    ck_assert(isnan(table_member(report, "time.profilers.x.samples")));
    ck_assert(isnan(table_member(report, "cycles.more")));
    json_decref(report);
}
END_TEST

static struct table_cell cell_of(const double *value, size_t count)
{
    const struct value_spread s = spread_of(value, count);
    struct table_cell c = {.count = count, .mean = {s.mean, (double)NAN, (double)NAN}};
    if (count > 1)
        c.mean = spread_mean_of(&s);
    return c;
}

/* Quantiles of Student's distribution from the tables of the literature (two-sided, 5 %): 4.303 for 2 degrees of
 * freedom, 2.776 for 4. */
START_TEST(intervals_of_ratios)
{
    const double varies[] = {98, 100, 102}, fixed[] = {50, 50, 50};
    const struct table_cell a = cell_of(varies, 3), b = cell_of(fixed, 3), one = cell_of(varies, 1);
    struct table_ratio r = table_ratio_of(&a, &b);
    struct spread_difference x = table_ratio_interval(&r);
    /* The standard error of 98, 100, 102 is 2 / sqrt(3); the other side does not vary. */
    const double error = 2 / sqrt(3) / 100;
    ck_assert_double_eq_tol(x.difference, 2, 1e-12);
    ck_assert_double_eq_tol(x.low, 2 * exp(-4.303 * error), 1e-4);
    ck_assert_double_eq_tol(x.high, 2 * exp(4.303 * error), 1e-4);
    /* Equal variances of both sides: 4 degrees of freedom. */
    const struct table_cell c = cell_of(varies, 3);
    r = table_ratio_of(&a, &c);
    x = table_ratio_interval(&r);
    ck_assert_double_eq_tol(x.high, exp(2.776 * sqrt(2) * error), 1e-4);
    r = table_ratio_of(&b, &b);
    x = table_ratio_interval(&r);
    ck_assert_double_eq(x.low, 1);
    ck_assert_double_eq(x.high, 1);
    r = table_ratio_of(&one, &b);
    x = table_ratio_interval(&r);
    ck_assert_double_eq_tol(x.difference, 98. / 50, 1e-12);
    ck_assert(isnan(x.low));
}
END_TEST

/* The geometric mean of 2 and 8 is 4. */
START_TEST(geometric_means)
{
    const double varies[] = {98, 100, 102}, fixed[] = {50, 50}, large[] = {400, 400};
    const struct table_cell a = cell_of(varies, 3), b = cell_of(fixed, 2), c = cell_of(large, 2);
    struct table_ratio both[] = {table_ratio_of(&a, &b), table_ratio_of(&c, &b)};
    struct table_ratio mean = table_ratio_mean(both, 2);
    struct spread_difference x = table_ratio_interval(&mean);
    ck_assert_double_eq_tol(x.difference, 4, 1e-12);
    /* Only one of the two varies: half of its error, and its degrees of freedom. */
    ck_assert_double_eq_tol(x.high, 4 * exp(4.303 * 2 / sqrt(3) / 100 / 2), 1e-4);
    const struct table_cell zero = cell_of((const double[]){0, 0}, 2);
    ck_assert(isnan(table_ratio_of(&zero, &b).log));
    ck_assert(isnan(table_ratio_of(&b, &zero).log));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("table_values");
    TCase *t = tcase_create("table");
    tcase_add_test(t, members);
    tcase_add_test(t, intervals_of_ratios);
    tcase_add_test(t, geometric_means);
    suite_add_tcase(s, t);
    return run_suite(s);
}
