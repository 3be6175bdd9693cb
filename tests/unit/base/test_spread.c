/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics across runs and comparisons of means: the rows of the DCPI paper's Figure 3, published tables of Student's
 * distribution and its closed forms. */
#include "base/spread.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/suite.h"

/* Rows of Figure 3, whose sum, minimum and maximum are printed, of 8 runs. */
static const struct {
    const char *procedure;
    double sum, least, most;
    const char *range, *share, *mean; /* as printed */
} figure3[] = {
    {"smooth", 441040, 38155, 88075, "11.32", "6.17", "55130.00"},
    {"fftb_", 72385, 8578, 9622, "1.44", "1.01", "9048.12"},
    {"fftf_", 71129, 8467, 9453, "1.39", "1.00", "8891.12"},
    {"parmvr_", 4242079, 515253, 555180, "0.94", "59.37", "530259.87"},
    {"putb_", 378622, 46206, 48786, "0.68", "5.30", "47327.75"},
    {"vslv1p_", 410929, 50420, 53110, "0.65", "5.75", "51366.13"},
};

/* Truncated or rounded: the figure prints 9048.125 as 9048.12 and 51366.125 as 51366.13. */
static void ck_printed(double x, const char *printed, const char *what)
{
    double value = strtod(printed, NULL);
    ck_assert_msg(fabs(x - value) <= 0.00501, "%s: %.4f, the paper prints %s", what, x, printed);
}

START_TEST(rows_of_figure_3)
{
    double total = 7144601; /* of the figure's first lines */
    double value[8] = {figure3[_i].least, figure3[_i].most};
    for (unsigned n = 2; n < 8; n++)
        value[n] = (figure3[_i].sum - figure3[_i].least - figure3[_i].most) / 6;
    struct value_spread s = spread_of(value, 8);
    ck_assert_uint_eq(s.count, 8);
    ck_assert_double_eq(s.least, figure3[_i].least);
    ck_assert_double_eq(s.most, figure3[_i].most);
    ck_assert_double_eq_tol(s.sum, figure3[_i].sum, 1e-6);
    ck_printed(100 * s.range, figure3[_i].range, "range %");
    ck_printed(100 * s.sum / total, figure3[_i].share, "sum %");
    ck_printed(s.mean, figure3[_i].mean, "mean");
}
END_TEST

START_TEST(deviation_of_a_sample)
{
    struct value_spread s = spread_of((const double[]){2, 4, 4, 4, 5, 5, 7, 9}, 8);
    ck_assert_double_eq(s.mean, 5);
    ck_assert_double_eq_tol(s.deviation, sqrt(32.0 / 7), 1e-12);
    ck_assert(isnan(spread_of((const double[]){3}, 1).deviation));
    ck_assert(isnan(spread_of((const double[]){0, 0}, 2).range));
}
END_TEST

/* 97.5 % quantiles as tables print them. */
START_TEST(students_quantiles)
{
    static const struct {
        double freedom;
        const char *t;
    } rows[] = {{1, "12.706"}, {2, "4.303"},  {3, "3.182"},  {4, "2.776"},   {5, "2.571"},        {10, "2.228"},
                {20, "2.086"}, {30, "2.042"}, {60, "2.000"}, {120, "1.980"}, {INFINITY, "1.960"}, {1e9, "1.960"}};
    char text[32];
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        snprintf(text, sizeof text, "%.3f", spread_student_quantile(0.05, rows[n].freedom));
        ck_assert_str_eq(text, rows[n].t);
    }
}
END_TEST

/* Closed forms: Abramowitz and Stegun, 26.7.3 and 26.7.4. */
START_TEST(students_tail_in_closed_form)
{
    for (double t = 0; t < 1000; t = 1.5 * t + 0.01) {
        double angle = atan(t / sqrt(3));
        ck_assert_double_eq_tol(spread_student_tail(t, 1), 1 - atan(t) / acos(0), 1e-12);
        ck_assert_double_eq_tol(spread_student_tail(t, 2), 1 - t / sqrt(2 + t * t), 1e-12);
        ck_assert_double_eq_tol(spread_student_tail(t, 3), 1 - (angle + sin(angle) * cos(angle)) / acos(0), 1e-12);
        ck_assert_double_eq_tol(spread_student_tail(-t, 4), 1 - t / sqrt(4 + t * t) * (1 + 2 / (4 + t * t)), 1e-12);
        ck_assert_double_eq_tol(spread_student_tail(t, 1e7), erfc(t / sqrt(2)), 1e-6);
    }
}
END_TEST

static struct spread_mean mean_of(const double *value, size_t count)
{
    struct value_spread s = spread_of(value, count);
    return spread_mean_of(&s);
}

/* Equal numbers and variances: Student's test with 2 (n - 1) degrees of freedom. One variance: the degrees of freedom
 * of its side. */
