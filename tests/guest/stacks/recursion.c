/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recursion, also mutual, calls through pointers, and calls back from the C library. */
#include "truth.h"

static int leaf(int x) { return x * 3 + 1; }
static int other(int x) { return x ^ 5; }
static int (*const choice[])(int) = {leaf, other};

static int odd(int n);
static int even(int n) { return n == 0 ? choice[n & 1](n) : odd(n - 1) + choice[1](n); }
static int odd(int n) { return n == 0 ? leaf(n) : even(n - 1) + choice[n & 1](n); }

static int tree(int depth) { return depth == 0 ? leaf(depth) : tree(depth - 1) + tree(depth - 1) + other(depth); }

static int compare(const void *a, const void *b)
{
    int x = leaf(*(const int *)a), y = leaf(*(const int *)b);
    return (x > y) - (x < y);
}

int main(void)
{
    int item[24], sum = even(9) + tree(4);
    for (int n = 0; n < 24; n++)
        item[n] = other(n * 37 % 24);
    qsort(item, 24, sizeof item[0], compare);
    return sum == item[0] + 1000000;
}
