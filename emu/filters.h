/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The three filters at the core's decode stage, used in conjunction (co-processor paper, section 3.2 and Figure 3). */
#ifndef EMU_FILTERS_H
#define EMU_FILTERS_H

#include "isa/pc_filters.h"

struct filters {
    /* The opcode filter, as the event filter that the core tests. From cycle `from` on, it passes every instruction,
     * because the co-processor must be advanced before the filters apply, or the clock observer is due. */
    struct event_filter opcode;
    struct event_filter due; /* passes from the same cycle on, and no class before */
    struct pc_filters pc;
};

/* From core cycle `cycle` on, the co-processor must be advanced before the filters apply. */
static inline void filters_set_from(struct filters *f, uint64_t cycle) { f->opcode.from = f->due.from = cycle; }

/* Before that cycle the core can apply the filters itself, unless the co-processor is halted and accepts nothing. */
static inline void filters_set_known(struct filters *f, bool halted)
{
    f->opcode.known = halted ? 0 : f->opcode.classes;
}

static inline bool filters_pass(const struct filters *f, enum opclass c, uint64_t pc)
{
    return (f->opcode.classes >> c & 1) != 0 && pc_filters_pass(&f->pc, pc);
}

#endif
