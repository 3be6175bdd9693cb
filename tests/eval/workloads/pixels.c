/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pixel loop that rounds by calling software ceil and floor, which save and restore the floating-point flags.
 *
 *     pixels [PIXELS [saving|plain]]      default 60000 saving, rounded up to a multiple of 256
 *
 * Stands for the case of the TIP paper's section 6 (Imagick): `saving` executes frflags and fsflags in each call, as a maths library
 * without side effects does; a core that does not rename the flags flushes its pipeline there. `plain` has nops in their place: the
 * speed-up between the two is what the paper's profile finds.
 * Pixel coordinates are eighths, so both sums have closed forms: of 8 pixels in a row, one lies on an integer and 7 between two. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAVE_FLAGS(saved) __asm__ volatile("frflags %0" : "=r"(saved)::"memory")
#define RESTORE_FLAGS(saved) __asm__ volatile("fsflags %0" ::"r"(saved) : "memory")
#define SAVE_NOTHING(saved) __asm__ volatile("nop\n\tli %0, 0" : "=r"(saved)::"memory")
#define RESTORE_NOTHING(saved) __asm__ volatile("nop" ::"r"(saved) : "memory")

/* Converts to integer and back, then steps to the side asked for. Exact for |x| < 2^62. */
#define ROUNDING(name, save, restore, beyond, step) \
    static __attribute__((noinline)) double name(double x) \
    { \
        uint64_t saved; \
        save(saved); \
        double r = (double)(int64_t)x; \
        if (r beyond x) \
            r step 1.0; \
        restore(saved); \
        return r; \
    }

ROUNDING(ceil_saving, SAVE_FLAGS, RESTORE_FLAGS, <, +=)
ROUNDING(floor_saving, SAVE_FLAGS, RESTORE_FLAGS, >, -=)
ROUNDING(ceil_plain, SAVE_NOTHING, RESTORE_NOTHING, <, +=)
ROUNDING(floor_plain, SAVE_NOTHING, RESTORE_NOTHING, >, -=)

enum { WINDOWS = 256, TAPS = 16, CHANNELS = 3 };

struct sums {
    double ceils, floors, colours;
};

static double palette[WINDOWS + TAPS * CHANNELS], weight[TAPS];

/* The weighted colours around a pixel: what the flushes keep from overlapping with the calls, and with the next pixel. */
static inline double window_colour(const double *p)
{
    double red = 0, green = 0, blue = 0;
    for (unsigned k = 0; k < TAPS; k++, p += CHANNELS) {
        red += weight[k] * p[0];
        green += weight[k] * p[1];
        blue += weight[k] * p[2];
    }
    return red - 2 * green + 3 * blue;
}

#define SHIFT_PIXELS(name, ceil_of, floor_of) \
    static __attribute__((noinline)) void name(unsigned pixels, struct sums *s) \
    { \
        for (unsigned i = 0; i < pixels; i++) { \
            double up = ceil_of((double)i * 0.125), down = floor_of((double)(pixels - 1 - i) * 0.125); \
            s->colours += window_colour(&palette[i % WINDOWS]); \
            s->ceils += up; \
            s->floors += down; \
        } \
    }

SHIFT_PIXELS(shift_saving, ceil_saving, floor_saving)
SHIFT_PIXELS(shift_plain, ceil_plain, floor_plain)

/* The sum of the colours, in integers: every window turns up equally often. */
static int64_t expected_colours(unsigned pixels)
{
    int64_t sum = 0;
    for (int i = 0; i < WINDOWS; i++)
        for (int k = 0; k < TAPS; k++)
            for (int channel = 0; channel < CHANNELS; channel++)
                sum += (channel == 0 ? 1 : channel == 1 ? -2 : 3) * (k + 1) * ((i + k * CHANNELS + channel) % 11);
    return sum * (pixels / WINDOWS);
}

int main(int argc, char **argv)
{
    unsigned pixels = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 60000;
    const char *variant = argc > 2 && strcmp(argv[2], "plain") == 0 ? "plain" : "saving";
    pixels = (pixels + WINDOWS - 1) / WINDOWS * WINDOWS;
    for (unsigned i = 0; i < WINDOWS + TAPS * CHANNELS; i++)
        palette[i] = i % 11;
    for (unsigned k = 0; k < TAPS; k++)
        weight[k] = k + 1;
    struct sums s = {0, 0, 0};
    (variant[0] == 'p' ? shift_plain : shift_saving)(pixels, &s);
    /* floor(i / 8) is n, 8 times for each n; ceil is one more but for the first of the eight */
    double n = pixels / 8, floors = 8 * n * (n - 1) / 2, ceils = floors + 7 * n;
    int ok = s.floors == floors && s.ceils == ceils && s.colours == (double)expected_colours(pixels);
    printf("pixels: %u %s, ceils %.0f, floors %.0f: %s\n", pixels, variant, s.ceils, s.floors, ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
