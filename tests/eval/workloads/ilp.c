/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Three loops of different parallelism: a serial chain, four chains side by side, and many independent operations around a division.
 *
 *     ilp [ROUNDS]      default 20000
 *
 * Stands for the program of the ProfileMe paper's Figure 7: latency and wasted issue slots are proportional within a loop, but the
 * factor differs; the instructions of the highest latency in all are in the wide loop, which has WIDE times the rounds, and waste fewer
 * slots than those of the serial one.
 * The chains are affine recurrences: their end is computed in log(ROUNDS) steps by squaring the map. The quotients' sum follows from the
 * divisor identity: sum of n/i for i = 1..n is 2 sum of n/i for i = 1..r, less r*r, with r the integer root of n. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Keeps the compiler from seeing through x. */
#define OPAQUE(x) __asm__ volatile("" : "+r"(x))

enum { STEPS = 4, WIDE = 8 };

static const uint64_t factor = 6364136223846793005u, increment = 1442695040888963407u;

/* x after n steps of x * factor + increment. */
static uint64_t jump(uint64_t x, uint64_t n)
{
    uint64_t a = factor, b = increment;
    for (; n > 0; n >>= 1) {
        if (n & 1)
            x = x * a + b;
        b = b * a + b;
        a = a * a;
    }
    return x;
}

static uint64_t divisor_sum(uint64_t n)
{
    uint64_t root = 0, sum = 0;
    while ((root + 1) * (root + 1) <= n)
        root++;
    for (uint64_t i = 1; i <= root; i++)
        sum += n / i;
    return 2 * sum - root * root;
}

static __attribute__((noinline)) uint64_t serial(uint64_t rounds)
{
    uint64_t x = 1;
    for (uint64_t i = 0; i < rounds; i++)
        for (int k = 0; k < STEPS; k++) {
            x = x * factor + increment;
            OPAQUE(x);
        }
    return x;
}

static __attribute__((noinline)) uint64_t mixed(uint64_t rounds)
{
    uint64_t x = 1, y = 2, z = 3, w = 4;
    for (uint64_t i = 0; i < rounds; i++)
        for (int k = 0; k < STEPS; k++) {
            x = x * factor + increment;
            OPAQUE(x);
            y = y * factor + increment;
            OPAQUE(y);
            z = z * factor + increment;
            OPAQUE(z);
            w = w * factor + increment;
            OPAQUE(w);
        }
    return x ^ y ^ z ^ w;
}

/* One division and 48 additions in 6 chains. */
static __attribute__((noinline)) uint64_t wide(uint64_t rounds, uint64_t *quotients)
{
    uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, sum = 0;
    for (uint64_t i = 1; i <= rounds; i++) {
        uint64_t quotient = rounds / i;
        for (int k = 0; k < 8; k++) {
            a += 1, b += 2, c += 3, d += 4, e += 5, f += 6;
            __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
        }
        sum += quotient;
    }
    *quotients = sum;
    return a + b + c + d + e + f;
}

int main(int argc, char **argv)
{
    uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000, quotients, n = rounds * STEPS;
    uint64_t one = serial(rounds), two = mixed(rounds), many = wide(WIDE * rounds, &quotients);
    int ok = one == jump(1, n) && two == (jump(1, n) ^ jump(2, n) ^ jump(3, n) ^ jump(4, n)) && many == 8 * 21 * WIDE * rounds && quotients == divisor_sum(WIDE * rounds);
    printf("ilp: %llu rounds, %016llx %016llx %llu: %s\n", (unsigned long long)rounds, (unsigned long long)one,
           (unsigned long long)two, (unsigned long long)quotients, ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
