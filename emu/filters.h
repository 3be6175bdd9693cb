/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The three filters at the core's decode stage, used in conjunction (co-processor paper, section 3.2 and Figure 3). */
#ifndef EMU_FILTERS_H
#define EMU_FILTERS_H

#include "emu/cop_state.h"
#include "isa/pchash.h"

static inline bool filters_pass(const struct filters *f, enum opclass c, uint64_t pc)
{
    if ((f->opcode.classes >> c & 1) == 0)
        return false;
    uint32_t pc32 = sample_pc32(pc);
    if ((f->mask1 | f->match1) != 0 && (pchash_filter1(f->hash1, pc32) & f->mask1) != f->match1)
        return false;
    if (!f->any_masked)
        return true;
    uint32_t bit = pchash_filter2(f->hash2, pc32);
    return (f->masked[bit / 64] >> (bit % 64) & 1) == 0;
}

#endif
