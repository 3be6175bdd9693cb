/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advances the LFSR by n steps. A step multiplies by a power of x modulo the register's polynomial (highest bit:
 * coefficient of 1; lowest bit: coefficient of x^15), so n steps multiply by a power of x: for a small n by tables,
 * else by square-and-multiply, in O(log n). */
#include "emu/lfsr.h"

static uint16_t multiply(uint16_t a, uint16_t b)
{
    uint16_t product = 0;
    for (; b != 0; b = (uint16_t)(b << 1)) {
        product ^= (b & 0x8000) != 0 ? a : 0;
        a = (uint16_t)(a >> 1 ^ ((a & 1) != 0 ? 0xb400 : 0));
    }
    return product;
}

enum { AT_ONCE = 16, FEW = 16 * AT_ONCE, PERIOD = 0xffff };

/* AT_ONCE steps, which are linear in the register's bits: the table has them for each value of four bits. */
static inline uint16_t step_at_once(uint16_t r)
{
    static const uint16_t after[4][16] = {
        {0x0000, 0xa43b, 0x2077, 0x844c, 0x40ee, 0xe4d5, 0x6099, 0xc4a2, 0x81dc, 0x25e7, 0xa1ab, 0x0590, 0xc132, 0x6509,
         0xe145, 0x457e},
        {0x0000, 0x6bb9, 0xd772, 0xbccb, 0xc6e5, 0xad5c, 0x1197, 0x7a2e, 0xe5cb, 0x8e72, 0x32b9, 0x5900, 0x232e, 0x4897,
         0xf45c, 0x9fe5},
        {0x0000, 0xa397, 0x2f2f, 0x8cb8, 0x5e5e, 0xfdc9, 0x7171, 0xd2e6, 0xbcbc, 0x1f2b, 0x9393, 0x3004, 0xe2e2, 0x4175,
         0xcdcd, 0x6e5a},
        {0x0000, 0x1179, 0x22f2, 0x338b, 0x45e4, 0x549d, 0x6716, 0x766f, 0x8bc8, 0x9ab1, 0xa93a, 0xb843, 0xce2c, 0xdf55,
         0xecde, 0xfda7},
    };
    return after[0][r & 15] ^ after[1][r >> 4 & 15] ^ after[2][r >> 8 & 15] ^ after[3][r >> 12];
}

/* So many times AT_ONCE steps. */
static __attribute__((noinline)) uint16_t step_far(uint16_t r, unsigned times)
{
    uint16_t power = step_at_once(0x8000);
    for (; times != 0; times >>= 1) {
        r = times & 1 ? multiply(r, power) : r;
        power = multiply(power, power);
    }
    return r;
}

uint16_t lfsr_after(uint16_t r, uint64_t steps)
{
    unsigned left = (unsigned)(steps < PERIOD ? steps : steps % PERIOD);
    if (left > FEW) {
        r = step_far(r, left / AT_ONCE);
        left %= AT_ONCE;
    }
    for (; left >= AT_ONCE; left -= AT_ONCE)
        r = step_at_once(r);
    for (; left > 0; left--)
        r = lfsr_step(r);
    return r;
}
