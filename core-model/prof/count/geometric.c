/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometric intervals. Entry points: geometric.h. */
#include "core-model/prof/count/geometric.h"

/* Let q = 1 - 1 / mean be the probability that an instruction is not selected. n instructions precede the selected one
 * with probability (1 - q) q^n. That is a product over the bits of n, so the bits are independent; bit i is set with
 * the probability q^(2^i) / (1 + q^(2^i)). */
void geometric_init(struct geometric *g, uint64_t mean)
{
    const double scale = 18446744073709551616.0; /* 2^64 */
    double power = 1 - 1 / (double)mean;
    *g = (struct geometric){.bits = 0};
    for (; g->bits < GEOMETRIC_BITS; g->bits++, power *= power) {
        uint64_t threshold = (uint64_t)(power / (1 + power) * scale);
        if (threshold == 0)
            break;
        g->threshold[g->bits] = threshold;
    }
}

uint64_t geometric_draw(const struct geometric *g, struct random *r)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < g->bits; i++)
        n |= (uint64_t)(random_bits(r) < g->threshold[i]) << i;
    return n + 1;
}
