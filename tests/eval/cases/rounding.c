/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixels rounded by a function that saves and restores the floating-point flags, as a maths library without side
 * effects does (TIP paper, section 6: ceil and floor of Imagick). Its time by state of commit says that the pipeline is
 * flushed behind these instructions. AFTER: without them, as no one reads the flags. */
#include <stdint.h>
#include <stdio.h>

enum { PIXELS = 200000, TAPS = 8 };

static double palette[TAPS], weight[TAPS];

static __attribute__((noinline)) double round_up(double x)
{
#ifndef AFTER
    uint64_t flags;
    __asm__ volatile("frflags %0" : "=r"(flags)::"memory");
#endif
    double r = (double)(int64_t)x;
    if (r < x)
        r += 1.0;
#ifndef AFTER
    __asm__ volatile("fsflags %0" ::"r"(flags) : "memory");
#endif
    return r;
}

int main(void)
{
    double sum = 0, colours = 0;
    for (unsigned k = 0; k < TAPS; k++) {
        palette[k] = k % 11;
        weight[k] = k % 5;
    }
    for (unsigned i = 0; i < PIXELS; i++) {
        sum += round_up((double)i * 0.125);
        for (unsigned k = 0; k < TAPS; k++)
            colours += weight[k] * palette[(i + k) % TAPS];
    }
    printf("rounding: %.0f %.0f\n", sum, colours);
    return 0;
}
