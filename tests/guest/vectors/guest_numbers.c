/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computation by way of libc and libm: what run_riscv.sh compares on two machines. */
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

static void elementary(void)
{
    static const double at[] = {0.0, -0.0, 1e-310, 0.5, 1.0, 2.5, -3.75, 1e10, 1e300, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        double x = at[i];
        printf("%a %a %a %a %a %a\n", sin(x), exp(x), log(fabs(x)), cbrt(x), tgamma(x), atan2(x, 3));
        printf("%a %a %a %ld %lld\n", (double)sinf((float)x), (double)expf((float)x), pow(1.5, x), lrint(x),
               llround(x));
        printf("%.17g %e %.3f %Lg\n", x, x, x, (long double)x / 3);
    }
}

static void rounding(void)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        volatile double a = 1.0, b = 3.0, r = 0;
        volatile float f = 16777217.0f;
        fesetround(modes[i]);
        feclearexcept(FE_ALL_EXCEPT);
        r = a / b;
        printf("%d %a %a %ld %x\n", fegetround() == modes[i], r, (double)(f / 3), lrint(2.5 * a),
               (unsigned)fetestexcept(FE_ALL_EXCEPT));
    }
    fesetround(FE_TONEAREST);
}

static int sum(int n, ...)
{
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n-- > 0)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}

int main(int argc, char **argv)
{
    static double values[1000];
    uint64_t state = 1;
    jmp_buf back;
    printf("%d %d\n", argc, (int)strlen(argv[argc - 1]));
    elementary();
    rounding();
    for (int i = 0; i < 1000; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        values[i] = (double)(int64_t)state / 1e9;
    }
    qsort(values, 1000, sizeof values[0], descending);
    printf("%a %a %a\n", values[0], values[500], values[999]);
    printf("%d %" PRIu64 " %lld\n", sum(3, 1, 2, 3), (uint64_t)((__uint128_t)state * state >> 64),
           strtoll("-123456789012", NULL, 10));
    printf("%.20g %g %g\n", strtod("0.1", NULL), strtod("1e-320", NULL), strtod("nan", NULL));
    if (setjmp(back) == 0)
        longjmp(back, 1);
    time_t t = 86400 * 365;
    char text[64];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", gmtime(&t));
    puts(text);
    srand(42);
    printf("%d %d\n", rand(), rand());
    return EXIT_SUCCESS;
}
