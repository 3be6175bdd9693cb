/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classification of an empty ROB by the Offending Instruction Register (TIP paper, section 3.1, "Sample
 * collection"). */
#ifndef CORE_MODEL_PROF_OIR_H
#define CORE_MODEL_PROF_OIR_H

#include "core-model/prof/time/profiler.h"

/* The state of an empty ROB. */
static inline enum time_state oir_state(const struct probe_oir *o)
{
    if (o->flush && o->pc == HANDLER_PC)
        return STATE_HANDLER;
    if (o->exception || o->flush)
        return STATE_FLUSHED;
    return o->mispredicted ? STATE_MISPREDICTED : STATE_DRAINED;
}

#endif
