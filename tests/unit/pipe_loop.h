/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops whose cost per round is measured: a program of twice as many rounds costs as much more as its rounds do, for
 * start and end cancel out. */
#ifndef TESTS_UNIT_PIPE_LOOP_H
#define TESTS_UNIT_PIPE_LOOP_H

#include "tests/unit/pipe_guest.h"

enum { BODY = 64, LOOPS = 100 };

/* A loop of `loops` rounds around what `body` emits, with an addi and a branch; S2 points to data, S3 is 1, T0 counts.
 */
static inline const struct program *looped(uint32_t loops, void (*body)(struct program *p))
{
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, S3, ZERO, 1);
    sd(p, S2, S2, 0); /* a pointer to itself */
    addi(p, T0, ZERO, (int)loops);
    uint32_t top = p->count;
    body(p);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, ZERO);
    return p;
}

static inline uint64_t cycles_of(const struct program *p, const struct core_config *cfg)
{
    struct run *r = run_program(p, cfg);
    uint64_t cycles = core_cycle(r->core);
    run_free(r);
    return cycles;
}

/* The cycles that LOOPS more rounds take. */
static inline uint64_t slope(void (*body)(struct program *p), const struct core_config *cfg)
{
    uint64_t once = cycles_of(looped(LOOPS, body), cfg);
    return cycles_of(looped(2 * LOOPS, body), cfg) - once;
}

static inline void body_chain(struct program *p)
{
    for (int i = 0; i < BODY; i++)
        add(p, T1, T1, S3);
}

/* With the loop's two, BODY instructions. T1 and T2 in turn: neither reads a result. */
static inline void body_independent(struct program *p)
{
    for (int i = 0; i < BODY - 2; i++)
        addi(p, T1 + i % 2, ZERO, i);
}

#endif
