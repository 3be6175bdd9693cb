/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branches on random bits.
 *
 *     branchy [PERIODS]      default 1
 *
 * Stands for the flush class of the TIP paper: the ROB is empty after each of many mispredictions, and a profiler that blames the next
 * instruction to commit is wrong.
 * An 18-bit shift register with taps 18, 11 runs through its whole period, all numbers but 0; they are scrambled,
 * one to one. So each bit tested is set in exactly half of 2^18 steps, two of them together in a quarter. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BITS = 18, MASK = (1 << BITS) - 1, TAPS = 0x20400 };

enum { SINGLE = 6 };

/* How often each of the six top bits was set; bit 7 and bit 8; neither bit 7 nor bit 9. */
struct counts {
    uint64_t single[SINGLE], both, neither;
};

/* Something the compiler cannot turn into arithmetic without a branch. */
#define COUNT(x) \
    do { \
        x++; \
        __asm__ volatile("" : "+r"(x)); \
    } while (0)

/* One to one on the numbers of BITS bits; 0 stays 0. */
static uint32_t scramble(uint32_t x)
{
    x = x * 0x5bd1e995 & MASK;
    x ^= x >> 9;
    x = x * 0x2545f491 & MASK;
    x ^= x >> 10;
    return x * 0x9e375 & MASK;
}

static __attribute__((noinline)) void count_period(struct counts *c)
{
    uint64_t a = 0, b = 0, d = 0, e = 0, f = 0, g = 0, both = 0, neither = 0;
    uint32_t x = 1;
    do {
        uint32_t y = scramble(x);
#define TEST(bit, counter) \
    if (y >> (BITS - 1 - bit) & 1) \
        COUNT(counter);
        TEST(0, a)
        TEST(1, b)
        TEST(2, d)
        TEST(3, e)
        TEST(4, f)
        TEST(5, g)
#undef TEST
        if (y >> (BITS - 7) & 1) {
            if (y >> (BITS - 8) & 1)
                COUNT(both);
        } else if (!(y >> (BITS - 9) & 1)) {
            COUNT(neither);
        }
        x = x >> 1 ^ (-(x & 1) & TAPS);
    } while (x != 1);
    const uint64_t single[SINGLE] = {a, b, d, e, f, g};
    for (unsigned i = 0; i < SINGLE; i++)
        c->single[i] += single[i];
    c->both += both;
    c->neither += neither;
}

int main(int argc, char **argv)
{
    uint64_t periods = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, all = periods << BITS;
    struct counts c = {{0}, 0, 0};
    for (uint64_t i = 0; i < periods; i++)
        count_period(&c);
    /* 0, the number left out, would have counted in `neither` */
    int ok = c.both == all / 4 && c.neither == all / 4 - periods;
    for (unsigned i = 0; i < SINGLE; i++)
        ok &= c.single[i] == all / 2;
    printf("branchy: %llu periods, %llu %llu: %s\n", (unsigned long long)periods, (unsigned long long)c.both,
           (unsigned long long)c.neither, ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
