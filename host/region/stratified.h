/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stratified random sampling: the estimate of a mean or of a ratio with its 95 % confidence interval, and the
 * allocation of units to strata. Source: W. G. Cochran, Sampling Techniques, 3rd edition (1977), chapters 5, 6 and
 * 10. */
#ifndef HOST_REGION_STRATIFIED_H
#define HOST_REGION_STRATIFIED_H

#include <stdbool.h>
#include <stddef.h>

/* The units of a stratum that have been measured, chosen at random without replacement. */
struct region_sample {
    double units; /* of the whole stratum */
    size_t count; /* measured; at least 1 */
    const double *y;
    const double *x; /* the denominators of a ratio, as the instructions of the units; NULL: a mean of y */
    /* Sum over the measured units of the variance of y, where y is itself an estimate from samples of the unit; 0: y is
     * exact. The spread of y has it, too, but for the correction for finite strata (chapter 10, sampling in two
     * stages). */
    double within;
};

struct region_estimate {
    double value;
    bool has_interval; /* each stratum has two measured units, or is measured as a whole */
    double half;       /* half of the width of the interval */
    double deviation;  /* standard error */
    double freedom;    /* degrees of freedom; INFINITY: everything is measured */
};

/* What the variance of all strata says of that of one, as one degree of freedom more of it. */
enum region_prior {
    REGION_PRIOR_NONE,     /* nothing */
    REGION_PRIOR_RELATIVE, /* the same in proportion to the square of the mean: values that each unit has */
    REGION_PRIOR_SPARSE,   /* the same in proportion to the mean: values that few units have, as counts of events */
};

/* Mean of y, or ratio of the totals of y and x (the combined ratio estimator, section 6.11). The interval is that of
 * Student's distribution with the degrees of freedom of Satterthwaite (section 5.4). The variance of each stratum is
 * moderated by that of all strata together.
 * With few units a stratum's own variance is often far too small, and a rule that ends sampling by it ends too early
 * (G. K. Smyth, Linear models and empirical Bayes methods, Statistical Applications in Genetics and Molecular Biology 3
 * (2004), moderates variances so; there the weight is estimated, too).
 * With `deviation`, which may be NULL, the standard deviation within each stratum of y, or for a ratio of y - ratio x,
 * is written there; NAN: unknown. All samples have x, or none. */
struct region_estimate region_estimate(const struct region_sample *sample, size_t strata, enum region_prior prior,
                                       double *deviation);

/* The number of units that give an interval of +-half, if they are allocated in proportion to units times deviation, as
 * Neyman showed to be best (section 5.9, with the correction for finite strata). `t` is the quantile of Student's
 * distribution; for a ratio `half` is multiplied by the mean of x. */
double region_units_needed(const double *units, const double *deviation, size_t strata, double half, double t);

/* Allocates `total` units in this way: `count` has the least number for each stratum, and receives the number of its
 * units. No stratum gets more than it has. */
void region_allocate(const double *units, const double *deviation, size_t strata, size_t total, size_t *count);

#endif
