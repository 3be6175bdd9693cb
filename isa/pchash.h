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

/* Filter 1: 16 bits. Filter 2: an index into the table of 4096 bits. The functions are in pchash.def. */
static inline uint32_t pchash_rotate(uint32_t x, unsigned n) { return (x << n) | (x >> (32 - n)); }

static inline uint32_t pchash_filter1(unsigned function, uint32_t pc)
{
    switch (function & 3) {
#define PCHASH(number, first, second, text) \
    case number:                            \
        return (first)&0xffff;
#include "isa/pchash.def"
#undef PCHASH
    }
    return 0;
}

static inline uint32_t pchash_filter2(unsigned function, uint32_t pc)
{
#define rotate pchash_rotate
    switch (function & 3) {
#define PCHASH(number, first, second, text) \
    case number:                            \
        return (second) & (FILTER2_BITS - 1);
#include "isa/pchash.def"
#undef PCHASH
    }
#undef rotate
    return 0;
}

#endif
