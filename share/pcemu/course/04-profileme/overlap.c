/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two loops. The loads of `gather` miss the L1 data cache, and many are in flight at once. Each addition of `add_up`
 * waits for the one before. A third function, `choose`, has a branch on random numbers. */
#include <stdint.h>
#include <stdio.h>
#include "../seed.h"

enum { WORDS = 1 << 14, GATHERS = 15000 + SEED * 61 % 2000, NUMBERS = 1 << 10, SUMS = 9 + SEED % 4 };
enum { CHOICES = 3000 + SEED * 19 % 900 };

static volatile uint32_t table[WORDS]; /* zeroes */
static double number[NUMBERS];

static __attribute__((noipa)) uint64_t gather(void)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < GATHERS; i++) {
        uint32_t hash = i * 2654435761u;
        sum += table[hash % WORDS] ^ (hash >> 7) ^ i;
    }
    return sum;
}

static __attribute__((noipa)) double add_up(const double *x)
{
    double sum = 0;
    for (unsigned i = 0; i < NUMBERS; i++)
        sum += x[i];
    return sum;
}

static __attribute__((noipa)) uint64_t choose(uint64_t state)
{
    uint64_t odd = 0, even = 0;
    for (unsigned i = 0; i < CHOICES; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if (state >> 40 & 1) {
            odd += state;
            __asm__ volatile("" : "+r"(odd)); /* keeps the branch */
        } else {
            even ^= state;
            __asm__ volatile("" : "+r"(even));
        }
    }
    return odd ^ even;
}

int main(void)
{
    double sum = 0;
    for (unsigned i = 0; i < NUMBERS; i++)
        number[i] = i & 63;
    for (unsigned r = 0; r < SUMS; r++) {
        number[r] += 1;
        sum += add_up(number);
    }
    printf("overlap: %.0f %llu\n", sum, (unsigned long long)(gather() ^ choose(SEED)));
    return 0;
}
