/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/exact/exact_table.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/status.h"

enum { FIRST_CAPACITY = 1024 };

void exact_table_fini(struct exact_table *t)
{
    free(t->row);
    free(t->used);
    *t = (struct exact_table){0};
}

static inline bool has_keys(const struct exact_row *r, const uint64_t key[EXACT_KEYS])
{
    bool equal = true;
    for (unsigned k = 0; k < EXACT_KEYS; k++)
        equal &= r->key[k] == key[k];
    return equal;
}

/* Index of the row with these keys, or of the free entry for it. */
static size_t exact_table_place_of(const struct exact_table *t, const uint64_t key[EXACT_KEYS])
{
    uint64_t h = 0;
    for (unsigned k = 0; k < EXACT_KEYS; k++)
        h = (h ^ h >> 29 ^ key[k]) * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(h >> 32) & (t->capacity - 1);
    while (t->used[i] && !has_keys(&t->row[i], key))
        i = (i + 1) & (t->capacity - 1);
    return i;
}

static void exact_table_grow(struct exact_table *t)
{
    struct exact_table old = *t;
    t->capacity = old.capacity != 0 ? 2 * old.capacity : FIRST_CAPACITY;
    t->row = xmalloc(t->capacity * sizeof *t->row);
    t->used = xcalloc(t->capacity, sizeof *t->used);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.used[i]) {
            size_t place = exact_table_place_of(t, old.row[i].key);
            t->row[place] = old.row[i];
            t->used[place] = 1;
        }
    free(old.row);
    free(old.used);
}

struct exact_row *exact_table_at(struct exact_table *t, uint64_t key0, uint64_t key1, uint64_t key2)
{
    const uint64_t key[EXACT_KEYS] = {key0, key1, key2};
    if (2 * t->rows >= t->capacity)
        exact_table_grow(t);
    size_t i = exact_table_place_of(t, key);
    if (!t->used[i]) {
        t->used[i] = 1;
        t->row[i] = (struct exact_row){.key = {key0, key1, key2}};
        t->rows++;
    }
    return &t->row[i];
}

static int by_keys(const void *left, const void *right)
{
    const struct exact_row *a = left, *b = right;
    for (unsigned k = 0; k < EXACT_KEYS; k++)
        if (a->key[k] != b->key[k])
            return a->key[k] < b->key[k] ? -1 : 1;
    return 0;
}

size_t exact_table_copy(const struct exact_table *t, struct exact_row **rows)
{
    size_t n = 0;
    *rows = xcalloc(t->rows != 0 ? t->rows : 1, sizeof **rows);
    for (size_t i = 0; i < t->capacity; i++)
        if (t->used[i])
            (*rows)[n++] = t->row[i];
    if (n > 1)
        qsort(*rows, n, sizeof **rows, by_keys);
    return n;
}

void exact_rows_in_units(struct exact_row *rows, size_t n, unsigned count, uint64_t unit)
{
    uint64_t left = unit / 2;
    for (size_t r = 0; r < n; r++) {
        left += rows[r].count[count];
        rows[r].count[count] = left / unit;
        left %= unit;
    }
}
