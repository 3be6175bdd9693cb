/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many steps of the LFSR at once. A step multiplies by a power of x modulo the register's polynomial, the highest bit being the coefficient
 * of 1 and the lowest that of x^15; so n steps multiply by a power that n squarings and products give in the order of log n. */
#include "emu/cop_state.h"

static uint16_t multiply(uint16_t a, uint16_t b)
{
    uint16_t product = 0;
    for (; b != 0; b = (uint16_t)(b << 1)) {
        product ^= (b & 0x8000) != 0 ? a : 0;
        a = (uint16_t)(a >> 1 ^ ((a & 1) != 0 ? 0xb400 : 0));
    }
    return product;
}

uint16_t lfsr_after(uint16_t r, uint64_t words)
{
    enum { AT_ONCE = 16, PERIOD = 0xffff };
    uint16_t power = 0x8000;
    words %= PERIOD;
    for (unsigned i = 0; i < words % AT_ONCE; i++)
        r = lfsr_step(r);
    words /= AT_ONCE;
    for (unsigned i = 0; words != 0 && i < AT_ONCE; i++)
        power = lfsr_step(power);
    for (; words != 0; words >>= 1) {
        r = words & 1 ? multiply(r, power) : r;
        power = multiply(power, power);
    }
    return r;
}
