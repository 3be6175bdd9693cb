/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 95 % confidence intervals of a value profile's estimates. */
#ifndef HOST_DRIVER_VALUE_VALUE_INTERVAL_H
#define HOST_DRIVER_VALUE_VALUE_INTERVAL_H

#include "base/interval.h"
#include "host/driver/value/value_profile.h"

/* The correlation within visits: the variance of a share between the visits of a load in relation to that of single
 * executions, p (1 - p), over all loads with several visits. 1: visits see one value each; 0: visits do not differ. */
double value_interval_correlation(const struct value_profile *p);

/* The intervals of value_estimate_best of all values of the load, shares from 0 to 1. Unknown for a load of one visit
 * or, of single samples, a value of one sample. `correlation`: of the profile. The caller frees the array.
 *
 * Bounds p - sqrt(s^2 + I^2) - b p and p + sqrt(s^2 + O^2) + b (1 - p). s is the error of the visits' mean, of
 * Student's distribution with their spread, which `correlation` completes as four more visits would, and that of
 * independent samples. I is the part of p that was not observed: misses of other values that the estimate gives to this
 * one, and its share of the samples before it became active. O is the most that it can have of such samples of other
 * values. b, 3 % of a visit, is for the time between visits. The weight of `correlation` and b are fitted to how often
 * intervals hold on recorded runs (docs/results/intervals.md). */
struct interval *value_intervals_of(const struct value_load *l, double correlation);

#endif
