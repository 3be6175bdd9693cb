/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of an exact reference by key: an open-addressed table. */
#ifndef CORE_MODEL_PROF_EXACT_TABLE_H
#define CORE_MODEL_PROF_EXACT_TABLE_H

#include "isa/contract/exact.h"

/* All zero is an empty table. */
struct exact_table {
    struct exact_row *row;
    uint8_t *used;         /* 1: the place holds a row */
    size_t capacity, rows; /* the capacity is a power of two */
};

void exact_table_fini(struct exact_table *t);
/* The row with these keys, a new one without counts if there was none. Keys that the reference does not have are 0. The
 * pointer is valid until the next call. */
struct exact_row *exact_table_at(struct exact_table *t, uint64_t key0, uint64_t key1, uint64_t key2);
/* Allocates a copy of the rows, by rising keys, for the caller to free, and returns their number. */
size_t exact_table_copy(const struct exact_table *t, struct exact_row **rows);

/* Divides a count of the n rows by `unit`, such as parts of a cycle. What is left of a row goes on to the next one, so
 * that each row is right to one unit, and so is the sum of any rows that follow each other. */
void exact_rows_in_units(struct exact_row *rows, size_t n, unsigned count, uint64_t unit);

#endif
