/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of a small program with idealised instructions, which a test chooses by their words. Fetch always hits here, so
 * nothing hides behind its misses. */
#ifndef TESTS_UNIT_IDEAL_GUEST_H
#define TESTS_UNIT_IDEAL_GUEST_H

#include "core-model/ideal.h"
#include "core-model/stats.h"
#include "tests/unit/pipe_guest.h"

enum { S6 = 22, S7 = 23, LINE_BYTES = 64, PAGE_BYTES = 4096, CHAIN = 12 };

static struct core_config cfg;
static struct program program;

/* The default configuration, of that core, and no program yet. */
static inline void begin_with(int core)
{
    cfg = config_of(core);
    program = (struct program){.count = 0};
}

/* The run with causes of up to two instructions, by their words. */
struct choice {
    uint32_t word, causes;
};
static inline struct run *run_with(struct choice first, struct choice second)
{
    struct ideal *ideal = ideal_new();
    ideal_add(ideal, 0, UINT64_MAX, IDEAL_ICACHE);
    ideal_add(ideal, CODE_START + 4 * first.word, CODE_START + 4 * first.word + 4, first.causes);
    ideal_add(ideal, CODE_START + 4 * second.word, CODE_START + 4 * second.word + 4, second.causes);
    struct run *r = run_ideal_program(&program, &cfg, ideal);
    ideal_free(ideal);
    return r;
}
static inline uint64_t cycles_with(struct choice first, struct choice second)
{
    struct run *r = run_with(first, second);
    const uint64_t cycles = core_cycle(r->core);
    run_free(r);
    return cycles;
}
static inline uint64_t cycles_without(void) { return cycles_with((struct choice){0}, (struct choice){0}); }

/* Cycles from issue to the result of the instruction at a word, in that run. */
static inline uint64_t latency_with(uint32_t word, struct choice choice)
{
    struct run *r = run_with(choice, (struct choice){0});
    const struct life *l = life_at(r, word, 0);
    const uint64_t cycles = l->at[PROBE_READY_TO_RETIRE] - l->at[PROBE_ISSUED];
    run_free(r);
    return cycles;
}

static inline void chain_from(int reg, unsigned length)
{
    for (unsigned n = 0; n < length; n++)
        addi(&program, reg, reg, 1);
}
static inline void end(void)
{
    addi(&program, A0, ZERO, 0);
    exit_with(&program, ZERO);
}

#endif
