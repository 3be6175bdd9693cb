/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of an exact reference by key: a hash table with open addressing. */
#ifndef CORE_MODEL_PROF_EXACT_TABLE_H
#define CORE_MODEL_PROF_EXACT_TABLE_H

#include "contract/exact.h"

/* Zero-initialised: empty. */
struct exact_table {
    struct exact_row *row;
    uint8_t *used;         /* 1: the entry holds a row */
    size_t capacity, rows; /* the capacity is a power of two */
};

void exact_table_fini(struct exact_table *t);
/* The row with these keys; created with zero counts if it does not exist. Keys that the reference does not have are 0.
 * The pointer is valid until the next call. */
struct exact_row *exact_table_at(struct exact_table *t, uint64_t key0, uint64_t key1, uint64_t key2);
/* Allocates a copy of the rows in ascending order of keys, which the caller frees; returns their number. */
size_t exact_table_copy(const struct exact_table *t, struct exact_row **rows);

/* Divides a count of the n rows by `unit`, such as parts of a cycle. The remainder of a row is carried to the next one,
 * so the error of each row, and of the sum over any range of rows, is below one unit. */
void exact_rows_in_units(struct exact_row *rows, size_t n, unsigned count, uint64_t unit);

#endif
