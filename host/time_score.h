/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well one profile of time agrees with another, at three levels of symbols.
 *
 * The error is the share of the time that the profile gives to the wrong symbols: 1 - sum over symbols of min(P, O),
 * where P and O are the shares of the profile and of the reference (TIP paper, section 4). Profiles are compared as a
 * whole, so that an error has a part from the policy and a part from chance, which shrinks with the period. */
#ifndef HOST_TIME_SCORE_H
#define HOST_TIME_SCORE_H

#include "host/symbols.h"
#include "isa/contract/timeprof.h"

enum time_level { LEVEL_INSTRUCTION, LEVEL_BLOCK, LEVEL_FUNCTION, TIME_LEVEL_COUNT };

/* Where blocks begin: behind a jump, at the target of a direct one, at a function, and where instructions do not
 * adjoin. Code that only an indirect jump enters, and that is also run into from above, is not seen as a block of its
 * own. */
struct time_blocks {
    uint64_t *start; /* rising */
    size_t count;
};

/* From the instructions that `p`, an exact profile, has seen. */
void time_blocks_init(struct time_blocks *b, const struct time_profile *p, const struct code *code,
                      const struct symbols *symbols);
void time_blocks_fini(struct time_blocks *b);

/* The symbol of the level that an instruction is in: its own address, that of the block's or of the function's start;
 * 0: unknown. */
uint64_t time_key(uint64_t pc, enum time_level level, const struct time_blocks *b, const struct symbols *symbols);

struct time_sum {
    uint64_t key; /* address of the instruction, of the block's or of the function's start; 0: unknown */
    uint64_t time;
};

/* A profile's time by symbols of the level, by rising key; the caller's to free. */
struct time_sum *time_sums(const struct time_profile *p, enum time_level level, const struct time_blocks *b,
                           const struct symbols *symbols, size_t *count);

/* From 0 to 1. */
double time_error(const struct time_profile *p, const struct time_profile *reference, enum time_level level,
                  const struct time_blocks *b, const struct symbols *symbols);

#endif
