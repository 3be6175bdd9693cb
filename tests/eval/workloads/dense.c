/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dense matrix multiplication, 4 x 4 register blocks, fused multiply-add.
 *
 *     dense [N]      default 160, rounded up to a multiple of 4; at most 256
 *
 * Stands for the compute class of the TIP paper: several instructions commit in most cycles, so a profiler that blames one of them
 * is wrong about the others.
 * The matrices hold small integers: all sums are exact. C r must equal A (B r) for a vector r of integers (Freivalds' check). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX = 256, BLOCK = 4 };

static double a[MAX][MAX], b[MAX][MAX], c[MAX][MAX];

static void fill(unsigned n)
{
    uint32_t random = 2463534242u;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            random = random * 1664525 + 1013904223;
            a[i][j] = (double)(random >> 24) - 128;
            b[i][j] = (double)(random >> 16 & 0xff) - 128;
        }
}

/* c[i..i+3][j..j+3], all 16 sums in registers. */
static __attribute__((noinline)) void multiply_block(unsigned n, unsigned i, unsigned j)
{
    double s00 = 0, s01 = 0, s02 = 0, s03 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0;
    double s20 = 0, s21 = 0, s22 = 0, s23 = 0, s30 = 0, s31 = 0, s32 = 0, s33 = 0;
    for (unsigned k = 0; k < n; k++) {
        double b0 = b[k][j], b1 = b[k][j + 1], b2 = b[k][j + 2], b3 = b[k][j + 3], x;
#define ROW(r, p, q, s, t) \
    x = a[i + r][k]; \
    p = __builtin_fma(x, b0, p); \
    q = __builtin_fma(x, b1, q); \
    s = __builtin_fma(x, b2, s); \
    t = __builtin_fma(x, b3, t);
        ROW(0, s00, s01, s02, s03)
        ROW(1, s10, s11, s12, s13)
        ROW(2, s20, s21, s22, s23)
        ROW(3, s30, s31, s32, s33)
#undef ROW
    }
    c[i][j] = s00, c[i][j + 1] = s01, c[i][j + 2] = s02, c[i][j + 3] = s03;
    c[i + 1][j] = s10, c[i + 1][j + 1] = s11, c[i + 1][j + 2] = s12, c[i + 1][j + 3] = s13;
    c[i + 2][j] = s20, c[i + 2][j + 1] = s21, c[i + 2][j + 2] = s22, c[i + 2][j + 3] = s23;
    c[i + 3][j] = s30, c[i + 3][j + 1] = s31, c[i + 3][j + 2] = s32, c[i + 3][j + 3] = s33;
}

static void times_vector(unsigned n, double (*m)[MAX], const double *v, double *result)
{
    for (unsigned i = 0; i < n; i++) {
        result[i] = 0;
        for (unsigned j = 0; j < n; j++)
            result[i] += m[i][j] * v[j];
    }
}

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 160, wrong = 0;
    static double r[MAX], br[MAX], abr[MAX], cr[MAX];
    n = n < BLOCK ? BLOCK : n > MAX ? MAX : (n + BLOCK - 1) / BLOCK * BLOCK;
    fill(n);
    for (unsigned j = 0; j < n; j += BLOCK)
        for (unsigned i = 0; i < n; i += BLOCK)
            multiply_block(n, i, j);
    for (unsigned i = 0; i < n; i++)
        r[i] = (double)(i * 37 % 101) - 50;
    times_vector(n, b, r, br);
    times_vector(n, a, br, abr);
    times_vector(n, c, r, cr);
    for (unsigned i = 0; i < n; i++)
        wrong += abr[i] != cr[i];
    printf("dense: n %u, corner %.0f, %u rows wrong: %s\n", n, c[n - 1][n - 1], wrong, wrong == 0 ? "ok" : "WRONG");
    return wrong == 0 ? 0 : 1;
}
