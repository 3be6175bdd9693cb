/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcemu's side of the debugger: the functions that need several components, and the debugger's part in a run. In a run
 * that is not debugged all functions return at once. */
#ifndef EMU_PCEMU_DEBUGGING_H
#define EMU_PCEMU_DEBUGGING_H

#include "core-model/prof/log/recent.h"
#include "core-model/prof/observers.h"
#include "emu/debug/debug.h"
#include "emu/pcemu/profiling.h"
#include "emu/pcemu/service.h"
#include "emu/pcemu/target.h"

struct debugging {
    struct debugger *debugger; /* NULL: the run is not debugged */
    struct target *target;     /* borrowed, as the next one */
    struct profiling *profiling;
    struct recent *recent; /* what it shows of the pipeline; owned by the observers */
    bool active;           /* it has begun */
    uint64_t goal;         /* number of retired instructions at which it pauses the run; UINT64_MAX: none */
};

/* Makes the debugger if the options ask for it; ends pcemu where that cannot be. */
void debugging_new(struct debugging *d, const struct options *o, struct target *t, struct profiling *p);
/* Adds its observers of the core to the set. */
void debugging_add(struct debugging *d, struct observers *set);
/* Shows the first prompt. From now on the service reports interrupts to the debugger. */
void debugging_begin(struct debugging *d, struct service *service);
/* Of `insts` instructions, the number that may run before the debugger pauses the run. */
uint64_t debugging_limit(const struct debugging *d, uint64_t insts);
/* To be called when the core has stopped: at the debugger's limit, or by a signal or a breakpoint. Returns true if the
 * debugger was the cause; then the prompt has been shown. */
bool debugging_pause(struct debugging *d, bool at_limit);
/* The run is over. `samples`: it was a run over samples, and all have been offered. */
void debugging_end(struct debugging *d, bool samples);
void debugging_release(struct debugging *d);

#endif
