/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/interval.h"

#include <math.h>

#include "base/spread.h"

/* Number of standard deviations that contain 95 % of the normal distribution. */
static const double deviations = 1.959963984540054;

struct interval interval_of_share(double share, double samples)
{
    if (!(samples > 0) || !(share >= 0) || share > 1)
        return (struct interval){0};
    double square = deviations * deviations / samples;
    double middle = (share + square / 2) / (1 + square);
    double half = deviations / (1 + square) * sqrt(share * (1 - share) / samples + square / (4 * samples));
    return (struct interval){.is_known = true,
                             .low = share > 0 ? fmax(0, middle - half) : 0,
                             .high = share < 1 ? fmin(1, middle + half) : 1};
}

/* Of N events, each kept with probability q, q N +- deviations sqrt(N q (1 - q)) are counted: a quadratic equation in
 * sqrt(N). */
struct interval interval_of_thinned(double counted, double scale)
{
    if (!(scale > 1) || !(counted >= 0))
        return (struct interval){0};
    double kept = 1 / scale, spread = deviations * sqrt(kept * (1 - kept)),
           root = sqrt(spread * spread + 4 * kept * counted);
    double low = (root - spread) / (2 * kept), high = (root + spread) / (2 * kept);
    return (struct interval){.is_known = true, .low = fmax(counted, low * low), .high = high * high};
}

struct interval interval_of_mean(double mean, double deviation, unsigned count)
{
    if (count < 2)
        return (struct interval){0};
    double half = spread_student_quantile(0.05, count - 1) * deviation / sqrt(count);
    return (struct interval){.is_known = true, .low = mean - half, .high = mean + half};
}
