/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Floating point: products of square matrices of doubles, with fused multiply-adds. */
#include <stdio.h>

#ifndef LENGTH
#define LENGTH 1 /* of the run */
#endif

enum { SIZE = 160, ROUNDS = 8 * LENGTH };

static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

int main(void)
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = 1.0 / (i + j + 1);
            b[i][j] = (i * 7 + j * 3) % 11 * 0.25 - 1;
        }
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++) {
                double sum = 0;
                for (int k = 0; k < SIZE; k++)
                    sum += a[i][k] * b[k][j];
                c[i][j] = sum;
            }
        for (int i = 0; i < SIZE; i++)
            a[i][i] += c[i][SIZE - 1 - i] * 1e-3;
    }
    printf("%.17g\n", c[SIZE / 2][SIZE / 3]);
    return 0;
}
