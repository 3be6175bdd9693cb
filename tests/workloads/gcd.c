/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Euclid's algorithm: each remainder needs the one before, and the divider is not pipelined.
 *
 *     gcd [PAIRS]      default 20000
 *
 * Stands for the stall class of the TIP paper where the execution units, not the memory, stall the head of the ROB.
 * The pairs are neighbours among the Fibonacci numbers, times m: the algorithm then takes the most steps for numbers of
 * their size, the same for each pair, and the greatest common divisor of pair m is m. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static __attribute__((noinline)) uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int main(int argc, char **argv)
{
    enum { STEPS = 40 };
    uint64_t pairs = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000, small = 1, large = 1, sum = 0;
    for (int i = 0; i < STEPS; i++) {
        uint64_t next = small + large;
        small = large;
        large = next;
    }
    for (uint64_t m = 1; m <= pairs; m++)
        sum += gcd(m * large, m * small);
    int ok = sum == pairs * (pairs + 1) / 2;
    printf("gcd: %llu pairs, sum %llu: %s\n", (unsigned long long)pairs, (unsigned long long)sum, ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
