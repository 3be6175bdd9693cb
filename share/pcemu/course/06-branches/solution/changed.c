/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums over random numbers, with five conditions. Each is an `if` whose branch the compiler keeps.
 *
 * usage: bounds [NUMBER]     NUMBER: other random numbers */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "../seed.h"

/* The compiler does not know what it does to the variable: it cannot turn an `if` into arithmetic. */
#define KEEP(variable) __asm__ volatile("" : "+r"(variable))

enum { NUMBERS = 1 << 10, ROUNDS = 8 };

static uint32_t number[NUMBERS];

static __attribute__((noipa)) uint64_t scan(uint32_t bound)
{
    uint64_t high = 0, fourth = 0, rare = 0, again = 0, chosen = 0;
    for (unsigned i = 0; i < NUMBERS; i++) {
        uint32_t x = number[i];
        uint64_t above = -(uint64_t)(x > bound); /* all bits are set if x is above the bound, otherwise none */
        high += x & above;                       /* condition 1 */
        if (i % 4 == 0) { /* condition 2 */
            fourth ^= x;
            KEEP(fourth);
        }
        if (x < 1u << 24) { /* condition 3 */
            rare += i;
            KEEP(rare);
        }
        again ^= i & above; /* condition 4: its branch was predicted from that of condition 1 */
        if (x % 1024 < 120 + SEED % 60) { /* condition 5 */
            chosen += x ^ i;
            KEEP(chosen);
        }
    }
    return high + fourth + rare + again + chosen;
}

int main(int argc, char **argv)
{
    uint64_t state = argc > 1 ? strtoull(argv[1], NULL, 0) : SEED, sum = 0;
    for (unsigned r = 0; r < ROUNDS; r++) {
        for (unsigned i = 0; i < NUMBERS; i++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            number[i] = (uint32_t)(state >> 32);
        }
        sum += scan((6 + SEED % 4) << 28);
    }
    printf("bounds: %llu\n", (unsigned long long)sum);
    return 0;
}
