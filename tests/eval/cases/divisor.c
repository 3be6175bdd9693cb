/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash table whose size is a variable: its value profile says that the size is always the same. AFTER: code for that
 * value, where the division is a mask. COUNTER: type of a bucket's count; of 16 bits the table fits into 8 KB. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef COUNTER
#define COUNTER uint32_t
#endif
enum { KEYS = 1 << 16, COMMON = 4096 };
static struct table {
    uint64_t buckets;
    COUNTER count[2 * COMMON];
} table;
static __attribute__((noinline)) void insert(struct table *t, uint64_t key)
{
    uint64_t n = t->buckets;
#ifdef AFTER
    uint64_t bucket = n == COMMON ? key % COMMON : key % n;
#else
    uint64_t bucket = key % n;
#endif
    t->count[bucket]++;
}

int main(int argc, char **argv)
{
    uint64_t key = 1, sum = 0;
    table.buckets = argc > 1 ? strtoull(argv[1], NULL, 0) : COMMON;
    if (table.buckets == 0 || table.buckets > 2 * COMMON)
        return 2;
    for (unsigned i = 0; i < KEYS; i++) {
        insert(&table, key >> 20);
        key = key * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    }
    for (uint64_t i = 0; i < table.buckets; i++)
        sum += i * table.count[i];
    printf("divisor: %llu\n", (unsigned long long)sum);
    return 0;
}
