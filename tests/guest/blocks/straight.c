/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest without a C library, whose instructions do not depend on the emulator: loops, calls, calls by pointer, atomic
 * accesses, floating point with a static rounding mode, system calls, and straight code longer than a block and than a
 * page. */
#include <stdint.h>

enum { SYS_WRITE = 64, SYS_EXIT = 93, SYS_GETPID = 172 };

static long call(long number, long a, long b, long c)
{
    register long a7 __asm__("a7") = number, a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
    return a0;
}

static __attribute__((noinline)) uint64_t straight(uint64_t x)
{
    __asm__ volatile(".rept 70\n addi %0, %0, 3\n .endr\n"
                     ".rept 40\n amoadd.d x0, x0, (%1)\n addi %0, %0, 1\n .endr\n"
                     : "+r"(x)
                     : "r"(&(uint64_t){0})
                     : "memory");
    return x;
}

static __attribute__((noinline)) uint64_t page(uint64_t x)
{
    __asm__ volatile(".option push\n .option norvc\n .rept 1500\n xori %0, %0, 5\n .endr\n .option pop\n" : "+r"(x));
    return x;
}

static __attribute__((noinline)) uint64_t converted(uint64_t x)
{
    int64_t down, up;
    __asm__ volatile("fcvt.l.d %0, %2, rdn\n fcvt.l.d %1, %2, rup\n fsrmi x0, 0\n"
                     : "=&r"(down), "=&r"(up)
                     : "f"((double)x / 3));
    return (uint64_t)(down + up);
}

static __attribute__((noinline)) uint64_t fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/* Of memory that is read at an odd address, which translated code leaves to the interpreter. */
static __attribute__((noinline)) uint64_t odd(const unsigned char *text, uint64_t x)
{
    uint64_t value;
    __asm__ volatile("ld %0, 1(%1)" : "=r"(value) : "r"(text));
    return value ^ x;
}

void _start(void);
void _start(void)
{
    static uint64_t (*const function[])(uint64_t x) = {straight, page, converted};
    static unsigned char bytes[8192];
    volatile uint64_t sum = 0;
    for (unsigned round = 0; round < 60; round++) {
        sum += function[round % 3](round);
        sum ^= odd(bytes + 64 * round, round);
        if (round % 8 == 0)
            sum += (uint64_t)call(SYS_WRITE, 1, (long)".\n", 2) + fibonacci(round % 11);
    }
    call(SYS_EXIT, 0, 0, 0);
}
