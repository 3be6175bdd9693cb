/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams of stores through 16 MB, hardly a load among them.
 *
 *     stores [PASSES]      default 2
 *
 * Stands for store-bound programs (TIP paper, Figure 7: store stalls; DCPI's copy loop, Figure 2, whose time goes to two stores): the
 * store queue is full, and retirement goes on only as fast as the caches take lines.
 * Each word of pass p is p times an odd number plus its index; one word of each line, at a place that changes, is read back. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 1 << 21, LINE = 8 };

static uint64_t area[WORDS] __attribute__((aligned(64)));

static uint64_t seed_of(uint64_t pass) { return (pass + 1) * UINT64_C(0x9e3779b97f4a7c15); }

static __attribute__((noinline)) void stream(uint64_t seed)
{
    for (uint64_t i = 0; i < WORDS; i += LINE) {
        uint64_t *line = &area[i], x = seed + i;
        line[0] = x;
        line[1] = x + 1;
        line[2] = x + 2;
        line[3] = x + 3;
        line[4] = x + 4;
        line[5] = x + 5;
        line[6] = x + 6;
        line[7] = x + 7;
    }
}

int main(int argc, char **argv)
{
    uint64_t passes = argc > 1 ? strtoull(argv[1], NULL, 10) : 2, wrong = 0;
    for (uint64_t pass = 0; pass < passes; pass++)
        stream(seed_of(pass));
    for (uint64_t i = 0; passes > 0 && i < WORDS; i += LINE) {
        uint64_t at = i + i / LINE % LINE;
        wrong += area[at] != seed_of(passes - 1) + at;
    }
    printf("stores: %llu passes, %llu words wrong: %s\n", (unsigned long long)passes, (unsigned long long)wrong, wrong == 0 ? "ok" : "WRONG");
    return wrong == 0 ? 0 : 1;
}
