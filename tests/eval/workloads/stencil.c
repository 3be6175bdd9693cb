/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Five-point stencil in double precision over two grids of 2 MB.
 *
 *     stencil [SWEEPS]      default 3
 *
 * Stands for the programs of the TIP paper that stream through grids (lbm, fotonik): load and FP stalls in one function, a loop whose
 * period may divide the sampling period.
 * On u = x*x + y*y the stencil adds exactly 1 a sweep, if the border does too; all numbers are integers below 2^53, so every cell must
 * be x*x + y*y + SWEEPS at the end, to the last bit. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 512 };

static double grid[2][SIZE][SIZE];

static double initial(int x, int y) { return (double)(x * x + y * y); }

static void set_border(double (*u)[SIZE], unsigned sweep)
{
    for (int i = 0; i < SIZE; i++) {
        u[0][i] = initial(i, 0) + sweep;
        u[SIZE - 1][i] = initial(i, SIZE - 1) + sweep;
        u[i][0] = initial(0, i) + sweep;
        u[i][SIZE - 1] = initial(SIZE - 1, i) + sweep;
    }
}

static __attribute__((noinline)) void sweep_grid(double (*restrict to)[SIZE], double (*restrict from)[SIZE])
{
    for (int y = 1; y < SIZE - 1; y++)
        for (int x = 1; x < SIZE - 1; x++)
            to[y][x] = 0.25 * (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1]);
}

int main(int argc, char **argv)
{
    unsigned sweeps = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 3, wrong = 0;
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            grid[0][y][x] = initial(x, y);
    for (unsigned s = 0; s < sweeps; s++) {
        set_border(grid[(s + 1) % 2], s + 1);
        sweep_grid(grid[(s + 1) % 2], grid[s % 2]);
    }
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++)
            wrong += grid[sweeps % 2][y][x] != initial(x, y) + sweeps;
    printf("stencil: %u sweeps, %u cells wrong: %s\n", sweeps, wrong, wrong == 0 ? "ok" : "WRONG");
    return wrong == 0 ? 0 : 1;
}
