/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads whose value invariance is known by construction: the workload for the value profile.
 *
 *     invariant [ROUNDS]      default 40
 *
 * Phase 1 reads twelve tables, each by a load of its own; in table k a set share of the 1000 elements, in shuffled places, holds one
 * value, and the rest are all different. Phase 2 reads through 640 loads, all equally often, more than the co-processor has slots;
 * most are invariant. Phase 3 is glacial: one load sees one value for a whole round, then the next.
 * Checks itself: the sums must agree with those computed when the tables were filled. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TABLES = 12, ELEMENTS = 1000, SITES = 640 };

static const unsigned percent[TABLES] = {100, 98, 95, 90, 80, 75, 60, 50, 40, 30, 15, 0};
static uint64_t table[TABLES][ELEMENTS];
static uint64_t wide[SITES], glacier[16];

static uint32_t random_state = 12345;

static uint32_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Fills a table and returns its sum. */
static uint64_t fill(uint64_t *t, unsigned share)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < ELEMENTS; i++)
        t[i] = i < share * ELEMENTS / 100 ? 7000 + share : 100000 + i;
    for (unsigned i = ELEMENTS - 1; i > 0; i--) {
        unsigned k = next_random() % (i + 1);
        uint64_t swapped = t[i];
        t[i] = t[k];
        t[k] = swapped;
    }
    for (unsigned i = 0; i < ELEMENTS; i++)
        sum += t[i];
    return sum;
}

/* Twelve static loads. */
static uint64_t read_tables(void)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < ELEMENTS; i++) {
#define READ(k) sum += *(volatile uint64_t *)&table[k][i];
        READ(0) READ(1) READ(2) READ(3) READ(4) READ(5) READ(6) READ(7) READ(8) READ(9) READ(10) READ(11)
#undef READ
    }
    return sum;
}

/* 640 static loads. */
static uint64_t read_wide(void)
{
    uint64_t sum = 0;
#define SITE(n) sum += *(volatile uint64_t *)&wide[n];
#define SITE10(n) SITE(n) SITE(n + 1) SITE(n + 2) SITE(n + 3) SITE(n + 4) SITE(n + 5) SITE(n + 6) SITE(n + 7) SITE(n + 8) SITE(n + 9)
#define SITE80(n) SITE10(n) SITE10(n + 10) SITE10(n + 20) SITE10(n + 30) SITE10(n + 40) SITE10(n + 50) SITE10(n + 60) SITE10(n + 70)
    SITE80(0) SITE80(80) SITE80(160) SITE80(240) SITE80(320) SITE80(400) SITE80(480) SITE80(560)
    return sum;
}

static uint64_t read_glacier(unsigned round)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < 4000; i++)
        sum += *(volatile uint64_t *)&glacier[round % 16];
    return sum;
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 40;
    uint64_t expected = 0, found = 0;
    for (unsigned k = 0; k < TABLES; k++)
        expected += fill(table[k], percent[k]) * rounds;
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned n = 0; n < SITES; n++) {
            wide[n] = n % 4 == 3 ? round * 1000 + n : n; /* one in four changes every round */
            expected += wide[n] * 25;
        }
        glacier[round % 16] = 50000 + round;
        expected += (50000 + round) * UINT64_C(4000);
        found += read_tables();
        for (unsigned i = 0; i < 25; i++)
            found += read_wide();
        found += read_glacier(round);
    }
    printf("invariant: rounds %u, sum %llu: %s\n", rounds, (unsigned long long)found, found == expected ? "ok" : "WRONG");
    return found == expected ? 0 : 1;
}
