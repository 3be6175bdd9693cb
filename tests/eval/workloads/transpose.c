/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transposition of a matrix of 1024 by 1024 words of 64 bits, by columns.
 *
 *     transpose [TIMES]      default 2
 *
 * Stands for strided code: each load is in another page and in another line than the one before, so data TLB and caches
 * miss together, and lines conflict. The element in row r and column c is r 1024 + c at first. After an even number of
 * transpositions it is so again; after an odd one it is c 1024 + r. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 1024 };

static uint64_t matrix[2][SIZE][SIZE];

static __attribute__((noinline)) void transpose(uint64_t (*restrict to)[SIZE], uint64_t (*restrict from)[SIZE])
{
    for (int r = 0; r < SIZE; r++)
        for (int c = 0; c < SIZE; c++)
            to[r][c] = from[c][r];
}

int main(int argc, char **argv)
{
    unsigned times = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 2, wrong = 0;
    for (int r = 0; r < SIZE; r++)
        for (int c = 0; c < SIZE; c++)
            matrix[0][r][c] = (uint64_t)r * SIZE + (uint64_t)c;
    for (unsigned t = 0; t < times; t++)
        transpose(matrix[(t + 1) % 2], matrix[t % 2]);
    for (uint64_t r = 0; r < SIZE; r++)
        for (uint64_t c = 0; c < SIZE; c++)
            wrong += matrix[times % 2][r][c] != (times % 2 == 0 ? r * SIZE + c : c * SIZE + r);
    printf("transpose: %u times, %u elements wrong: %s\n", times, wrong, wrong == 0 ? "ok" : "WRONG");
    return wrong == 0 ? 0 : 1;
}
