/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest for gdb: variables of several types, a call that is inlined, a loop over an array. */
#include <stdio.h>

struct pair {
    int key;
    double weight;
};

static long data[8];
static struct pair pairs[3] = {{1, 0.5}, {2, 1.5}, {3, 2.5}};
static char name[] = "mixed";
long total;

static inline __attribute__((always_inline)) long twice(long x)
{
    data[0] = x;
    return 2 * x;
}

static __attribute__((noinline)) long square(long x)
{
    long y = x * x;
    return y + twice(x) - data[0];
}

static void fill(long n)
{
    for (long i = 1; i < n; i++)
        data[i] = square(i);
}

int main(int argc, char **argv)
{
    (void)argv;
    fill(8);
    for (int i = 0; i < 8; i++)
        total += data[i];
    pairs[argc].weight *= 2;
    printf("%s %ld %.1f\n", name, total, pairs[1].weight);
    return 3;
}

long double wide = 1;
