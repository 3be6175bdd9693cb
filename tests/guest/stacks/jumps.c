/* SPDX-License-Identifier: GPL-3.0-or-later */
/* longjmp over several frames, to several places. */
#include <setjmp.h>

#include "truth.h"

static jmp_buf outer, inner;

static int leaf(int x) { return x + 1; }

static int leave(int from)
{
    if (from >= 0)
        longjmp(from & 1 ? outer : inner, from + 1);
    return leaf(from);
}

static int descend(int depth, int from) { return depth == 0 ? leave(from) : descend(depth - 1, from) + leaf(depth); }

static int try_inner(int n)
{
    struct context *here = truth_at;
    int got = setjmp(inner);
    truth_at = here;
    return got != 0 ? leaf(got) : descend(n % 7 + 1, n);
}

static int try_outer(int n)
{
    struct context *here = truth_at;
    int got = setjmp(outer);
    truth_at = here;
    return got != 0 ? leaf(got) + leaf(1) : try_inner(n);
}

int main(void)
{
    int sum = 0;
    for (int n = 0; n < 20; n++)
        sum += try_outer(n) + leaf(n);
    return sum == 0;
}
