/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The triad of STREAM, a = b + s * c, over three arrays of 4 MB.
 *
 *     triad [LAPS]      default 4
 *
 * Stands for programs that the memory's bandwidth bounds: each line is used once a lap, and prefetching the next one
 * does not make the channel faster.
 * b[i] = i and c[i] = 2 i; in lap n (from 0) s = n, so a[i] = (2 n + 1) i. The sum is (2 n + 1) N (N - 1) / 2. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 1 << 19 };

static double a[ELEMENTS], b[ELEMENTS], c[ELEMENTS];

static __attribute__((noinline)) void triad(double s)
{
    for (uint32_t i = 0; i < ELEMENTS; i++)
        a[i] = b[i] + s * c[i];
}

int main(int argc, char **argv)
{
    uint64_t laps = argc > 1 ? strtoull(argv[1], NULL, 10) : 4;
    double sum = 0, expected = 0;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        b[i] = i;
        c[i] = 2.0 * i;
    }
    for (uint64_t n = 0; n < laps; n++)
        triad((double)n);
    for (uint32_t i = 0; laps > 0 && i < ELEMENTS; i++)
        sum += a[i];
    if (laps > 0)
        expected = (2.0 * (double)laps - 1) * ELEMENTS * (ELEMENTS - 1.0) / 2;
    int ok = sum == expected;
    printf("triad: %llu laps, sum %.0f: %s\n", (unsigned long long)laps, sum, ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
