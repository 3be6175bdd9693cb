/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses of idealised instructions (ideal.h) to memory. What is ideal is there before the access, which then hits.
 * The stages that it concerns are compiled once more with IDEALISED, for a core with idealised instructions, which
 * memoises nothing. Private to core-model/pipe. */
#ifndef CORE_MODEL_PIPE_IDEAL_ACCESS_H
#define CORE_MODEL_PIPE_IDEAL_ACCESS_H

#include "core-model/ideal.h"
#include "core-model/pipe/pipe.h"

#ifndef IDEALISED
#define IDEALISED 0
#endif

/* The causes of the instruction at pc (enum ideal_cause). */
static inline uint32_t ideal_of(const struct ooo *c, uint64_t pc) { return IDEALISED ? ideal_causes(c->ideal, pc) : 0; }

/* core_cycle_tick of the stages that are compiled with IDEALISED. */
void ideal_cycle_tick(struct ooo *c);

/* Before fetch at pc. */
void ideal_fetch(struct ooo *c, uint64_t pc);
/* Before the translation for the load or store i in cycle `when`. */
void ideal_translate(struct ooo *c, uint32_t i, uint64_t when);
/* Before the access of the load i in cycle `when`. Returns whether there is none any more: the load's data come as
 * those of a hit. */
bool ideal_load(struct ooo *c, uint32_t i, uint64_t when);
/* Before the access of the load i below the L1 data cache in cycle `when`: the line is there in a cache. */
void ideal_load_below(struct ooo *c, uint32_t i, uint64_t when);

#endif
