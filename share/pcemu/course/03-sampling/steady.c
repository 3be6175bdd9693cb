/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two functions: `mixed` has branches, divisions and loads in a random order; each pass of the loop of `steady` takes
 * the same number of cycles. */
#include <stdint.h>
#include <stdio.h>
#include "../seed.h"

enum { NUMBERS = 1 << 10, MIXED = 12000 + SEED * 37 % 2000, PASSES = 9000 + SEED * 53 % 1000 };

static uint64_t number[NUMBERS];

static __attribute__((noipa)) uint64_t mixed(void)
{
    uint64_t sum = 1;
    for (unsigned i = 0; i < MIXED; i++) {
        uint64_t n = number[(sum ^ i) % NUMBERS];
        if (n % 4 == 0)
            sum += n / (i + 1);
        else if (n % 4 == 1)
            sum = sum * n + 1;
        else
            sum ^= n >> 3;
    }
    return sum;
}

/* A chain of multiplications and additions, each of which waits for the one before. */
static __attribute__((noipa)) uint64_t steady(uint64_t x)
{
    for (unsigned i = 0; i < PASSES; i++)
        __asm__ volatile("mul %0, %0, %0\n\taddi %0, %0, 3\n\tmul %0, %0, %0\n\taddi %0, %0, 5\n\tmul %0, %0, %0"
                         : "+r"(x));
    return x;
}

int main(void)
{
    uint64_t state = SEED;
    for (unsigned i = 0; i < NUMBERS; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        number[i] = state >> 33;
    }
    printf("steady: %llu, %u passes\n", (unsigned long long)(mixed() + steady(SEED)), (unsigned)PASSES);
    return 0;
}
