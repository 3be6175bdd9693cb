/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LEB128 varints: seven bits to a byte, the lowest first, with the top bit set in all bytes but the last. Signed
 * numbers are zigzag-encoded first, so that those near 0 are short. Real numbers are varints too: 2 N for a whole
 * number N below 2^52; 1 and the 8 bytes of a double for any other. What is read has been written by the same process;
 * bytes from a file are read with their end in view (core-model/record/column.h). */
#ifndef BASE_VARINT_H
#define BASE_VARINT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The most bytes of a varint, and of a real number; a bit of a byte: others follow. */
enum { VARINT_MOST = 10, VARINT_REAL_MOST = 1 + sizeof(double), VARINT_MORE = 0x80 };

/* Writes the number to a buffer with VARINT_MOST bytes. Returns the number of bytes written. */
static inline unsigned varint_put(uint8_t *to, uint64_t n)
{
    unsigned bytes = 0;
    for (; n >= VARINT_MORE; n >>= 7)
        to[bytes++] = (uint8_t)(n | VARINT_MORE);
    to[bytes++] = (uint8_t)n;
    return bytes;
}

/* Reads a number that varint_put has written, and advances *at. */
static inline uint64_t varint_take(const uint8_t **at)
{
    uint64_t n = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *(*at)++;
        n |= (uint64_t)(byte & (VARINT_MORE - 1)) << shift;
        if (byte < VARINT_MORE)
            return n;
    }
}

/* Writes the real number to a buffer with VARINT_REAL_MOST bytes. Returns the number of bytes written. */
static inline unsigned varint_put_real(uint8_t *to, double x)
{
    bool is_whole = x >= 0 && x < 0x1p52 && x == (double)(uint64_t)x && !__builtin_signbit(x);
    unsigned bytes = varint_put(to, is_whole ? (uint64_t)x << 1 : 1);
    if (is_whole)
        return bytes;
    memcpy(to + bytes, &x, sizeof x);
    return bytes + (unsigned)sizeof x;
}

/* Reads a number that varint_put_real has written, and advances *at. */
static inline double varint_take_real(const uint8_t **at)
{
    uint64_t n = varint_take(at);
    double x = (double)(n >> 1);
    if ((n & 1) != 0) {
        memcpy(&x, *at, sizeof x);
        *at += sizeof x;
    }
    return x;
}

/* A difference of two numbers modulo 2^64 as a number that is small if the difference is near 0, and back. */
static inline uint64_t zigzag(uint64_t difference) { return difference << 1 ^ (uint64_t)((int64_t)difference >> 63); }

static inline uint64_t zigzag_difference(uint64_t n) { return n >> 1 ^ -(n & 1); }

#endif
