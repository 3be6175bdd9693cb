/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the co-processor was used for, beyond the counters of its bus: kept by the model for its statistics, a few
 * additions for each sample and none for a word. What the units did follows from the words' counts. */
#ifndef EMU_COP_USE_H
#define EMU_COP_USE_H

#include "emu/cop.h"

enum { USE_INTERVALS = 32 };

struct cop_use {
    struct {
        uint64_t samples, words; /* finished; in sum */
        uint64_t least, most;    /* words of one */
    } by_class[OPCLASS_COUNT];
    uint64_t occupancy; /* samples times core cycles; modulo 2^64 while there are samples in the buffer */
    uint64_t peak;      /* samples in the buffer at once, up to the last that was finished */
    /* The run in intervals of the same length, 1 << interval_shift core cycles from when the statistics were
     * cleared. Once they are all behind, two become one. */
    uint64_t interval_shift;
    struct {
        uint64_t delivered, dropped;
    } interval[USE_INTERVALS];
};

/* As it stands; samples in the buffer count up to the cycle that it has been advanced to. */
struct cop_use cop_get_use(const struct cop *c);

/* For the co-processor itself. */
void use_clear(struct cop_use *u);
/* Two intervals become one, until there is one for that cycle since the statistics were cleared. */
void use_widen(struct cop_use *u, uint64_t cycle);

static inline void use_delivered(struct cop_use *u, uint64_t cycle, bool dropped)
{
    if (cycle >> u->interval_shift >= USE_INTERVALS)
        use_widen(u, cycle);
    uint64_t i = cycle >> u->interval_shift;
    u->interval[i].delivered++;
    if (dropped)
        u->interval[i].dropped++;
}

static inline void use_finished(struct cop_use *u, enum opclass k, uint64_t words)
{
    u->by_class[k].samples++;
    u->by_class[k].words += words;
    if (words < u->by_class[k].least)
        u->by_class[k].least = words;
    if (words > u->by_class[k].most)
        u->by_class[k].most = words;
}

#endif
