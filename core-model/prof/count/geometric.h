/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pseudo-random intervals of ProfileMe's Fetched Instruction Counter with a geometric distribution: each instruction is
 * selected with probability 1 / mean, independent of earlier selections. Consequences:
 * - kS is an unbiased estimate for every instruction, from the first interval on, and its coefficient of variation is
 *   sqrt((S - f) / (f N)): these are the "simple assumptions" of the paper's section 5.1.
 * - Sampling cannot synchronise with a loop.
 * - A counter that continues while the registers are in use, and so loses selections, selects with the same
 *   probabilities as one that software restarts when the registers are free (section 4.1.4).
 *
 * The arithmetic uses IEEE doubles without library functions, so all machines draw the same numbers. */
#ifndef CORE_MODEL_PROF_COUNT_GEOMETRIC_H
#define CORE_MODEL_PROF_COUNT_GEOMETRIC_H

#include "base/random.h"

enum { GEOMETRIC_BITS = 47 }; /* enough for means up to 2^40 */

struct geometric {
    uint64_t threshold[GEOMETRIC_BITS]; /* bit i of (interval - 1) is set if a random number is below it */
    unsigned bits;
};

/* mean: from 1 to 2^40. */
void geometric_init(struct geometric *g, uint64_t mean);
/* Draws an interval, at least 1. */
uint64_t geometric_draw(const struct geometric *g, struct random *r);

#endif
