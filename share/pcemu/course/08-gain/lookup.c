/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two functions. `select_even` looks up random entries of a table, and branches on what it finds. `walk` follows a path
 * through two tables of 1 MiB: each step reads an entry of both, and both decide where the next step is.
 *
 * usage: lookup [NUMBER]     NUMBER: other random numbers */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "../seed.h"

enum { ENTRIES = 1 << 10, LOOKUPS = 6000 + SEED * 23 % 500, WORDS = 1 << 17, STEPS = 150 + SEED * 11 % 30 };

static volatile uint32_t entry[ENTRIES];               /* zeroes, which the compiler does not know */
static volatile uint64_t first[WORDS], second[WORDS]; /* zeroes, too */

static __attribute__((noipa)) uint64_t select_even(uint64_t start)
{
    uint64_t n = 0, sum = 0;
    for (unsigned i = 0; i < LOOKUPS; i++) {
        uint64_t hash = (start + i) * UINT64_C(0xbf58476d1ce4e5b9);
        hash = (hash ^ hash >> 31) * UINT64_C(0x94d049bb133111eb);
        uint64_t x = hash >> 33 ^ entry[hash >> 54];
        if (x % 2 == 0) {
            sum += x;
            n++;
            __asm__ volatile("" : "+r"(sum)); /* keeps the branch */
        }
    }
    return sum + n;
}

static __attribute__((noipa)) uint64_t walk(void)
{
    uint64_t at = SEED;
    for (unsigned i = 0; i < STEPS; i++) {
        uint64_t a = first[at * UINT64_C(0x9e3779b97f4a7c15) >> 47];
        uint64_t b = second[at * UINT64_C(0xc2b2ae3d27d4eb4f) >> 47];
        at += (a | b) + 1;
    }
    return at;
}

int main(int argc, char **argv)
{
    uint64_t sum = select_even(argc > 1 ? strtoull(argv[1], NULL, 0) : SEED);
    printf("lookup: %llu\n", (unsigned long long)(sum + walk()));
    return 0;
}
