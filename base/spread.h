/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How values of several runs are spread, and how the means of two sets of runs differ. */
#ifndef BASE_SPREAD_H
#define BASE_SPREAD_H

#include <stddef.h>

/* Statistics of values, the columns of dcpistats (DCPI paper, Figure 3). */
struct value_spread {
    size_t count;
    double sum, mean, least, most;
    double deviation; /* of the sample: divided by count - 1; NAN for fewer than 2 values */
    double range;     /* (most - least) / sum, normalised as in the paper's section 3.3; NAN if the sum is 0 */
};

/* `count` is at least 1. */
struct value_spread spread_of(const double *value, size_t count);

/* An estimate of a mean. */
struct spread_mean {
    double mean;
    double variance; /* of the mean; NAN: unknown */
    double freedom;  /* degrees of freedom of the variance; INFINITY: it is not estimated from the values' spread */
};

/* The mean of `count` values, 2 or more, with the variance that their spread suggests. */
struct spread_mean spread_mean_of(const struct value_spread *s);

/* A difference of two means, after - before. */
struct spread_difference {
    double difference;
    double low, high;   /* 95 % confidence interval; NAN: unknown */
    double probability; /* of a difference at least as large if the means are equal, two-sided; NAN: unknown */
};

/* The difference by Welch's test, whose degrees of freedom are those of Satterthwaite (B. L. Welch, The generalization
 * of Student's problem when several different population variances are involved, Biometrika 34 (1947)); by the normal
 * distribution if both have infinite degrees of freedom. With variances of 0 the difference is certain. */
struct spread_difference spread_compare(const struct spread_mean *before, const struct spread_mean *after);

/* The quotient of two means less 1, (after - before) / before, with the interval of the error that both means propagate
 * to it (the delta method). NAN if `before` is 0. */
struct spread_difference spread_compare_relative(const struct spread_mean *before, const struct spread_mean *after);

/* Adjusts the probabilities of several tests, NAN: not tested, by the rule of Benjamini and Hochberg (Controlling the
 * false discovery rate, Journal of the Royal Statistical Society B 57 (1995)): of the tests whose adjusted probability
 * is below q, the expected share without any difference is below q. */
void spread_adjust(double *probability, size_t count);

/* Student's distribution: the probability of a value beyond -t or t, and the t beyond which the probability is `p`, 0 <
 * p < 1. Any freedom > 0; INFINITY is the normal distribution. */
double spread_student_tail(double t, double freedom);
double spread_student_quantile(double p, double freedom);

/* The probability of at least `found` successes in `trials`, found >= 1, each with probability `share`. */
double spread_binomial_tail(double found, double trials, double share);

#endif
