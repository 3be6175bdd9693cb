/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pseudo-random intervals of ProfileMe's Fetched Instruction Counter, with a geometric distribution: each instruction
 * is selected with the probability 1 / mean, whatever was selected before. Three consequences follow:
 * - kS is an unbiased estimate for every instruction, from the first interval on, and its coefficient of variation is
 *   sqrt((S - f) / (f N)): these are the "simple assumptions" of the paper's section 5.1.
 * - No loop can fall into step with the sampling.
 * - A counter that goes on while the registers are in use, with selections lost in that time, selects with the same
 *   probabilities as one that software restarts when the registers are free (section 4.1.4).
 * The arithmetic is that of IEEE doubles without a library function, so all machines draw the same numbers. */
#ifndef CORE_MODEL_PROF_COUNT_GEOMETRIC_H
#define CORE_MODEL_PROF_COUNT_GEOMETRIC_H

#include "isa/support/random.h"

enum { GEOMETRIC_BITS = 47 }; /* enough for means up to 2^40 */

struct geometric {
    uint64_t threshold[GEOMETRIC_BITS]; /* bit i of the interval less 1 is set where a random number is below it */
    unsigned bits;
};

/* mean: 1 or more, at most 2^40. */
void geometric_init(struct geometric *g, uint64_t mean);
/* An interval: 1 or more. */
uint64_t geometric_draw(const struct geometric *g, struct random *r);

#endif
