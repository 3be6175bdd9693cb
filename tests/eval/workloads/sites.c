/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many hot loads: thousands of static loads, each with its own share of a common value, all of them hot from the first step to the last, or a
 * part of them at a time.
 *
 *     sites [STEPS [LOADS [ACTIVE]]]      default 200000 512 512; loads up to 4096
 *
 * Stands for gcc and perl in the co-processor paper (section 5.3), "the largest benchmarks": more hot loads than slots. ACTIVE is the number
 * of loads that execute in any stretch of the run; each is active for ACTIVE / LOADS of it, and executes equally often whatever ACTIVE is.
 * Before each load its cell is written; the sum of what was written must be that of what was read. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096 };

static uint32_t cell[MOST];

#define AT(n) case n: return *(volatile uint32_t *)&cell[n];
#define AT8(n) AT(n) AT(n + 1) AT(n + 2) AT(n + 3) AT(n + 4) AT(n + 5) AT(n + 6) AT(n + 7)
#define AT64(n) AT8(n) AT8(n + 8) AT8(n + 16) AT8(n + 24) AT8(n + 32) AT8(n + 40) AT8(n + 48) AT8(n + 56)
#define AT512(n) AT64(n) AT64(n + 64) AT64(n + 128) AT64(n + 192) AT64(n + 256) AT64(n + 320) AT64(n + 384) AT64(n + 448)

/* 4096 static loads. */
static __attribute__((noinline)) uint32_t load(uint32_t site)
{
    switch (site) {
        AT512(0) AT512(512) AT512(1024) AT512(1536) AT512(2048) AT512(2560) AT512(3072) AT512(3584)
    default:
        return 0;
    }
}

/* How often of 1024 a load has its common value: from never to always. */
static uint16_t share[MOST];

static uint32_t number(const char *text, uint32_t most)
{
    unsigned long n = strtoul(text, NULL, 10);
    return n < 1 ? 1 : n > most ? most : (uint32_t)n;
}

int main(int argc, char **argv)
{
    uint64_t steps = argc > 1 ? strtoull(argv[1], NULL, 10) : 200000, random = 1, due = 0, found = 0, expected = 0;
    uint32_t loads = argc > 2 ? number(argv[2], MOST) : 512, active = argc > 3 ? number(argv[3], loads) : loads, first = 0;
    for (uint32_t site = 0; site < MOST; site++)
        share[site] = (uint16_t)(site * 37 % 1025);
    for (uint64_t step = 0; step < steps; step++) {
        due += loads;
        if (due >= steps) { /* the next load becomes active, and the first one is active no longer */
            due -= steps;
            first++;
        }
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        uint32_t site = first + (uint32_t)((random >> 44) * active >> 20);
        site = site >= loads ? site - loads : site;
        uint32_t value = (random >> 30 & 1023) < share[site] ? site : (uint32_t)(random >> 24);
        cell[site] = value;
        expected += value;
        found += load(site);
    }
    printf("sites: %llu steps, sum %llu: %s\n", (unsigned long long)steps, (unsigned long long)found, found == expected ? "ok" : "WRONG");
    return found == expected ? 0 : 1;
}
