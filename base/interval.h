/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 95 % confidence intervals of estimates from samples. */
#ifndef BASE_INTERVAL_H
#define BASE_INTERVAL_H

#include <stdbool.h>

struct interval {
    bool is_known;
    double low, high;
};

/* Minimum number of samples for ranking an instruction: the standard error of its estimate is then a quarter of it, 1
 * / sqrt(16) (ProfileMe paper, section 5.1). */
enum { RANKED_SAMPLES = 16 };

/* Number of standard deviations that contain 95 % of the normal distribution. */
#define INTERVAL_DEVIATIONS 1.959963984540054

/* Interval of a share, from 0 to 1, estimated from `samples` samples. Assumes independent samples of equal weight.
 * Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927). Unknown
 * without samples. */
struct interval interval_of_share(double share, double samples);

/* Interval of a share, of which `found` of `samples` independent samples were, if it is reported because it was found:
 * the bounds are of the binomial distribution on the condition of at least one find. Among many rare things those found
 * are estimated too high, hardly ever too low, so the lower bound has the risk: 5 %, of all things found. Unknown for
 * fewer than 2 finds: the single find is the condition. */
struct interval interval_of_found(double found, double samples);

/* Interval of the number of events, of which `counted` were counted, each with probability 1 / scale, scale >= 1.
 * Assumes independent drops. The interval inverts the score test, so it is valid for small counts too; its lower
 * bound is at least `counted`. Unknown if nothing was dropped (scale 1). */
struct interval interval_of_thinned(double counted, double scale);

/* The same of events that are reported because some were counted, as interval_of_found; unknown for a single one if
 * most are not counted. */
struct interval interval_of_thinned_found(double counted, double scale);

/* Interval of a distribution's mean, from the mean and standard deviation of `count` values. Assumes independent,
 * normally distributed values. Source: Student, The probable error of a mean, Biometrika 6 (1908). Unknown for fewer
 * than 2 values. */
struct interval interval_of_mean(double mean, double deviation, unsigned count);

#endif
