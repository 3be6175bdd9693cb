/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 95 % confidence intervals of estimates from samples. */
#ifndef HOST_INTERVAL_H
#define HOST_INTERVAL_H

#include <stdbool.h>

struct interval {
    bool is_known;
    double low, high;
};

/* From so many samples on an instruction can be ranked: the standard error of its estimate is a quarter of it,
 * 1 / sqrt(16) (ProfileMe paper, section 5.1). */
enum { RANKED_SAMPLES = 16 };

/* Of a share that was seen in so many samples, from 0 to 1. Assumes that the samples are independent and have equal
 * weights. Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
 * Unknown without samples. */
struct interval interval_of_share(double share, double samples);

/* Of the number of events of which `counted` were counted, each with the probability 1 / scale, scale >= 1. Assumes
 * that each was dropped independently of the others. It inverts the score test, so that it also holds for small counts,
 * and has no less than what was counted. Unknown where nothing was dropped: scale 1. */
struct interval interval_of_thinned(double counted, double scale);

/* Of the mean of the distribution that `count` values, 2 or more, were drawn from, whose mean and standard deviation
 * are these. Assumes a normal distribution, independent values. Source: Student, The probable error of a mean,
 * Biometrika 6 (1908). Unknown with less than 2. */
struct interval interval_of_mean(double mean, double deviation, unsigned count);

#endif
