/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies the numbers below a bound. The branch on random numbers is mispredicted in one of four cases and has no pattern
 * in its history. AFTER: each number is stored, and the comparison is added to the index, so there is no branch. */
#include <stdint.h>
#include <stdio.h>

enum { NUMBERS = 1 << 14, ROUNDS = 4 };

static uint32_t number[NUMBERS], chosen[NUMBERS + 1];

static __attribute__((noinline)) unsigned select_below(uint32_t bound)
{
    unsigned n = 0;
    for (unsigned i = 0; i < NUMBERS; i++) {
#ifdef AFTER
        chosen[n] = number[i];
        n += number[i] < bound;
#else
        if (number[i] < bound)
            chosen[n++] = number[i];
#endif
    }
    return n;
}

int main(void)
{
    uint64_t state = 1, sum = 0;
    for (unsigned i = 0; i < NUMBERS; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        number[i] = (uint32_t)(state >> 33);
    }
    for (unsigned r = 1; r <= ROUNDS; r++) {
        unsigned n = select_below(UINT32_C(0x30000000) + 0x08000000 * r);
        for (unsigned i = 0; i < n; i++)
            sum += chosen[i];
    }
    printf("below: %llu\n", (unsigned long long)sum);
    return 0;
}
