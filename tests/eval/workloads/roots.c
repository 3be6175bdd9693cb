/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Square and cube roots by Newton's method, one after the other.
 *
 *     roots [NUMBERS]      default 40000
 *
 * Stands for programs that are bound by function units (TIP paper, Figure 7: ALU stalls; bwaves, namd): a chain of
 * divisions, none of which is pipelined. The roots are those of squares and cubes of whole numbers: rounded, they must
 * be these numbers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 12 };

static __attribute__((noinline)) double square_root(double x)
{
    double y = x > 1 ? 0.01 * x + 1 : 1;
    for (int s = 0; s < STEPS; s++)
        y = 0.5 * (y + x / y);
    return y;
}

static __attribute__((noinline)) double cube_root(double x)
{
    double y = x > 1 ? 0.001 * x + 1 : 1;
    for (int s = 0; s < STEPS + 8; s++)
        y = (2 * y + x / (y * y)) / 3;
    return y;
}

int main(int argc, char **argv)
{
    unsigned numbers = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 40000, wrong = 0;
    for (unsigned i = 0; i < numbers; i++) {
        double n = 1 + i % 100;
        wrong += (unsigned)(square_root(n * n) + 0.5) != (unsigned)n;
        wrong += (unsigned)(cube_root(n * n * n) + 0.5) != (unsigned)n;
    }
    printf("roots: %u numbers, %u wrong: %s\n", numbers, wrong, wrong == 0 ? "ok" : "WRONG");
    return wrong == 0 ? 0 : 1;
}
