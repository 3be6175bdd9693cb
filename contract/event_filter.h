/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event filter: the producer of per-instruction events tests it before it calls the consumer, so most instructions cost
 * no call. */
#ifndef CONTRACT_EVENT_FILTER_H
#define CONTRACT_EVENT_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/opclass.h"

struct event_filter {
    uint32_t classes; /* bit mask of enum opclass: the classes that pass */
    /* Of them, those for which the producer knows the consumer's answer before cycle `from`, and counts it
     * (event_filter_is_known, event_filter_count) instead of a call. */
    uint32_t known;
    uint64_t from;              /* every instruction passes from this cycle on */
    uint64_t rejected;          /* number of instructions that did not pass */
    uint64_t accepted, refused; /* number of known answers: true, false */
};

/* Returns whether an instruction of class `c` passes in cycle `cycle`; counts it if not. */
static inline bool event_filter_passes(struct event_filter *f, enum opclass c, uint64_t cycle)
{
    if ((f->classes >> c & 1) != 0 || cycle >= f->from)
        return true;
    f->rejected++;
    return false;
}

/* Returns whether the answer of the consumer is known for an instruction that passes. */
static inline bool event_filter_is_known(const struct event_filter *f, enum opclass c, uint64_t cycle)
{
    return (f->known >> c & 1) != 0 && cycle < f->from;
}

/* Counts a known answer. */
static inline void event_filter_count(struct event_filter *f, bool accepts)
{
    f->accepted += accepts;
    f->refused += !accepts;
}

/* Returns whether none of `count` instructions passes, whose classes are those of the bit mask; counts them if so. */
static inline bool event_filter_rejects(struct event_filter *f, uint32_t classes, uint32_t count, uint64_t cycle)
{
    if ((f->classes & classes) != 0 || cycle >= f->from)
        return false;
    f->rejected += count;
    return true;
}

#endif