START_TEST(welchs_test)
{
    struct spread_mean a = mean_of((const double[]){1, 2, 3}, 3), b = mean_of((const double[]){3, 4, 5}, 3),
                       constant = mean_of((const double[]){4, 4, 4, 4}, 4);
    struct spread_difference d = spread_compare(&a, &b);
    double error = sqrt(2.0 / 3), t = 2 / error;
    ck_assert_double_eq(d.difference, 2);
    ck_assert_double_eq_tol(d.probability, 1 - t / sqrt(4 + t * t) * (1 + 2 / (4 + t * t)), 1e-12);
    ck_assert_double_eq_tol(d.high, 2 + 2.7764451 * error, 1e-6);
    ck_assert_double_eq_tol(d.low, 2 - 2.7764451 * error, 1e-6);
    d = spread_compare(&a, &constant);
    ck_assert_double_eq_tol(d.high, 2 + 4.3026527 * sqrt(1.0 / 3), 1e-6);
    d = spread_compare_relative(&a, &constant);
    ck_assert_double_eq_tol(d.difference, 1, 1e-12);
    ck_assert_double_eq_tol(d.high, 1 + 4.3026527 * 2 * sqrt(1.0 / 3) / 2, 1e-6);
}
END_TEST

/* Of many pairs of equal means few differ significantly: 5 %. */
START_TEST(false_positives)
{
    enum { PAIRS = 20000, RUNS = 4 };
    unsigned significant = 0;
    uint64_t state = 1;
    for (unsigned pair = 0; pair < PAIRS; pair++) {
        double value[2][RUNS];
        for (unsigned n = 0; n < 2 * RUNS; n++) {
            double sum = 0; /* nearly normal: 12 uniform numbers */
            for (unsigned k = 0; k < 12; k++) {
                state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                sum += (double)(state >> 33) / 0x1p31;
            }
            value[n / RUNS][n % RUNS] = 1000 + sum * (n < RUNS ? 1 : 3) - 6 * (n < RUNS ? 1 : 3);
        }
        struct spread_mean a = mean_of(value[0], RUNS), b = mean_of(value[1], RUNS);
        significant += spread_compare(&a, &b).probability < 0.05;
    }
    double share = (double)significant / PAIRS;
    ck_assert_msg(share > 0.04 && share < 0.06, "%.4f", share);
}
END_TEST

START_TEST(differences_without_variance)
{
    struct spread_mean a = {.mean = 3, .freedom = INFINITY}, b = {.mean = 4, .freedom = INFINITY},
                       counted = {.mean = 100, .variance = 100, .freedom = INFINITY},
                       unknown = {.mean = 4, .variance = NAN, .freedom = INFINITY}, zero = {.freedom = INFINITY};
    ck_assert_double_eq(spread_compare(&a, &b).probability, 0);
    ck_assert_double_eq(spread_compare(&a, &a).probability, 1);
    ck_assert_double_eq_tol(spread_compare(&zero, &counted).low, 100 - 10 * 1.959963984540054, 1e-9);
    ck_assert(isnan(spread_compare(&a, &unknown).probability));
    ck_assert(isnan(spread_compare(&a, &unknown).low));
    ck_assert(isnan(spread_compare_relative(&zero, &a).difference));
}
END_TEST

/* Four tests by hand: p times the number of tests, divided by the rank, and never more than that of a larger p. */
START_TEST(adjusted_probabilities)
{
    double p[] = {0.01, 0.04, NAN, 0.03, 0.005}, adjusted[] = {0.02, 0.04, NAN, 0.04, 0.02};
    spread_adjust(p, sizeof p / sizeof p[0]);
    for (size_t n = 0; n < sizeof p / sizeof p[0]; n++)
        ck_assert(isnan(adjusted[n]) ? isnan(p[n]) : fabs(p[n] - adjusted[n]) < 1e-15);
    double large[] = {0.9, 0.8}, none[] = {NAN};
    spread_adjust(large, 2);
    ck_assert_double_eq_tol(large[0], 0.9, 1e-15);
    ck_assert_double_eq_tol(large[1], 0.9, 1e-15);
    spread_adjust(none, 1);
    ck_assert(isnan(none[0]));
    spread_adjust(NULL, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("spread");
    TCase *t = tcase_create("spread");
    tcase_add_loop_test(t, rows_of_figure_3, 0, sizeof figure3 / sizeof figure3[0]);
    tcase_add_test(t, deviation_of_a_sample);
    suite_add_tcase(s, t);
    t = tcase_create("comparison");
    tcase_add_test(t, students_quantiles);
    tcase_add_test(t, students_tail_in_closed_form);
    tcase_add_test(t, welchs_test);
    tcase_add_test(t, false_positives);
    tcase_add_test(t, differences_without_variance);
    tcase_add_test(t, adjusted_probabilities);
    suite_add_tcase(s, t);
    return run_suite(s);
}
