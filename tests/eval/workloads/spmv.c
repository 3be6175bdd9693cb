/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse matrix by vector: 8 elements a row, at pseudo-random columns of a vector of 8 MB.
 *
 *     spmv [SWEEPS]      default 1
 *
 * Stands for the stall-intensive programs of the TIP paper's Figure 7 (fotonik, roms): independent load misses to
 * memory, whose latency commit exposes although several are in flight. The vector's element i is i modulo 1024; a row's
 * columns are those of a linear congruential generator, so the sum of a row is computed again without the vector. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 1 << 20, ROWS = 1 << 16, ELEMENTS = 8 };

static double vector[COLUMNS], result[ROWS];
static uint32_t column[ROWS][ELEMENTS];
static double weight[ROWS][ELEMENTS];

static uint32_t next_column(uint32_t x) { return x * UINT32_C(1664525) + UINT32_C(1013904223); }

static __attribute__((noinline)) void multiply(void)
{
    for (int r = 0; r < ROWS; r++) {
        double sum = 0;
        for (int e = 0; e < ELEMENTS; e++)
            sum += weight[r][e] * vector[column[r][e]];
        result[r] += sum;
    }
}

int main(int argc, char **argv)
{
    unsigned sweeps = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1, wrong = 0;
    uint32_t x = 1;
    for (int i = 0; i < COLUMNS; i++)
        vector[i] = i & 1023;
    for (int r = 0; r < ROWS; r++)
        for (int e = 0; e < ELEMENTS; e++) {
            x = next_column(x);
            column[r][e] = x >> 12;
            weight[r][e] = e + 1;
        }
    for (unsigned s = 0; s < sweeps; s++)
        multiply();
    x = 1;
    for (int r = 0; r < ROWS; r++) {
        double sum = 0;
        for (int e = 0; e < ELEMENTS; e++) {
            x = next_column(x);
            sum += (e + 1) * (double)(x >> 12 & 1023);
        }
        wrong += result[r] != sweeps * sum;
    }
    printf("spmv: %u sweeps, %u rows wrong: %s\n", sweeps, wrong, wrong == 0 ? "ok" : "WRONG");
    return wrong == 0 ? 0 : 1;
}
