/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 16-bit linear feedback shift register with the polynomial x^16 + x^14 + x^13 + x^11 + 1, of maximal length. A step is
 * four shifts, so each step renews the low four bits. */
#ifndef EMU_LFSR_H
#define EMU_LFSR_H

#include <stdint.h>

/* One step. The table holds the feedback of the four bits shifted out. */
static inline uint16_t lfsr_step(uint16_t r)
{
    static const uint16_t feedback[16] = {0x0000, 0x1680, 0x2d00, 0x3b80, 0x5a00, 0x4c80, 0x7700, 0x6180,
                                          0xb400, 0xa280, 0x9900, 0x8f80, 0xee00, 0xf880, 0xc300, 0xd580};
    return (uint16_t)((r >> 4) ^ feedback[r & 0xf]);
}

/* The state after `steps` steps, in O(log steps). */
uint16_t lfsr_after(uint16_t r, uint64_t steps);

#endif
