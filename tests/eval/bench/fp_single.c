/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floating point: a filter bank in single precision, with conversions, comparisons and clamping. */
#include <stdint.h>
#include <stdio.h>

#ifndef LENGTH
#define LENGTH 1 /* of the run */
#endif

enum { SAMPLES = 1 << 12, TAPS = 16, ROUNDS = 80 * LENGTH };

static float in[SAMPLES + TAPS], taps[TAPS];

int main(void)
{
    int64_t sum = 0;
    for (int i = 0; i < TAPS; i++)
        taps[i] = 1.0f / (float)(i + 2);
    for (int i = 0; i < SAMPLES + TAPS; i++)
        in[i] = (float)(i * 37 % 101 - 50) * 0.03f;
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < SAMPLES; i++) {
            float y = 0;
            for (int t = 0; t < TAPS; t++)
                y += in[i + t] * taps[t];
            if (y > 1.0f)
                y = 1.0f;
            if (y < -1.0f)
                y = -1.0f;
            sum += (int32_t)(y * 32767.0f);
            in[i] = y * 0.5f + in[i] * 0.5f;
        }
    printf("%lld\n", (long long)sum);
    return 0;
}
