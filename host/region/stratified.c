/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/region/stratified.h"

#include <math.h>
#include <stdlib.h>

#include "base/spread.h"
#include "base/status.h"

static const double interval_risk = 0.05;

static double stratum_mean(const double *value, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += value[i];
    return sum / (double)count;
}

/* The variance of y - ratio x within the stratum; of one unit 0. */
static double variance_within(const struct region_sample *s, double ratio)
{
    const double middle = stratum_mean(s->y, s->count) - (s->x != NULL ? ratio * stratum_mean(s->x, s->count) : 0);
    double squares = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double residual = s->y[i] - (s->x != NULL ? ratio * s->x[i] : 0) - middle;
        squares += residual * residual;
    }
    return s->count > 1 ? squares / (double)(s->count - 1) : 0;
}

/* The variance within a stratum by the square of its mean, of all strata together. */
static double relative_spread(const struct region_sample *sample, size_t strata, double ratio)
{
    double sum = 0, freedom = 0;
    for (size_t h = 0; h < strata; h++) {
        const double mean = stratum_mean(sample[h].y, sample[h].count), own = (double)sample[h].count - 1;
        if (own == 0 || mean == 0)
            continue;
        sum += own * variance_within(&sample[h], ratio) / (mean * mean);
        freedom += own;
    }
    return freedom > 0 ? sum / freedom : 0;
}

/* The variance within a stratum by its mean, of all strata together. */
static double sparse_spread(const struct region_sample *sample, size_t strata, double ratio)
{
    double sum = 0, means = 0;
    for (size_t h = 0; h < strata; h++) {
        const double own = (double)sample[h].count - 1;
        sum += own * variance_within(&sample[h], ratio);
        means += own * fabs(stratum_mean(sample[h].y, sample[h].count));
    }
    return means > 0 ? sum / means : 0;
}

/* What `spread` says of the variance within the stratum. A sparse value is taken to occur in one unit more, with the
 * mean of the run: that it occurs in none of few units does not show that it occurs in none of the stratum. */
static double variance_expected(const struct region_sample *s, double ratio, double spread, enum region_prior prior)
{
    const double mean = stratum_mean(s->y, s->count);
    if (prior == REGION_PRIOR_RELATIVE)
        return spread * mean * mean;
    const double usual = ratio * (s->x != NULL ? stratum_mean(s->x, s->count) : 1), count = (double)s->count;
    return spread * fabs((count * mean + usual) / (count + 1));
}

/* The variance within the stratum, for which that of all strata counts with one degree of freedom. */
static double variance_moderated(const struct region_sample *s, double ratio, double spread, enum region_prior prior)
{
    const double own = (double)s->count - 1, within = variance_within(s, ratio);
    const bool is_whole = (double)s->count >= s->units;
    return is_whole || prior == REGION_PRIOR_NONE
               ? within
               : (own * within + variance_expected(s, ratio, spread, prior)) / (own + 1);
}

/* The sum of a value's mean in each stratum times the units of the stratum. */
static double total_of(const struct region_sample *sample, size_t strata, bool of_x)
{
    double sum = 0;
    for (size_t h = 0; h < strata; h++)
        sum += sample[h].units * stratum_mean(of_x ? sample[h].x : sample[h].y, sample[h].count);
    return sum;
}

static double all_units(const struct region_sample *sample, size_t strata)
{
    double sum = 0;
    for (size_t h = 0; h < strata; h++)
        sum += sample[h].units;
    return sum;
}

