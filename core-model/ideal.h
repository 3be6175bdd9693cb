/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Static instructions that are idealised: simulated again without one of their causes of delay, which shows what its
 * removal gains. The guest's results do not change. Wrong paths are idealised, too. */
#ifndef CORE_MODEL_IDEAL_H
#define CORE_MODEL_IDEAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum ideal_bit {
#define IDEAL(sym, name, words, meaning) IDEAL_BIT_##sym,
#include "core-model/ideal.def"
    IDEAL_BITS
};
enum ideal_cause {
#define IDEAL(sym, name, words, meaning) IDEAL_##sym = 1 << IDEAL_BIT_##sym,
#include "core-model/ideal.def"
    IDEAL_ALL_L1D = IDEAL_L1D | IDEAL_L1D_LATENCY | IDEAL_L1D_ALONE,
    IDEAL_BELOW_L1D = IDEAL_L2 | IDEAL_DRAM,
    IDEAL_EVERY_CAUSE = (1 << IDEAL_BITS) - 1
};

extern const char *const ideal_names[IDEAL_BITS], *const ideal_words[IDEAL_BITS], *const ideal_meanings[IDEAL_BITS];

#define IDEAL_EVERY_NAME "all" /* of IDEAL_EVERY_CAUSE */

struct ideal;
struct code_insn;

/* What can delay an instruction of its kind, and can be removed from it; 0: nothing. Late fetches and replays are not
 * among it: only a run shows them. Waits for operands and units are not: their causes are in what is waited for. */
uint32_t ideal_causes_of_kind(const struct code_insn *in);

struct ideal *ideal_new(void);
void ideal_free(struct ideal *t); /* NULL is allowed */
/* Adds causes (enum ideal_cause) of the instructions with addresses in [start, end); UINT64_MAX as end: of all. */
void ideal_add(struct ideal *t, uint64_t start, uint64_t end, uint32_t causes);
/* The names of causes, "dtlb+l1d", or IDEAL_EVERY_NAME; the caller frees them. */
char *ideal_print(uint32_t causes);
/* Parses names of causes, joined by '+', or IDEAL_EVERY_NAME, and sets the causes. Errors are ST_INPUT. */
enum status ideal_parse(const char *text, uint32_t *causes, struct errmsg *err) MUST_USE;
/* Calls `see` for the ranges [start, end) with causes, in ascending order; end UINT64_MAX: there is no end. */
void ideal_each(const struct ideal *t, void (*see)(void *ctx, uint64_t start, uint64_t end, uint32_t causes),
                void *ctx);
/* The causes of the instruction at pc. */
uint32_t ideal_causes(const struct ideal *t, uint64_t pc);

#endif
