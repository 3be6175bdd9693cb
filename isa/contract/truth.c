/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting of exact values: by insertion if there are few, else a radix sort, least significant byte first, that skips
 * the bytes that all keys share. Of many different keys it takes only as many of the highest bytes as keys of that
 * number need if they are spread evenly, and insertion does the rest, unless that takes too long. All is stable. */
#include "isa/contract/truth.h"

#include <stdbool.h>
#include <string.h>

enum { FEW = 24, SPREAD = 4 /* values of the highest bytes for each key */, MOST_MOVES = 1 /* for each key */ };

static inline uint64_t key_of(const struct truth_value *v, enum truth_order order)
{
    return order == TRUTH_BY_FREQUENCY ? ~v->count : order == TRUTH_BY_LOW_HALF ? (uint32_t)v->value : v->value;
}

/* Sorts by insertion. False: after this number of moves, not all are in order. */
static bool insert(struct truth_value *values, size_t count, enum truth_order order, size_t moves)
{
    for (size_t n = 1; n < count; n++) {
        const struct truth_value v = values[n];
        const uint64_t key = key_of(&v, order);
        size_t at = n;
        for (; at > 0 && key_of(&values[at - 1], order) > key && moves > 0; at--, moves--)
            values[at] = values[at - 1];
        values[at] = v;
        if (moves == 0)
            return false;
    }
    return true;
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

/* Sorts by these bytes, given by their shifts, the last of which is the most significant. */
static inline void sort_by_bytes(struct truth_value *values, struct truth_value *spare, size_t count,
                                 enum truth_order order, const uint8_t *shift, unsigned bytes)
{
    struct truth_value *from = values, *to = spare;
    for (unsigned n = 0; n < bytes; n++) {
        sort_by_byte(from, to, count, order, shift[n]);
        struct truth_value *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != values)
        memcpy(values, from, count * sizeof *values);
}

/* The number of bytes of which keys of this number need the highest if they are spread evenly. */
static unsigned bytes_needed(size_t count)
{
    unsigned bytes = 1;
    for (size_t range = 256; bytes < 8 && range < SPREAD * count; range *= 256)
        bytes++;
    return bytes;
}

/* The sort for one order, which is a constant where this is expanded. */
static inline void sort(struct truth_value *values, struct truth_value *spare, size_t count, enum truth_order order)
{
    uint64_t differ = 0;
    uint8_t shift[8];
    unsigned bytes = 0;
    if (count <= FEW) {
        (void)insert(values, count, order, SIZE_MAX);
        return;
    }
    for (size_t n = 1; n < count; n++)
        differ |= key_of(&values[n], order) ^ key_of(&values[0], order);
    for (unsigned s = 0; s < 64; s += 8)
        if ((differ >> s & 0xff) != 0)
            shift[bytes++] = (uint8_t)s;
    const unsigned needed = bytes_needed(count), lower = bytes > needed ? bytes - needed : 0;
    sort_by_bytes(values, spare, count, order, shift + lower, bytes - lower);
    if (lower > 0 && !insert(values, count, order, MOST_MOVES * count))
        sort_by_bytes(values, spare, count, order, shift, bytes);
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
