/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of profiles by address. */
#ifndef HOST_FAMILY_ROW_FIND_H
#define HOST_FAMILY_ROW_FIND_H

#include <stddef.h>
#include <stdint.h>

/* Finds the row with that pc among `rows` rows of `row_bytes` bytes, sorted by ascending pc, their first member.
 * NULL: there is none. */
static inline const void *row_find(const void *row, size_t rows, size_t row_bytes, uint64_t pc)
{
    size_t low = 0, high = rows;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        const void *at = (const char *)row + mid * row_bytes;
        uint64_t found = *(const uint64_t *)at;
        if (found == pc)
            return at;
        if (found < pc)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

#endif
