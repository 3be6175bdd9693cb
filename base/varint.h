/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LEB128 varints: seven bits to a byte, the lowest first, with the top bit set in all bytes but the last. Signed
 * numbers are zigzag-encoded first, so that those near 0 are short. */
#ifndef BASE_VARINT_H
#define BASE_VARINT_H

#include <stdint.h>

/* The most bytes of a varint; a bit of a byte: others follow. */
enum { VARINT_MOST = 10, VARINT_MORE = 0x80 };

/* Writes the number to a buffer with VARINT_MOST bytes. Returns the number of bytes written. */
static inline unsigned varint_put(uint8_t *to, uint64_t n)
{
    unsigned bytes = 0;
    for (; n >= VARINT_MORE; n >>= 7)
        to[bytes++] = (uint8_t)(n | VARINT_MORE);
    to[bytes++] = (uint8_t)n;
    return bytes;
}

/* A difference of two numbers modulo 2^64 as a number that is small if the difference is near 0, and back. */
static inline uint64_t zigzag(uint64_t difference) { return difference << 1 ^ (uint64_t)((int64_t)difference >> 63); }

static inline uint64_t zigzag_difference(uint64_t n) { return n >> 1 ^ -(n & 1); }

#endif
