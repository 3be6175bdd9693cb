/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops of many kinds of instructions at once, for tests that compare whole runs. T0 counts their rounds. */
#ifndef TESTS_UNIT_GUEST_MIX_H
#define TESTS_UNIT_GUEST_MIX_H

#include "tests/unit/guest_core.h"

enum { PAGE_FAULT_CYCLES = 300 };
/* Page faults are modelled, and a miss of a cache is one access: nothing is prefetched. */
static inline struct core_config faulting(int core)
{
    struct core_config cfg = plain_config(core);
    cfg.l1d_next_line = 0;
    cfg.page_fault_cycles = PAGE_FAULT_CYCLES;
    return cfg;
}

/* Events of instructions: misses, new pages, forwarding, loads that overtake a store whose address is late
 * (and are fetched again), mispredictions, atomics, counters, flushes, system calls. */
static inline const struct program *eventful_loop(int rounds)
{
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    lui(p, S4, 4096);
    addi(p, T0, ZERO, rounds);
    addi(p, T1, ZERO, 77);
    uint32_t top = p->count;
    mul(p, T1, T1, T1);
    addi(p, T1, T1, 13);
    sd(p, T1, S2, 64);
    ld(p, T2, S2, 64);
    div_(p, T3, T1, T0);
    andi(p, T3, T3, 0);
    add(p, T3, T3, S2);
    sd(p, T1, T3, 128);
    ld(p, T6, S2, 128);
    sd(p, T6, S2, 640);
    amoadd(p, T5, T1, S2);
    rdcycle(p, T5);
    emit(p, 0x0000100f); /* fence.i */
    fsflags(p, T0);
    andi(p, T2, T2, 16);
    branch(p, 1, T2, ZERO, p->count + 3);
    add(p, S2, S2, S4);
    ld(p, T4, S2, 256);
    andi(p, T6, T0, 31);
    branch(p, 1, T6, ZERO, p->count + 4);
    lui(p, S2, DATA_START);
    addi(p, A7, ZERO, 172); /* getpid */
    emit(p, 0x73);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, ZERO);
    return p;
}

/* T4 becomes a random number at each guess_step, of which guess_bit moves a bit to T3. S4 is the multiplier. */
static inline void guess_begin(struct program *p)
{
    addi(p, T4, ZERO, 1);
    lui(p, S4, 0x12345000);
    addi(p, S4, S4, 0x6ed);
}
static inline void guess_step(struct program *p)
{
    mul(p, T4, T4, S4);
    addi(p, T4, T4, 17);
}
static inline void guess_bit(struct program *p)
{
    srli(p, T3, T4, 40);
    andi(p, T3, T3, 1);
}

/* Loads, multiplications and a branch that is seldom predicted right, which depends on them: a random bit, with a load
 * on one of its sides. Each store has a line of its own, so that no write buffer holds it. */
static inline const struct program *guess_loop(int rounds)
{
    enum { LINE_BYTES = 64 };
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    lui(p, S3, DATA_START);
    addi(p, T0, ZERO, rounds);
    guess_begin(p);
    uint32_t round = p->count;
    addi(p, S3, S3, LINE_BYTES);
    sd(p, T4, S3, 0);
    guess_step(p);
    ld(p, T2, S2, 0);
    guess_bit(p);
    branch(p, 1, T3, ZERO, p->count + 2);
    ld(p, T3, S2, 8);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, round);
    exit_with(p, ZERO);
    return p;
}

/* A branch that depends on data: wrong paths, dependences, memory. BUSY_TOP is the loop's first word. */
enum { BUSY_TOP = 3 };
static inline const struct program *busy_loop(int rounds)
{
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, T0, ZERO, rounds);
    addi(p, T1, ZERO, 77);
    mul(p, T1, T1, T1);
    addi(p, T1, T1, 13);
    sd(p, T1, S2, 0);
    ld(p, T2, S2, 0);
    andi(p, T2, T2, 16);
    branch(p, 1, T2, ZERO, p->count + 2);
    addi(p, T3, T3, 1);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, BUSY_TOP);
    exit_with(p, ZERO);
    return p;
}

/* All kinds of what may be in flight: misses, divisions, mispredictions, atomics, counters, flushes, late stores,
 * system calls. */
static inline const struct program *loop_of_everything(int rounds)
{
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    lui(p, S4, 4096);
    addi(p, T0, ZERO, rounds);
    addi(p, T1, ZERO, 77);
    uint32_t top = p->count;
    mul(p, T1, T1, T1);
    addi(p, T1, T1, 13);
    sd(p, T1, S2, 4);
    div_(p, T3, T1, T0);
    sb(p, T3, S2, 7);
    ld(p, T2, S2, 0);
    amoadd(p, T5, T1, S2);
    add(p, T4, T4, T5);
    rdcycle(p, T5);
    emit(p, 0x0000100f); /* fence.i */
    fsflags(p, T0);
    andi(p, T2, T2, 16);
    branch(p, 1, T2, ZERO, p->count + 2);
    add(p, S2, S2, S4);
    andi(p, T6, T0, 63);
    branch(p, 1, T6, ZERO, p->count + 2);
    lui(p, S2, DATA_START);
    addi(p, A7, ZERO, 172); /* getpid */
    andi(p, T6, T0, 31);
    branch(p, 1, T6, ZERO, p->count + 2);
    emit(p, 0x73);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    andi(p, T4, T4, 127);
    exit_with(p, T4);
    return p;
}

#endif
