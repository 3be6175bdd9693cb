/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Utilisation statistics that the hardware has no counters for. The model updates them once per sample, not per word;
 * the activity of the units follows from the words' execution counts. */
#ifndef EMU_COP_USE_H
#define EMU_COP_USE_H

#include "emu/cop.h"

enum { USE_INTERVALS = 32 };

struct cop_use {
    struct {
        uint64_t samples, words; /* completed samples; their words in total */
        uint64_t least, most;    /* minimum and maximum words per sample */
    } by_class[OPCLASS_COUNT];
    uint64_t occupancy; /* integral of the buffer occupancy: samples x core cycles; modulo 2^64 while samples are in the
                         * buffer */
    uint64_t peak;      /* peak occupancy in samples, up to the last completed sample */
    /* Time series: intervals of 1 << interval_shift core cycles each, from the last clear of the statistics on. When
     * all intervals are used, neighbouring pairs are merged and the length doubles. */
    uint64_t interval_shift;
    struct {
        uint64_t delivered, dropped;
    } interval[USE_INTERVALS];
};

/* The current values; the occupancy is integrated up to the cycle that the co-processor has reached. */
struct cop_use cop_get_use(const struct cop *c);

/* The following are internal to the co-processor. */
void use_clear(struct cop_use *u);
/* Merges pairs of intervals until `cycle`, counted from the last clear, is inside the series. */
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

/* `samples` samples are complete, each after the same number of words, `words` in total. */
static inline void use_finished(struct cop_use *u, enum opclass k, uint64_t samples, uint64_t words)
{
    const uint64_t each = samples == 1 ? words : words / samples;
    u->by_class[k].samples += samples;
    u->by_class[k].words += words;
    if (each < u->by_class[k].least)
        u->by_class[k].least = each;
    if (each > u->by_class[k].most)
        u->by_class[k].most = each;
}

#endif
