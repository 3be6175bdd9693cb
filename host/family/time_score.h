/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error of a time profile relative to another one, at three symbol levels.
 *
 * The error is the share of time attributed to the wrong symbols: 1 - sum over symbols of min(P, O), where P and O
 * are the shares in the profile and in the reference (TIP paper, section 4). An error has a systematic part from the
 * sampling policy and a random part, which decreases with the sampling period. */
#ifndef HOST_FAMILY_TIME_SCORE_H
#define HOST_FAMILY_TIME_SCORE_H

#include "contract/timeprof.h"
#include "host/symbols/symbols.h"

enum time_level { LEVEL_INSTRUCTION, LEVEL_BLOCK, LEVEL_FUNCTION, TIME_LEVEL_COUNT };

/* Starts of basic blocks: after a jump, at the target of a direct jump, at a function's entry, and where instructions
 * are not contiguous. Code entered only by an indirect jump and by fall-through is not recognised as a separate
 * block. */
struct time_blocks {
    uint64_t *start; /* rising */
    size_t count;
};

/* Finds the blocks from the instructions in `p`, an exact profile. */
void time_blocks_init(struct time_blocks *b, const struct time_profile *p, const struct code *code,
                      const struct symbols *symbols);
void time_blocks_fini(struct time_blocks *b);

/* The symbol of an instruction at a level: its own address, or that of the start of its block or function; 0:
 * unknown. */
uint64_t time_key(uint64_t pc, enum time_level level, const struct time_blocks *b, const struct symbols *symbols);

struct time_sum {
    uint64_t key; /* address of the instruction, or of the start of the block or function; 0: unknown */
    uint64_t time;
};

/* A profile's time by symbol at a level, by ascending key. The caller frees the array. */
struct time_sum *time_sums(const struct time_profile *p, enum time_level level, const struct time_blocks *b,
                           const struct symbols *symbols, size_t *count);

/* The sum of a symbol, of those that time_sums has made; NULL: there is none. */
const struct time_sum *time_find_sum(const struct time_sum *sums, size_t count, uint64_t key);

/* The error, from 0 to 1. */
double time_error(const struct time_profile *p, const struct time_profile *reference, enum time_level level,
                  const struct time_blocks *b, const struct symbols *symbols);

#endif
