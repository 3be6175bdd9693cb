/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/spread.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/status.h"

struct value_spread spread_of(const double *value, size_t count)
{
    struct value_spread s = {.count = count, .least = value[0], .most = value[0], .deviation = (double)NAN};
    double squares = 0;
    for (size_t n = 0; n < count; n++) {
        s.sum += value[n];
        s.least = fmin(s.least, value[n]);
        s.most = fmax(s.most, value[n]);
    }
    s.mean = s.sum / (double)count;
    for (size_t n = 0; n < count; n++)
        squares += (value[n] - s.mean) * (value[n] - s.mean);
    if (count > 1)
        s.deviation = sqrt(squares / (double)(count - 1));
    s.range = s.sum != 0 ? (s.most - s.least) / s.sum : (double)NAN;
    return s;
}

struct spread_mean spread_mean_of(const struct value_spread *s)
{
    return (struct spread_mean){
        .mean = s->mean, .variance = s->deviation * s->deviation / (double)s->count, .freedom = (double)s->count - 1};
}

/* ---- Student's distribution ---- */

/* The continued fraction of the incomplete beta function I_x(a, b), for x < (a + 1) / (a + b + 2), by the method of
 * Lentz, modified by Thompson and Barnett. Converges in some 10 * sqrt(max(a, b)) steps. */
static double beta_fraction(double a, double b, double x)
{
    enum { STEPS = 100000 };
    const double tiny = DBL_MIN / DBL_EPSILON;
    double c = 1, d = 1 - (a + b) * x / (a + 1), h;
    d = 1 / (fabs(d) < tiny ? tiny : d);
    h = d;
    for (int m = 1; m < STEPS; m++) {
        double step = 1, even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
               odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        for (int half = 0; half < 2; half++) {
            double numerator = half == 0 ? even : odd;
            d = 1 + numerator * d;
            c = 1 + numerator / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            step = d * c;
            h *= step;
        }
        if (fabs(step - 1) < 4 * DBL_EPSILON)
            break;
    }
    return h;
}

/* The regularised incomplete beta function. `y` is 1 - x, given apart because x can be near 1. */
static double beta_share(double a, double b, double x, double y)
{
    if (x <= 0 || y <= 0)
        return x <= 0 ? 0 : 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, y) / b;
}

double spread_binomial_tail(double found, double trials, double share)
{
    return found > trials ? 0 : beta_share(found, trials - found + 1, share, 1 - share);
}

double spread_student_tail(double t, double freedom)
{
    if (isnan(t) || isnan(freedom))
        return (double)NAN;
    if (isinf(t))
        return 0;
    if (isinf(freedom))
        return erfc(fabs(t) / sqrt(2));
    double square = t * t;
    return beta_share(freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square));
}

/* By bisection: the tail falls with t. */
double spread_student_quantile(double p, double freedom)
{
    double low = 0, high = 1;
    if (isnan(freedom))
        return (double)NAN;
    while (spread_student_tail(high, freedom) > p && high < DBL_MAX / 4)
        high *= 2;
    for (int step = 0; step < 200 && high - low > 1e-13 * high; step++) {
        double middle = (low + high) / 2;
        *(spread_student_tail(middle, freedom) > p ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

/* ---- two means ---- */

/* A difference with its variance, of which `a` and `b` are the two means' shares. */
static struct spread_difference spread_test(double difference, double a, double a_freedom, double b, double b_freedom)
{
    double variance = a + b, error = sqrt(variance);
    double freedom = variance * variance / (a * a / a_freedom + b * b / b_freedom);
    if (variance == 0)
        return (struct spread_difference){difference, difference, difference, difference == 0 ? 1 : 0};
    double half = spread_student_quantile(0.05, freedom) * error;
    return (struct spread_difference){difference, difference - half, difference + half,
                                      spread_student_tail(difference / error, freedom)};
}

struct spread_difference spread_compare(const struct spread_mean *before, const struct spread_mean *after)
{
    return spread_test(after->mean - before->mean, before->variance, before->freedom, after->variance, after->freedom);
}

struct spread_difference spread_compare_relative(const struct spread_mean *before, const struct spread_mean *after)
{
    if (before->mean == 0)
        return (struct spread_difference){(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    double quotient = after->mean / before->mean, square = before->mean * before->mean;
    return spread_test(quotient - 1, quotient * quotient * before->variance / square, before->freedom,
                       after->variance / square, after->freedom);
}

static int by_probability(const void *a, const void *b)
{
    const double *x = *(double *const *)a, *y = *(double *const *)b;
    return (*x > *y) - (*x < *y);
}

void spread_adjust(double *probability, size_t count)
{
    double **test = xcalloc(count + 1, sizeof *test);
    size_t tests = 0;
    for (size_t n = 0; n < count; n++)
        if (!isnan(probability[n]))
            test[tests++] = &probability[n];
    qsort(test, tests, sizeof *test, by_probability);
    double least = 1;
    for (size_t rank = tests; rank > 0; rank--) {
        least = fmin(least, *test[rank - 1] * (double)tests / (double)rank);
        *test[rank - 1] = least;
    }
    free(test);
}
