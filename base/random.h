/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pseudo-random numbers; a seed yields the same sequence on every machine. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
    uint64_t state; /* initialised with any seed */
};

#define RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static inline uint64_t random_bits(struct random *r)
{
    uint64_t z = r->state += RANDOM_STEP;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Skips `count` calls of random_bits. */
static inline void random_skip(struct random *r, uint64_t count) { r->state += count * RANDOM_STEP; }

/* n is not 0. */
/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
static inline unsigned random_below(struct random *r, unsigned n) { return (unsigned)(random_bits(r) >> 32) % n; }
static inline bool random_chance(struct random *r, unsigned percent) { return random_below(r, 100) < percent; }

static inline void random_fill(struct random *r, void *to, uint64_t size_bytes)
{
    for (uint64_t i = 0; i < size_bytes; i++)
        ((uint8_t *)to)[i] = (uint8_t)random_bits(r);
}

/* A random number that is often a corner case: 0, all ones, a power of two or its neighbour, or small. */
static inline uint64_t random_number(struct random *r)
{
    uint64_t power = UINT64_C(1) << random_below(r, 64);
    switch (random_below(r, 8)) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX;
    case 2:
        return power;
    case 3:
        return power - 1;
    case 4:
    case 5:
        return random_below(r, 16);
    case 6:
        return ~power;
    default:
        return random_bits(r);
    }
}

#endif
