/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The triad a = b + q c over three arrays of 8 MB.
 *
 *     triad [PASSES]      default 2
 *
 * Stands for programs that are bound by memory bandwidth (STREAM; lbm of the TIP paper): the loads of each line wait
 * for it together, and the store queue fills behind them. Elements are small integers in double precision, so that each
 * sum is exact. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 1 << 20 };

static double a[ELEMENTS], b[ELEMENTS], c[ELEMENTS];

static __attribute__((noinline)) void triad(double q)
{
    for (int i = 0; i < ELEMENTS; i++)
        a[i] = b[i] + q * c[i];
}

int main(int argc, char **argv)
{
    unsigned passes = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 2, wrong = 0;
    for (int i = 0; i < ELEMENTS; i++) {
        b[i] = i & 255;
        c[i] = i >> 8 & 255;
    }
    for (unsigned p = 1; p <= passes; p++)
        triad(p);
    for (int i = 0; passes > 0 && i < ELEMENTS; i++)
        wrong += a[i] != (i & 255) + passes * (double)(i >> 8 & 255);
    printf("triad: %u passes, %u elements wrong: %s\n", passes, wrong, wrong == 0 ? "ok" : "WRONG");
    return wrong == 0 ? 0 : 1;
}
