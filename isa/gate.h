/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gate before somebody who is told of instructions one by one. Who tells looks at it first, and most instructions cost no call. */
#ifndef ISA_GATE_H
#define ISA_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/opclass.h"

struct gate {
    uint32_t classes;     /* a bit for each enum opclass that it is open to */
    uint64_t from;        /* from this cycle on it is open to all */
    uint64_t turned_away; /* instructions that found it closed */
};

/* Is it open to an instruction of that class in that cycle? If not, it is counted. */
static inline bool gate_opens(struct gate *g, enum opclass c, uint64_t cycle)
{
    if ((g->classes >> c & 1) != 0 || cycle >= g->from)
        return true;
    g->turned_away++;
    return false;
}

#endif
