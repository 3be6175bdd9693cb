/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons for qsort, by the members of a structure: ORDER(by_time, struct row, FALLING(time) RISING(pc)) defines
 * the function by_time, which compares two rows by their times and, if these are equal, by their addresses. Binary
 * search in what is sorted. */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#include <string.h>

#define ORDER(name, type, keys)                          \
    static int name(const void *left, const void *right) \
    {                                                    \
        const type *a = left, *b = right;                \
        keys return 0;                                   \
    }
/* A key is a member, a number. Of two keys the first one decides, unless it is equal. */
#define RISING(key)       \
    if (a->key != b->key) \
        return a->key < b->key ? -1 : 1;
#define FALLING(key)      \
    if (a->key != b->key) \
        return a->key > b->key ? -1 : 1;
/* The key is a text. */
#define ALPHABETIC(key)              \
    if (strcmp(a->key, b->key) != 0) \
        return strcmp(a->key, b->key);

/* Binary search: sets `low` to the first index from `low` up to `high` for which `before`, an expression of `index`, is
 * false; `high` becomes the same. */
#define SEARCH(low, high, index, before)                          \
    do {                                                          \
        while (low < high) {                                      \
            const __typeof__(low) index = low + (high - low) / 2; \
            if (before)                                           \
                low = index + 1;                                  \
            else                                                  \
                high = index;                                     \
        }                                                         \
    } while (0)

#endif
