/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three functions, each with one kind of delay: a load that misses all caches, a division, a branch that no predictor
 * can know. */
#include <stdint.h>
#include <stdio.h>
#include "../seed.h"

enum { WORDS = 1 << 20, MISSES = 400 + SEED * 7 % 90, DIVISIONS = 800 + SEED * 131 % 400 };
enum { BRANCHES = 6000 + SEED * 17 % 900 };

static volatile uint64_t table[WORDS]; /* zeroes: the memory of a page is mapped when it is first read */
static uint64_t state = SEED;

static uint64_t next_random(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state >> 33;
}

/* Each address depends on the datum before. Behind the load are 190 instructions that depend on nothing. */
static __attribute__((noipa)) uint64_t miss(void)
{
    uint64_t sum = SEED;
    for (unsigned i = 0; i < MISSES; i++) {
        uint64_t datum = table[(sum + i) * UINT64_C(0x9e3779b97f4a7c15) >> 44];
        __asm__ volatile(".rept 190\n\tnop\n\t.endr" : "+r"(datum));
        sum += datum;
    }
    return sum;
}

static __attribute__((noipa)) uint64_t divide(void)
{
    uint64_t x = 12345 + SEED;
    for (unsigned i = 0; i < DIVISIONS; i++)
        x = UINT64_C(987654321987654321) / (x % 1000 + 1);
    return x;
}

static __attribute__((noipa)) uint64_t branch(void)
{
    uint64_t odd = 0, even = 0;
    for (unsigned i = 0; i < BRANCHES; i++) {
        uint64_t number = next_random();
        if (number & 1) {
            odd += number;
            __asm__ volatile("" : "+r"(odd)); /* keeps the branch */
        } else {
            even ^= number;
            __asm__ volatile("" : "+r"(even));
        }
    }
    return odd ^ even;
}

int main(void)
{
    uint64_t sum = miss();
    sum += divide();
    sum ^= branch();
    printf("delays: %llu\n", (unsigned long long)sum);
    return 0;
}
