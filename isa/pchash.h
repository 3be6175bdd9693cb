/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hash functions of the two PC filters (co-processor paper, Figure 3). Both sides need them: the filters in the
 * hardware, and the driver that sets a filter bit for an instruction. Each takes bits 32:1 of the address, the
 * co-processor's key, since RISC-V instructions start at any even address; drop no more than bit 0.
 *
 * Several functions are selectable, so that a driver can move to another where two instructions collide. They
 * use XOR and wiring alone, as a filter at decode must. */
#ifndef ISA_PCHASH_H
#define ISA_PCHASH_H

#include <stdint.h>

enum { PCHASH_COUNT = 4, FILTER2_BITS = 4096 };

static inline uint32_t pchash_rotate(uint32_t x, unsigned n) { return (x << n) | (x >> (32 - n)); }

/* Filter 1: 16 bits. 0: the low bits; 1: both halves folded; 2: bits above 8, to keep neighbours together; 3: a wide
 * fold. */
static inline uint32_t pchash_filter1(unsigned function, uint32_t pc32)
{
    switch (function & 3) {
    case 0:
        return pc32 & 0xffff;
    case 1:
        return (pc32 ^ (pc32 >> 16)) & 0xffff;
    case 2:
        return (pc32 >> 8) & 0xffff;
    default:
        return (pc32 ^ (pc32 >> 5) ^ (pc32 >> 11) ^ (pc32 >> 19)) & 0xffff;
    }
}

/* Filter 2: an index into the table of 4096 bits. */
static inline uint32_t pchash_filter2(unsigned function, uint32_t pc32)
{
    switch (function & 3) {
    case 0:
        return pc32 & (FILTER2_BITS - 1);
    case 1:
        return (pc32 ^ (pc32 >> 12) ^ (pc32 >> 24)) & (FILTER2_BITS - 1);
    case 2:
        return (pc32 ^ pchash_rotate(pc32, 7) ^ (pc32 >> 15)) & (FILTER2_BITS - 1);
    default:
        return ((pc32 >> 3) ^ pchash_rotate(pc32, 19) ^ (pc32 >> 9)) & (FILTER2_BITS - 1);
    }
}

#endif
