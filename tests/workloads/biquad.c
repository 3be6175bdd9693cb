/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A digital filter of second order, whose state is in a structure, as audio code has it.
 *
 *     biquad [PASSES [local]]      default 600
 *
 * The output could overlap the state, for all the compiler knows: so both are stored and loaded again for each number,
 * and the chain of dependent operations goes through memory, where the store queue forwards. With `local` the state is in
 * local variables while the loop runs, and the chain goes through registers.
 * Input and coefficients are small integers, so that all numbers are exact, and integers compute the same. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 1024 };

struct filter {
    double a1, a2, y1, y2; /* coefficients, and the last two numbers of the output */
};

static __attribute__((noipa)) void run(struct filter *f, double *to, const double *from, unsigned length)
{
    for (unsigned i = 0; i < length; i++) {
        to[i] = from[i] + f->a1 * f->y1 + f->a2 * f->y2;
        f->y2 = f->y1;
        f->y1 = to[i];
    }
}

static __attribute__((noipa)) void run_local(struct filter *f, double *to, const double *from, unsigned length)
{
    double a1 = f->a1, a2 = f->a2, y1 = f->y1, y2 = f->y2;
    for (unsigned i = 0; i < length; i++) {
        double y = from[i] + a1 * y1 + a2 * y2;
        to[i] = y;
        y2 = y1;
        y1 = y;
    }
    f->y1 = y1;
    f->y2 = y2;
}

int main(int argc, char **argv)
{
    unsigned long passes = argc > 1 ? strtoul(argv[1], NULL, 10) : 600;
    int local = argc > 2 && strcmp(argv[2], "local") == 0, ok = 1;
    static double from[LENGTH], to[LENGTH];
    int64_t y1 = 0, y2 = 0;
    for (unsigned i = 0; i < LENGTH; i++)
        from[i] = i * i % 17;
    for (unsigned long p = 0; p < passes; p++) {
        struct filter f = {.a1 = 1, .a2 = -1};
        (local ? run_local : run)(&f, to, from, LENGTH);
    }
    for (unsigned i = 0; i < LENGTH; i++) {
        int64_t y = (int64_t)from[i] + y1 - y2;
        ok &= passes == 0 || to[i] == (double)y;
        y2 = y1;
        y1 = y;
    }
    printf("biquad: %lu passes, %" PRId64 ": %s\n", passes, y1, ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
