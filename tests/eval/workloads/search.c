/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary search for random keys in a sorted array of 128 kB.
 *
 *     search [KEYS]      default 60000
 *
 * Stands for the flush class of the TIP paper by mispredictions: all data are in the L2 cache, and each comparison goes
 * either way.
 * The array holds the even numbers: an even key is found at its half, an odd one is not, and the keys' parities are
 * counted as they are drawn. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ELEMENTS = 1 << 14, MISSING = ELEMENTS };

static uint64_t sorted[ELEMENTS];

static __attribute__((noinline)) uint32_t find(uint64_t key)
{
    uint32_t low = 0, high = ELEMENTS;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ELEMENTS && sorted[low] == key ? low : MISSING;
}

int main(int argc, char **argv)
{
    uint64_t keys = argc > 1 ? strtoull(argv[1], NULL, 10) : 60000, state = 88172645463325252u;
    uint64_t found = 0, even = 0, wrong = 0;
    for (uint32_t i = 0; i < ELEMENTS; i++)
        sorted[i] = 2 * i;
    for (uint64_t k = 0; k < keys; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint64_t key = (state >> 33) % (2 * ELEMENTS);
        uint32_t at = find(key);
        even += key % 2 == 0;
        found += at != MISSING;
        wrong += at != MISSING && at * 2 != key;
    }
    int ok = found == even && wrong == 0;
    printf("search: %llu keys, %llu found: %s\n", (unsigned long long)keys, (unsigned long long)found,
           ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
