/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A column of a block of a recording: an append-only byte buffer, and a cursor that reads it. Numbers are
 * varints. */
#ifndef CORE_MODEL_RECORD_COLUMN_H
#define CORE_MODEL_RECORD_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/varint.h"

enum record_column {
#define COLUMN(sym, name, contents) RECORD_##sym,
#include "core-model/record/columns.def"
    RECORD_COLUMNS
};

/* A column being written. Zero-initialised: empty. */
struct column {
    uint8_t *byte; /* owned */
    size_t size, capacity;
};

/* Reserves space for `more` bytes. */
void column_grow(struct column *c, size_t more);

static inline void column_put(struct column *c, uint8_t byte)
{
    if (c->size == c->capacity)
        column_grow(c, 1);
    c->byte[c->size++] = byte; /* NOLINT(clang-analyzer-core.NullDereference): column_grow has allocated it */
}

static inline void column_put_number(struct column *c, uint64_t n)
{
    if (c->capacity - c->size < VARINT_MOST)
        column_grow(c, VARINT_MOST);
    c->size += varint_put(c->byte + c->size, n);
}

/* Appends a difference of two numbers modulo 2^64. */
static inline void column_put_difference(struct column *c, uint64_t difference)
{
    column_put_number(c, zigzag(difference));
}

/* A column being read. A read past the end yields 0 and sets *failed, which all columns of a block share. */
struct column_cursor {
    const uint8_t *at, *end;
    bool *failed;
};

static inline uint8_t cursor_get(struct column_cursor *c)
{
    if (__builtin_expect(c->at == c->end, 0)) {
        *c->failed = true;
        return 0;
    }
    return *c->at++;
}

/* Slow path of cursor_number: a number of several bytes, or the end of the column. */
uint64_t cursor_long_number(struct column_cursor *c);

static inline uint64_t cursor_number(struct column_cursor *c)
{
    if (__builtin_expect(c->at != c->end && *c->at < VARINT_MORE, 1))
        return *c->at++;
    return cursor_long_number(c);
}

static inline uint64_t cursor_difference(struct column_cursor *c) { return zigzag_difference(cursor_number(c)); }

#endif
