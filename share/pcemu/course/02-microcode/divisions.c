/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 40 functions, each with one division of 64 bits by a variable. The program counts by itself, for each function, the
 * divisions and those by a power of two, and prints both: the truth for the exercise.
 *
 * usage: divisions [NUMBER]     NUMBER: other random numbers */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "../seed.h"

enum { SITES = 40, ROUNDS = 1200 + SEED * 13 % 300 };

static struct count {
    unsigned all, powers;
} count[SITES];

static uint64_t state;

static uint64_t next_random(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state >> 33;
}

#define SITE(n) \
    static __attribute__((noipa)) uint64_t site##n(uint64_t a, uint64_t b) \
    { \
        __asm__("divu %0, %0, %1" : "+r"(a) : "r"(b)); \
        return a; \
    }
#define FIVE(f, a, b, c, d, e) f(a) f(b) f(c) f(d) f(e)
#define TEN(f, tens) \
    FIVE(f, tens##0, tens##1, tens##2, tens##3, tens##4) FIVE(f, tens##5, tens##6, tens##7, tens##8, tens##9)
TEN(SITE, ) TEN(SITE, 1) TEN(SITE, 2) TEN(SITE, 3)

#define NAME(n) site##n,
static uint64_t (*const site[SITES])(uint64_t, uint64_t) = {TEN(NAME, ) TEN(NAME, 1) TEN(NAME, 2) TEN(NAME, 3)};

/* One divisor in 32 is 0, which divides without an exception on RISC-V, and is not a power of two. */
static uint64_t divisor(unsigned n)
{
    uint64_t random = next_random();
    if (random % 32 == 0)
        return 0;
    if (random % 64 < n)
        return UINT64_C(1) << random / 64 % 64;
    return random / 64 % 1000 + 1;
}

int main(int argc, char **argv)
{
    state = argc > 1 ? strtoull(argv[1], NULL, 0) : SEED;
    uint64_t sum = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        unsigned n = next_random() % SITES * (next_random() % SITES) / SITES; /* low numbers are more frequent */
        uint64_t b = divisor(n);
        count[n].all++;
        count[n].powers += __builtin_popcountll(b) == 1;
        sum += site[n](UINT64_C(0x123456789abcdef), b);
    }
    for (unsigned n = 0; n < SITES; n++)
        printf("site%u %u %u\n", n, count[n].all, count[n].powers);
    printf("sum %llu\n", (unsigned long long)sum);
    return 0;
}
