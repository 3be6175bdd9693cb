/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hash join: build a table of 8 MB from one relation, probe it with another twice as large.
 *
 *     hashjoin [LOG2_KEYS]      default 18, 4 to 20
 *
 * Stands for database work: independent misses that the core can overlap, and a branch on whether the key is there.
 * Relation R has the n keys 0 .. n-1, relation S has 0 .. 2n-1, both in scrambled order: half of the rows of S find a partner, and the
 * payloads found (7 key + 3) must sum to those of R. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct bucket {
    uint64_t key_plus_1, payload;
};

static struct bucket *table;
static unsigned table_bits;

static uint64_t slot_of(uint64_t key) { return key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - table_bits); }

/* Maps the numbers of so many bits one to one. */
static uint64_t scramble(uint64_t i, unsigned bits)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    i = i * 0x2545f491 & mask;
    i ^= i >> (bits / 2);
    return i * 0x9e375 & mask;
}

static __attribute__((noinline)) void build(unsigned bits)
{
    uint64_t mask = (UINT64_C(1) << table_bits) - 1;
    for (uint64_t i = 0; i < UINT64_C(1) << bits; i++) {
        uint64_t key = scramble(i, bits), at = slot_of(key);
        while (table[at].key_plus_1 != 0)
            at = (at + 1) & mask;
        table[at] = (struct bucket){key + 1, 7 * key + 3};
    }
}

static __attribute__((noinline)) uint64_t probe(unsigned bits, uint64_t *matches)
{
    uint64_t mask = (UINT64_C(1) << table_bits) - 1, sum = 0;
    for (uint64_t i = 0; i < UINT64_C(2) << bits; i++) {
        uint64_t key = scramble(i, bits + 1);
        for (uint64_t at = slot_of(key); table[at].key_plus_1 != 0; at = (at + 1) & mask)
            if (table[at].key_plus_1 == key + 1) {
                sum += table[at].payload;
                ++*matches;
                break;
            }
    }
    return sum;
}

int main(int argc, char **argv)
{
    unsigned bits = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 18;
    bits = bits < 4 ? 4 : bits > 20 ? 20 : bits;
    table_bits = bits + 1;
    table = calloc(UINT64_C(1) << table_bits, sizeof *table);
    if (table == NULL)
        return 1;
    build(bits);
    uint64_t matches = 0, sum = probe(bits, &matches), n = UINT64_C(1) << bits;
    int ok = matches == n && sum == 7 * (n * (n - 1) / 2) + 3 * n;
    printf("hashjoin: %llu matches, sum %llu: %s\n", (unsigned long long)matches, (unsigned long long)sum, ok ? "ok" : "WRONG");
    return ok ? 0 : 1;
}
