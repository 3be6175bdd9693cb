/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Offending Instruction Register: who is to blame if the ROB becomes empty (TIP paper, section 3.1, "Sample collection"). */
#ifndef CORE_MODEL_PROF_OIR_H
#define CORE_MODEL_PROF_OIR_H

#include "core-model/prof/profiler.h"

struct oir {
    uint64_t pc;
    bool mispredicted, flush, exception;
};

/* Notes the youngest committing instruction or, where none commits, the one whose exception fires. A handler's last instruction is its
 * return, which flushes the pipeline. */
static inline void oir_update(struct oir *o, const struct probe_token *t)
{
    if (t->committing > 0) {
        unsigned b = token_youngest(t);
        *o = (struct oir){.pc = t->bank[b].pc, .mispredicted = t->bank[b].mispredicted, .flush = t->bank[b].flushes};
    } else if (t->exception) {
        *o = (struct oir){.pc = t->exception_pc, .exception = true};
    } else if (t->handler) {
        *o = (struct oir){.pc = HANDLER_PC, .flush = true};
    }
}

/* The state of an empty ROB. */
static inline enum time_state oir_state(const struct oir *o)
{
    if (o->flush && o->pc == HANDLER_PC)
        return STATE_HANDLER;
    if (o->exception || o->flush)
        return STATE_FLUSHED;
    return o->mispredicted ? STATE_MISPREDICTED : STATE_DRAINED;
}

#endif
