/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sparse matrix times vector: the loads of the vector are at random places of 8 MB.
 *
 *     spmv [PRODUCTS]      default 4
 *
 * Stands for the stall class of the TIP paper with independent misses: the addresses are in an array, so that these
 * overlap.
 * 32,768 rows of 8 entries; entry k of a row is in a random column, of value k + 1. The vector's element c is c.
 * The sum of the products of all rows is then the sum of (k + 1) * column over all entries, which is added up as they
 * are made. All numbers are integers below 2^53. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1 << 15, PER_ROW = 8, COLUMNS = 1 << 20 };

static uint32_t column[ROWS * PER_ROW];
static double value[ROWS * PER_ROW], vector[COLUMNS], product[ROWS];

static double make(void)
{
    uint64_t state = 88172645463325252u;
    double sum = 0;
    for (uint32_t c = 0; c < COLUMNS; c++)
        vector[c] = c;
    for (uint32_t n = 0; n < ROWS * PER_ROW; n++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        column[n] = (uint32_t)(state >> 44) % COLUMNS;
        value[n] = n % PER_ROW + 1;
        sum += value[n] * column[n];
    }
    return sum;
}

static __attribute__((noinline)) void multiply(void)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        double sum = 0;
        for (uint32_t n = i * PER_ROW; n < (i + 1) * PER_ROW; n++)
            sum += value[n] * vector[column[n]];
        product[i] = sum;
    }
}

int main(int argc, char **argv)
{
    uint64_t products = argc > 1 ? strtoull(argv[1], NULL, 10) : 4;
    double expected = make(), sum = 0;
    for (uint64_t p = 0; p < products; p++) {
        multiply();
        for (uint32_t i = 0; i < ROWS; i++)
            sum += product[i];
    }
    int ok = sum == expected * (double)products;
    printf("spmv: %llu products, sum %.0f: %s\n", (unsigned long long)products, sum, ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
