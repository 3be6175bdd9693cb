/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --timeline: the run over time, as a trace of events for Perfetto. */
#ifndef TOOLS_PCEMU_TIMELINE_H
#define TOOLS_PCEMU_TIMELINE_H

#include <stdio.h>

#include "core-model/prof/log/timeline.h"
#include "core-model/prof/observers.h"
#include "emu/cop.h"
#include "emu/cop_watch.h"
#include "host/symbols/symbols.h"

/* Samples of the co-processor in a step. */
struct pcemu_timeline_samples {
    uint64_t admitted; /* to the sample buffer */
    uint64_t dropped[COP_DROP_KINDS];
};

struct pcemu_timeline {
    uint64_t step;                                /* cycles; 0: there is no time line */
    const struct timeline *hart[GUEST_HARTS_MAX]; /* owned by the observers */
    unsigned harts;
    struct pcemu_timeline_samples *samples; /* by step from cycle 0 */
    uint64_t *interrupt;                    /* cycles of the co-processor's interrupts */
    size_t steps, interrupts;
    struct cop *cop; /* watched; borrowed; NULL: none */
};

/* Adds the observer of a further hart to its set. */
void pcemu_timeline_add_hart(struct pcemu_timeline *t, struct observers *set);
/* Watches a co-processor, which has no other watch. */
void pcemu_timeline_watch(struct pcemu_timeline *t, struct cop *cop);
/* Writes the trace, after the observers have finished. `guest`: its name. */
void pcemu_timeline_write(const struct pcemu_timeline *t, const struct symbols *symbols, const char *guest, FILE *out);
void pcemu_timeline_release(struct pcemu_timeline *t);

#endif
