/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hash functions of the two PC filters (co-processor paper, Figure 3). The filters in the hardware use them, and
 * the driver, to compute the filter bit of an instruction. Their input is bits 32:1 of the address, the co-processor's
 * key: RISC-V instructions start at any even address, so only bit 0 carries no information.
 *
 * Several functions are selectable, so that a driver can avoid a collision of two instructions. They consist of XOR
 * gates and wiring, because a filter at the decode stage must be fast. */
#ifndef ISA_PCHASH_H
#define ISA_PCHASH_H

#include <stdint.h>

enum { PCHASH_COUNT = 4, FILTER2_BITS = 4096 };

static inline uint32_t pchash_rotate(uint32_t x, unsigned n) { return (x << n) | (x >> (32 - n)); }

/* Filter 1: 16 bits. 0: low bits; 1: XOR of both halves; 2: bits from 8 up, the same for neighbouring instructions; 3:
 * XOR of distant bits. */
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

/* Filter 2: index into the table of 4096 bits. */
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
