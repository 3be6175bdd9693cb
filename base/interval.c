/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/interval.h"

#include <math.h>

#include "base/spread.h"

/* With so many finds the condition of one says nothing. */
enum { MANY_FINDS = 64 };

struct interval interval_of_share(double share, double samples)
{
    if (!(samples > 0) || !(share >= 0) || share > 1)
        return (struct interval){0};
    double square = INTERVAL_DEVIATIONS * INTERVAL_DEVIATIONS / samples;
    double middle = (share + square / 2) / (1 + square);
    double half = INTERVAL_DEVIATIONS / (1 + square) * sqrt(share * (1 - share) / samples + square / (4 * samples));
    return (struct interval){.is_known = true,
                             .low = share > 0 ? fmax(0, middle - half) : 0,
                             .high = share < 1 ? fmin(1, middle + half) : 1};
}

/* The probability of at least `found` finds, if there is one. */
static double found_on_condition(double found, double samples, double share)
{
    return spread_binomial_tail(found, samples, share) / spread_binomial_tail(1, samples, share);
}

/* The share between `low` and `high` with which that probability, which rises with it, is `probability`. */
static double share_of_found(double found, double samples, double probability, double low, double high)
{
    enum { STEPS = 30 };
    for (int i = 0; i < STEPS; i++) {
        double middle = (low + high) / 2;
        *(found_on_condition(found, samples, middle) < probability ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

struct interval interval_of_found(double found, double samples)
{
    static const double risk_low = 0.05, risk_high = 0.025;
    if (!(found >= 2) || !(samples >= found))
        return (struct interval){0};
    double share = found / samples, far = fmin(1, (found + 4 * sqrt(found) + 8) / samples);
    if (found >= MANY_FINDS)
        return interval_of_share(share, samples);
    return (struct interval){.is_known = true,
                             .low = share_of_found(found, samples, risk_low, 0, share),
                             .high = found < samples ? share_of_found(found + 1, samples, 1 - risk_high, share, far)
                                                     : 1};
}

/* Of N events, each kept with probability q, q N +- deviations sqrt(N q (1 - q)) are counted: a quadratic equation in
 * sqrt(N). */
struct interval interval_of_thinned(double counted, double scale)
{
    if (!(scale > 1) || !(counted >= 0))
        return (struct interval){0};
    double kept = 1 / scale, spread = INTERVAL_DEVIATIONS * sqrt(kept * (1 - kept)),
           root = sqrt(spread * spread + 4 * kept * counted);
    double low = (root - spread) / (2 * kept), high = (root + spread) / (2 * kept);
    return (struct interval){.is_known = true, .low = fmax(counted, low * low), .high = high * high};
}

struct interval interval_of_thinned_found(double counted, double scale)
{
    /* Of so many trials counts have Poisson's distribution. With a smaller scale next to all events are found. */
    static const double trials = 1e9, few_counted = 2;
    if (!(scale > few_counted) || counted >= MANY_FINDS)
        return interval_of_thinned(counted, scale);
    const struct interval i = interval_of_found(counted, trials);
    return (struct interval){
        .is_known = i.is_known, .low = fmax(counted, i.low * trials * scale), .high = i.high * trials * scale};
}

struct interval interval_of_mean(double mean, double deviation, unsigned count)
{
    if (count < 2)
        return (struct interval){0};
    double half = spread_student_quantile(0.05, count - 1) * deviation / sqrt(count);
    return (struct interval){.is_known = true, .low = mean - half, .high = mean + half};
}
