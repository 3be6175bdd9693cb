/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integer: quicksort of random words, with data-dependent branches and recursion. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef LENGTH
#define LENGTH 1 /* of the run */
#endif

enum { COUNT = 1 << 18, ROUNDS = 8 * LENGTH };

static void sort(uint32_t *a, long n)
{
    while (n > 12) {
        uint32_t pivot = a[n / 2];
        long i = 0, j = n - 1;
        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i <= j) {
                uint32_t t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        sort(a, j + 1);
        a += i, n -= i;
    }
    for (long i = 1; i < n; i++) {
        uint32_t x = a[i];
        long j = i;
        for (; j > 0 && a[j - 1] > x; j--)
            a[j] = a[j - 1];
        a[j] = x;
    }
}

int main(void)
{
    uint32_t *a = malloc(COUNT * sizeof *a), x = 1, sum = 0;
    if (a == NULL)
        return 1;
    for (int r = 0; r < ROUNDS; r++) {
        for (long i = 0; i < COUNT; i++)
            a[i] = x = x * 1664525 + 1013904223;
        sort(a, COUNT);
        sum = sum * 31 + a[COUNT / 3];
    }
    printf("%08x\n", sum);
    free(a);
    return 0;
}
