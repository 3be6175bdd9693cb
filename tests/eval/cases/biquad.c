/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A digital filter of second order, whose state is in a structure, as audio code has it. The output could
 * overlap the state, for all the compiler knows: so both are stored and loaded again for each number, and the
 * recurrence goes through memory. AFTER: the state is in local variables while the loop runs. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

enum { LENGTH = 1024, PASSES = 60 };

struct filter {
    double a1, a2, y1, y2; /* coefficients, and the last two numbers of the output */
};

static __attribute__((noipa)) void run(struct filter *f, double *to, const double *from, unsigned length)
{
#ifdef AFTER
    double a1 = f->a1, a2 = f->a2, y1 = f->y1, y2 = f->y2;
    for (unsigned i = 0; i < length; i++) {
        double y = from[i] + a1 * y1 + a2 * y2;
        to[i] = y;
        y2 = y1;
        y1 = y;
    }
    f->y1 = y1;
    f->y2 = y2;
#else
    for (unsigned i = 0; i < length; i++) {
        to[i] = from[i] + f->a1 * f->y1 + f->a2 * f->y2;
        f->y2 = f->y1;
        f->y1 = to[i];
    }
#endif
}

int main(void)
{
    static double from[LENGTH], to[LENGTH];
    int64_t sum = 0;
    for (unsigned i = 0; i < LENGTH; i++)
        from[i] = i * i % 17;
    for (unsigned p = 0; p < PASSES; p++) {
        struct filter f = {.a1 = 1, .a2 = -1};
        run(&f, to, from, LENGTH);
        sum += (int64_t)to[LENGTH - 1] + (int64_t)to[p];
    }
    printf("biquad: %" PRId64 "\n", sum);
    return 0;
}