struct region_estimate region_estimate(const struct region_sample *sample, size_t strata, enum region_prior prior,
                                       double *deviation)
{
    const bool is_ratio = strata != 0 && sample[0].x != NULL;
    const double whole = is_ratio ? total_of(sample, strata, true) : all_units(sample, strata);
    struct region_estimate e = {.value = total_of(sample, strata, false) / whole, .has_interval = true};
    const double spread = prior == REGION_PRIOR_SPARSE ? sparse_spread(sample, strata, e.value)
                                                       : relative_spread(sample, strata, e.value);
    double variance = 0, by_freedom = 0;
    for (size_t h = 0; h < strata; h++) {
        const struct region_sample *s = &sample[h];
        const double count = (double)s->count, within = variance_moderated(s, e.value, spread, prior),
                     part = s->units * (s->units - count) / count * within;
        const bool is_whole = count >= s->units;
        e.has_interval &= is_whole || s->count > 1;
        if (deviation != NULL)
            deviation[h] = s->count > 1 || is_whole ? sqrt(within) : (double)NAN;
        variance += s->units / count * s->within;
        if (is_whole || s->count < 2)
            continue;
        variance += part;
        by_freedom += part * part / (count - 1);
    }
    e.freedom = by_freedom > 0 ? variance * variance / by_freedom : (double)INFINITY;
    e.deviation = sqrt(variance) / whole;
    e.half = e.deviation > 0 ? spread_student_quantile(interval_risk, e.freedom) * e.deviation : 0;
    return e;
}

double region_units_needed(const double *units, const double *deviation, size_t strata, double half, double t)
{
    double all = 0, sum = 0, squares = 0;
    for (size_t h = 0; h < strata; h++) {
        all += units[h];
        sum += units[h] * deviation[h];
        squares += units[h] * deviation[h] * deviation[h];
    }
    const double variance = half / t * all * (half / t) * all; /* of the total */
    return sum > 0 ? sum * sum / (variance + squares) : 0;
}

/* ---- allocation ---- */

enum bound { BOUND_NONE, BOUND_LEAST, BOUND_ALL };

struct allocation {
    const double *units, *deviation;
    size_t strata;
    size_t *count; /* the least number of each stratum, then the result */
    enum bound *bound;
    double free_total, free_weight; /* units to allocate, and the sum of weights, of strata without bound */
};

static double most_of(const struct allocation *a, size_t h) { return floor(a->units[h]); }

static double least_of(const struct allocation *a, size_t h) { return fmin((double)a->count[h], most_of(a, h)); }

static double wish_of(const struct allocation *a, size_t h)
{
    const double weight = a->units[h] * a->deviation[h];
    return a->free_weight > 0 ? fmax(a->free_total, 0) * weight / a->free_weight : 0;
}

static void sum_free(struct allocation *a, size_t total)
{
    a->free_total = (double)total;
    a->free_weight = 0;
    for (size_t h = 0; h < a->strata; h++) {
        if (a->bound[h] == BOUND_NONE)
            a->free_weight += a->units[h] * a->deviation[h];
        else
            a->free_total -= a->bound[h] == BOUND_ALL ? most_of(a, h) : least_of(a, h);
    }
}

/* Bounds the strata whose share is beyond what they can have; those with too little first, because they take units from
 * the others. Returns whether there were any. */
static bool bound_some(struct allocation *a)
{
    bool found = false;
    for (int pass = 0; pass < 2 && !found; pass++)
        for (size_t h = 0; h < a->strata; h++) {
            const bool exceeds = pass == 0 ? wish_of(a, h) < least_of(a, h) : wish_of(a, h) > most_of(a, h);
            if (a->bound[h] != BOUND_NONE || !exceeds)
                continue;
            a->bound[h] = pass == 0 ? BOUND_LEAST : BOUND_ALL;
            found = true;
        }
    return found;
}

/* Rounds the shares so that their sum is kept, by their remainders. */
static void round_shares(struct allocation *a)
{
    double carried = 0.5;
    for (size_t h = 0; h < a->strata; h++) {
        double n = a->bound[h] == BOUND_ALL ? most_of(a, h) : least_of(a, h);
        if (a->bound[h] == BOUND_NONE) {
            const double exact = wish_of(a, h) + carried;
            n = fmin(fmax(floor(exact), least_of(a, h)), most_of(a, h));
            carried = exact - n;
        }
        a->count[h] = (size_t)n;
    }
}

void region_allocate(const double *units, const double *deviation, size_t strata, size_t total, size_t *count)
{
    struct allocation a = {.units = units,
                           .deviation = deviation,
                           .strata = strata,
                           .count = count,
                           .bound = xcalloc(strata + 1, sizeof *a.bound)};
    sum_free(&a, total);
    while (bound_some(&a))
        sum_free(&a, total);
    round_shares(&a);
    free(a.bound);
}
