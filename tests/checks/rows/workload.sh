# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a workload'
steps='file table size'
targets='build/workloads/rows_guest'
file()
{
    create tests/eval/workloads/rows_guest.c << 'C'
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads, stores and branches that no predictor knows, and fences: what the rows of tests/checks/rows are tried on. */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    static volatile uint32_t cell[64];
    uint32_t x = 1, taken = 0, sum = 0;
    for (uint32_t i = 0; i < 4000; i++) {
        x = x * 1664525 + 1013904223;
        cell[x >> 26] += i;
        if (x >> 20 & 1)
            taken++;
        if (i % 500 == 0)
            __asm__ volatile("fence.i" ::: "memory");
    }
    for (uint32_t i = 0; i < 64; i++)
        sum += cell[i];
    printf("rows_guest: %s\n", sum == 4000u * 3999 / 2 && taken > 1000 ? "ok" : "WRONG");
    return sum != 4000u * 3999 / 2;
}
C
}
unnoticed_file='there is no workload without it'
table() { replace tests/eval/workloads/table.sh 'stores invariant phases sites spmv triad transpose roots interval search$' \
    phases 'phases rows_guest'; }
no_table()
{
    named 'tests/eval/workloads/table.sh: rows_guest'
    tables
}
size() { behind tests/checks/check_workloads.sh '^pixels 256$' << 'E'
rows_guest 1
E
}
no_size()
{
    named 'no size for rows_guest'
    tests/checks/check_workloads.sh "$full/build"
}
works()
{
    pcemu --core functional --no-program "$(guest)" > out
    says 'rows_guest: ok' out
}
