/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A loop of one load that hits the L1 cache and 400 nops.
 *
 *     nops [ROUNDS]      default 20000
 *
 * Stands for the experiment of the ProfileMe paper's Figure 2: where does an event counter's interrupt say that the load was? The nops
 * have addresses enough for any skid, and no stall of their own.
 * The load reads 3 each time: the sum must be 3 ROUNDS. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t datum = 3;

static __attribute__((noinline)) uint64_t load_and_nops(uint64_t rounds)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < rounds; i++) {
        uint64_t read;
        __asm__ volatile("ld %0, 0(%1)\n\t"
                         ".rept 400\n\t"
                         "nop\n\t"
                         ".endr"
                         : "=r"(read)
                         : "r"(&datum)
                         : "memory");
        sum += read;
    }
    return sum;
}

int main(int argc, char **argv)
{
    uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000, sum = load_and_nops(rounds);
    printf("nops: %llu rounds, sum %llu: %s\n", (unsigned long long)rounds, (unsigned long long)sum, sum == 3 * rounds ? "ok" : "WRONG");
    return sum == 3 * rounds ? 0 : 1;
}
