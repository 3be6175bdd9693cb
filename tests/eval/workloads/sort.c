/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quicksort (median of three, insertion sort for short runs) of 64-bit keys.
 *
 *     sort [LOG2_KEYS]      default 16, 4 to 22
 *
 * Stands for integer code whose branches depend on data and half of which cannot be predicted, with good locality.
 * The keys are the numbers 0 .. n-1 in scrambled order: afterwards key i must be at place i. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHORT_RUN = 16 };

static uint64_t *keys;

static void swap(uint64_t *x, uint64_t *y)
{
    uint64_t old = *x;
    *x = *y;
    *y = old;
}

static void insertion_sort(uint64_t *first, uint64_t *last)
{
    for (uint64_t *p = first + 1; p <= last; p++) {
        uint64_t key = *p, *q = p;
        for (; q > first && q[-1] > key; q--)
            *q = q[-1];
        *q = key;
    }
}

/* Sorts three, leaves the median in the middle and returns it. */
static uint64_t median(uint64_t *first, uint64_t *last)
{
    uint64_t *middle = first + (last - first) / 2;
    if (*middle < *first)
        swap(middle, first);
    if (*last < *first)
        swap(last, first);
    if (*last < *middle)
        swap(last, middle);
    return *middle;
}

static void quicksort(uint64_t *first, uint64_t *last)
{
    while (last - first >= SHORT_RUN) {
        uint64_t pivot = median(first, last), *low = first, *high = last;
        while (low <= high) {
            while (*low < pivot)
                low++;
            while (*high > pivot)
                high--;
            if (low <= high)
                swap(low++, high--);
        }
        if (high - first < last - low) {
            quicksort(first, high);
            first = low;
        } else {
            quicksort(low, last);
            last = high;
        }
    }
    insertion_sort(first, last);
}

int main(int argc, char **argv)
{
    unsigned bits = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 16, wrong = 0;
    bits = bits < 4 ? 4 : bits > 22 ? 22 : bits;
    uint64_t n = UINT64_C(1) << bits, mask = n - 1;
    keys = malloc(n * sizeof *keys);
    if (keys == NULL)
        return 1;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t x = i * 0x2545f491 & mask;
        x ^= x >> (bits / 2);
        x = x * 0x9e375 & mask;
        keys[i] = x ^ x >> (bits / 3 + 1);
    }
    quicksort(keys, keys + n - 1);
    for (uint64_t i = 0; i < n; i++)
        wrong += keys[i] != i;
    printf("sort: %llu keys, %u wrong: %s\n", (unsigned long long)n, wrong, wrong == 0 ? "ok" : "WRONG");
    return wrong == 0 ? 0 : 1;
}
