/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcemu's side of the debugger: what only pcemu can do for it, since it joins the components, and its place in a run. All of it does nothing in
 * a run that is not debugged. */
#ifndef EMU_PCEMU_DEBUGGING_H
#define EMU_PCEMU_DEBUGGING_H

#include "core-model/prof/observers.h"
#include "core-model/prof/recent.h"
#include "emu/debug/debug.h"
#include "emu/pcemu/profiling.h"
#include "emu/pcemu/service.h"
#include "emu/pcemu/target.h"

struct debugging {
    struct debugger *debugger;   /* NULL: the run is not debugged */
    struct target *target;       /* borrowed, as the next one */
    struct profiling *profiling;
    struct recent *recent;       /* what it shows of the pipeline; owned by the observers */
    bool active;                 /* it has begun */
    uint64_t goal;               /* number of retired instructions at which it pauses the run; UINT64_MAX: none */
};

/* Makes the debugger if the options ask for it; ends pcemu where that cannot be. */
void debugging_new(struct debugging *d, const struct options *o, struct target *t, struct profiling *p);
/* Adds its observers of the core to the set. */
void debugging_add(struct debugging *d, struct observers *set);
/* The first prompt. From now on it is told of interrupts. */
void debugging_begin(struct debugging *d, struct service *service);
/* How many of the instructions left may run before it pauses the run. */
uint64_t debugging_limit(const struct debugging *d, uint64_t insts);
/* The core has stopped, by the debugger's limit or because of a signal or breakpoint: true if the debugger was the cause; it has prompted. */
bool debugging_pause(struct debugging *d, bool at_limit);
/* The run is over; `samples`: its samples are used up. */
void debugging_end(struct debugging *d, bool samples);
void debugging_release(struct debugging *d);

#endif
