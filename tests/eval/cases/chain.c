/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two loops: one gathers words from all over a large table, each access independent of the others; the other one adds
 * numbers up. The instructions of the gather are in progress for more cycles in all, but much else goes on meanwhile.
 * Most issue slots are wasted while an addition waits for the one before it (ProfileMe paper, section 5.2.3). AFTER:
 * four sums at a time. The numbers are integers, so that their order does not matter. */
#include <stdint.h>
#include <stdio.h>

enum { WORDS = 1 << 16, GATHERS = 3 << 17, NUMBERS = 1 << 12, ROUNDS = 64 };

static uint32_t table[WORDS]; /* zeroes but for one */
static double number[NUMBERS];

static __attribute__((noinline)) uint64_t gather(void)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < GATHERS; i++) {
        uint32_t hash = i * 2654435761u;
        sum += table[hash % WORDS] ^ (hash >> 7) ^ i;
    }
    return sum;
}

static __attribute__((noinline)) double add_up(const double *x)
{
#ifdef AFTER
    double a = 0, b = 0, c = 0, d = 0;
    for (unsigned i = 0; i < NUMBERS; i += 4) {
        a += x[i];
        b += x[i + 1];
        c += x[i + 2];
        d += x[i + 3];
    }
    return a + b + (c + d);
#else
    double sum = 0;
    for (unsigned i = 0; i < NUMBERS; i++)
        sum += x[i];
    return sum;
#endif
}

int main(int argc, char **argv)
{
    double sum = 0;
    (void)argv;
    table[argc] = 1;
    for (unsigned i = 0; i < NUMBERS; i++)
        number[i] = i % 1000;
    for (unsigned r = 0; r < ROUNDS; r++) {
        number[r] += 1;
        sum += add_up(number);
    }
    printf("chain: %llu %.0f\n", (unsigned long long)gather(), sum);
    return 0;
}
