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

/* The bits of PC filter 2 in the paper, and those of the widest configuration (isa/cop_config.def). */
enum { PCHASH_COUNT = 4, FILTER2_BITS = 4096, FILTER2_BITS_MAX = 65536 };

/* Filter 1: 16 bits. Filter 2: an index into its table of `bits` bits, a power of two. The functions are in pchash.def.
 */
static inline uint32_t pchash_rotate(uint32_t x, unsigned n) { return (x << n) | (x >> (32 - n)); }

static inline uint32_t pchash_filter1(unsigned function, uint32_t pc)
{
    switch (function & 3) {
#define PCHASH(number, first, second, text) \
    case number:                            \
        return 0xffffu & (first);
#include "isa/pchash.def"
    }
    return 0;
}

static inline uint32_t pchash_filter2(unsigned function, uint32_t pc, uint32_t bits)
{
#define rotate pchash_rotate
    switch (function & 3) {
#define PCHASH(number, first, second, text) \
    case number:                            \
        return (bits - 1) & (second);
#include "isa/pchash.def"
    }
#undef rotate
    return 0;
}

#endif
