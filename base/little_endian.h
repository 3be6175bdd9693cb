/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Little-endian numbers of 1 to 8 bytes, as files have them. */
#ifndef BASE_LITTLE_ENDIAN_H
#define BASE_LITTLE_ENDIAN_H

#include <stdint.h>

static inline void little_endian_put(uint8_t *to, uint64_t n, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(n >> 8 * i);
}

static inline uint64_t little_endian_get(const uint8_t *from, unsigned bytes)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < bytes; i++)
        n |= (uint64_t)from[i] << 8 * i;
    return n;
}

#endif
