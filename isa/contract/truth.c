/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting of exact values: by insertion if there are few, else a radix sort, least significant byte first, that skips
 * the bytes that all keys share. */
#include "isa/contract/truth.h"

#include <string.h>

enum { FEW = 24 };

static inline uint64_t key_of(const struct truth_value *v, enum truth_order order)
{
    return order == TRUTH_BY_FREQUENCY ? ~v->count : order == TRUTH_BY_LOW_HALF ? (uint32_t)v->value : v->value;
}

static void sort_few(struct truth_value *values, size_t count, enum truth_order order)
{
    for (size_t n = 1; n < count; n++) {
        const struct truth_value v = values[n];
        const uint64_t key = key_of(&v, order);
        size_t at = n;
        for (; at > 0 && key_of(&values[at - 1], order) > key; at--)
            values[at] = values[at - 1];
        values[at] = v;
    }
}

/* Sorts by one byte of the keys. */
static void sort_by_byte(const struct truth_value *from, struct truth_value *to, size_t count, enum truth_order order,
                         unsigned shift)
{
    size_t at[256] = {0}, sum = 0;
    for (size_t n = 0; n < count; n++)
        at[key_of(&from[n], order) >> shift & 0xff]++;
    for (unsigned b = 0; b < 256; b++) {
        const size_t here = at[b];
        at[b] = sum;
        sum += here;
    }
    for (size_t n = 0; n < count; n++)
        to[at[key_of(&from[n], order) >> shift & 0xff]++] = from[n];
}

/* The sort for one order, which is a constant where this is expanded. */
static inline void sort(struct truth_value *values, struct truth_value *spare, size_t count, enum truth_order order)
{
    struct truth_value *from = values, *to = spare;
    uint64_t differ = 0;
    if (count <= FEW) {
        sort_few(values, count, order);
        return;
    }
    for (size_t n = 1; n < count; n++)
        differ |= key_of(&values[n], order) ^ key_of(&values[0], order);
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if ((differ >> shift & 0xff) == 0)
            continue;
        sort_by_byte(from, to, count, order, shift);
        struct truth_value *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != values)
        memcpy(values, from, count * sizeof *values);
}

void truth_sort(struct truth_value *values, struct truth_value *spare, size_t count, enum truth_order order)
{
    switch (order) {
    case TRUTH_BY_VALUE:
        sort(values, spare, count, TRUTH_BY_VALUE);
        break;
    case TRUTH_BY_LOW_HALF:
        sort(values, spare, count, TRUTH_BY_LOW_HALF);
        break;
    case TRUTH_BY_FREQUENCY:
        sort(values, spare, count, TRUTH_BY_FREQUENCY);
        break;
    }
}
