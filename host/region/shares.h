/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shares of a run's total by row, as the share of the cycles that each instruction has, from units of a stratified
 * sample: most rows have values in few of the units. Units are numbered as the plan has them, stratum by stratum, the
 * chosen candidates of each in their order. Sources as in stratified.h; the interval of a ratio. */
#ifndef HOST_REGION_SHARES_H
#define HOST_REGION_SHARES_H

#include "host/region/plan.h"
#include "host/region/stratified.h"

struct region_shares_value {
    uint32_t unit;
    double value;
    double variance; /* of the value, if it is estimated from samples of the unit */
};

struct region_shares_row {
    struct region_shares_value *value; /* in ascending order of units */
    size_t values;
};

struct region_shares {
    const struct region_plan *plan; /* borrowed */
    size_t units;
    double *whole; /* of each unit, all of which rows have shares: to be set by the caller */
    struct region_shares_row *row;
    size_t rows;
};

/* No rows, and wholes of 0. */
struct region_shares region_shares_new(const struct region_plan *p);
void region_shares_release(struct region_shares *s);
/* Adds to the value of a row, with rows up to that one if they are new. Units come in ascending order. */
void region_shares_add(struct region_shares *s, size_t row, struct region_shares_value value);

/* The share of one row, over the whole run. */
struct region_share {
    double share;
    bool has_interval;
    double half;  /* half of the width of the 95 % interval */
    size_t units; /* that have a value */
};

/* Fewest units, as Kish's effective number has them, for an interval: the distribution of the estimate from fewer is
 * skewed, and Student's interval holds less often than it says. (L. Kish, Survey Sampling, 1965, section 11.7.) */
enum { REGION_SHARES_LEAST = 10 };

/* The estimated total of the wholes of all units of the run. */
double region_shares_total(const struct region_shares *s);
struct region_share region_shares_estimate(const struct region_shares *s, size_t row);
/* The sums of groups of rows: `of` has the number of the group, from 0, for each row. */
struct region_shares region_shares_group(const struct region_shares *s, const size_t *of);

/* The share at rows without a value in any unit: that which a unit has at rows without a value in another one, on
 * average. (The leave-one-out form of I. J. Good's estimate of unseen species, Biometrika 40 (1953).) */
struct region_share region_shares_unseen(const struct region_shares *s);

#endif
