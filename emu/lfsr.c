/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Advances the LFSR by n steps in O(log n). A step multiplies by a power of x modulo the register's polynomial (highest
 * bit: coefficient of 1; lowest bit: coefficient of x^15), so n steps multiply by a power of x, which
 * square-and-multiply computes. */
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

uint16_t lfsr_after(uint16_t r, uint64_t steps)
{
    enum { AT_ONCE = 16, PERIOD = 0xffff };
    uint16_t power = 0x8000;
    steps %= PERIOD;
    for (unsigned i = 0; i < steps % AT_ONCE; i++)
        r = lfsr_step(r);
    steps /= AT_ONCE;
    for (unsigned i = 0; steps != 0 && i < AT_ONCE; i++)
        power = lfsr_step(power);
    for (; steps != 0; steps >>= 1) {
        r = steps & 1 ? multiply(r, power) : r;
        power = multiply(power, power);
    }
    return r;
}
