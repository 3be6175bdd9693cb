/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interval arithmetic: the lower bound of each sum is rounded down and the upper bound up, by the rounding mode.
 *
 *     interval [TERMS]      default 200000
 *
 * Stands for the flush class of the TIP paper by writes of a status register, which the core does not rename: two in
 * each step, and no misprediction.
 * Adds 1/n for n = 1, 2, ...: the interval must hold the sum of the quotients rounded to nearest, added with a
 * compensation for the roundings of the additions, and be no wider than the roundings of all operations. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TO_NEAREST = 0, DOWN = 2, UP = 3 };

struct interval {
    double low, high;
};

static inline void round_to(uint64_t mode)
{
    __asm__ volatile("fsrm %0" ::"r"(mode) : "memory");
}

static inline double sum_of(double a, double b)
{
    double sum;
    __asm__ volatile("fadd.d %0, %1, %2, dyn" : "=f"(sum) : "f"(a), "f"(b));
    return sum;
}

static inline double quotient_of(double a, double b)
{
    double quotient;
    __asm__ volatile("fdiv.d %0, %1, %2, dyn" : "=f"(quotient) : "f"(a), "f"(b));
    return quotient;
}

static __attribute__((noinline)) void add_harmonic(struct interval *i, uint64_t terms)
{
    for (uint64_t n = 1; n <= terms; n++) {
        round_to(DOWN);
        i->low = sum_of(i->low, quotient_of(1, (double)n));
        round_to(UP);
        i->high = sum_of(i->high, quotient_of(1, (double)n));
    }
    round_to(TO_NEAREST);
}

/* Kahan's sum. */
static double compensated(uint64_t terms)
{
    double sum = 0, lost = 0;
    for (uint64_t n = terms; n > 0; n--) {
        double term = 1.0 / (double)n - lost, next = sum + term;
        lost = next - sum - term;
        sum = next;
    }
    return sum;
}

int main(int argc, char **argv)
{
    uint64_t terms = argc > 1 ? strtoull(argv[1], NULL, 10) : 200000;
    struct interval i = {0, 0};
    add_harmonic(&i, terms);
    double sum = compensated(terms);
    int ok = i.low <= sum && sum <= i.high && i.high - i.low <= 2 * (double)terms * 16 * 0x1p-52;
    printf("interval: %llu terms, %.9f to %.9f: %s\n", (unsigned long long)terms, i.low, i.high, ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
