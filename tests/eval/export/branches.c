/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program whose lines, functions and branches are executed different numbers of times, some never. */
#include <stdio.h>
#include <stdlib.h>
static inline int sq(int x) { return x * x; }
static int odd(int x)
{
    if (x % 2)
        return 1;
    return 0;
}
static __attribute__((noinline)) int never(int x) { return x + 1; }
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0, s = 0;
    for (int i = 0; i < n; i++) {
        if (odd(i))
            s += sq(i);
        else
            s -= i;
    }
    if (s < 0)
        s = never(s);
    printf("%d\n", s);
    return 0;
}
