/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Causes that are removed from instructions in the out-of-order core (ideal.h). The stages that they concern are
 * compiled once more with IDEALISED, for a core with idealised instructions, which memoises nothing. Private to
 * core-model/pipe. */
#ifndef CORE_MODEL_PIPE_IDEALISED_H
#define CORE_MODEL_PIPE_IDEALISED_H

#include "core-model/front/ideal_access.h"
#include "core-model/pipe/pipe.h"

#ifndef IDEALISED
#define IDEALISED 0
#endif

/* The causes of the instruction at pc (enum ideal_cause). */
static inline uint32_t ideal_of(const struct ooo *c, uint64_t pc) { return IDEALISED ? ideal_causes(c->ideal, pc) : 0; }

/* core_cycle_tick of the stages that are compiled with IDEALISED. */
void ideal_cycle_tick(struct ooo *c);

#endif
