/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A histogram: each number is counted in the bin (number - least) / width. All that describes the histogram is in
 * variables, so the compiler knows none of it.
 *
 * usage: histogram [WIDTH] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "../seed.h"

enum { NUMBERS = 1 << 12, ROUNDS = 4, BINS = 1 << 10, LEAST = 1000 + SEED, WIDTH = 16 << SEED % 4 };

static struct histogram {
    uint64_t least, width, factor[8], bins;
    uint32_t count[BINS];
} histogram;

static uint32_t number[NUMBERS];

static __attribute__((noipa)) void count(struct histogram *h, uint64_t x, unsigned i)
{
    uint64_t distance = (x - h->least) * h->factor[i % 8];
    uint64_t bin = distance / h->width;
    if (bin < h->bins)
        h->count[bin]++;
}

int main(int argc, char **argv)
{
    uint64_t state = SEED, sum = 0;
    histogram.least = LEAST;
    histogram.width = argc > 1 ? strtoull(argv[1], NULL, 0) : WIDTH;
    histogram.bins = BINS;
    if (histogram.width == 0)
        return 2;
    for (unsigned i = 0; i < 8; i++)
        histogram.factor[i] = 1 + i * i % 5;
    for (unsigned i = 0; i < NUMBERS; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        number[i] = LEAST + (uint32_t)(state >> 51);
    }
    for (unsigned r = 0; r < ROUNDS; r++)
        for (unsigned i = 0; i < NUMBERS; i++)
            count(&histogram, number[i], i);
    for (unsigned i = 0; i < BINS; i++)
        sum = sum * 31 + histogram.count[i];
    printf("histogram: %llu\n", (unsigned long long)sum);
    return 0;
}
