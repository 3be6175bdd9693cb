/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A column of a block of a recording: an append-only byte buffer, and a cursor that reads it. Numbers are LEB128
 * varints; signed numbers are zigzag-encoded first. */
#ifndef CORE_MODEL_RECORD_COLUMN_H
#define CORE_MODEL_RECORD_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum record_column {
#define COLUMN(sym, name, contents) RECORD_##sym,
#include "core-model/record/columns.def"
    RECORD_COLUMNS
};

/* Maximum length of a varint in bytes. */
enum { VARINT_MOST = 10 };

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
    for (; n >= 0x80; n >>= 7)
        c->byte[c->size++] = (uint8_t)(n | 0x80);
    c->byte[c->size++] = (uint8_t)n;
}

/* Appends a difference of two numbers modulo 2^64. */
static inline void column_put_difference(struct column *c, uint64_t difference)
{
    column_put_number(c, difference << 1 ^ (uint64_t)((int64_t)difference >> 63));
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
    if (__builtin_expect(c->at != c->end && *c->at < 0x80, 1))
        return *c->at++;
    return cursor_long_number(c);
}

static inline uint64_t cursor_difference(struct column_cursor *c)
{
    uint64_t n = cursor_number(c);
    return n >> 1 ^ -(n & 1);
}

#endif
