/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the co-processor's interrupts reach the driver. With a core the interrupt is a line of the core's, taken between
 * two of the guest's instructions; without one it is served at once. Meanwhile the co-processor is halted, and its
 * buffer fills and drops. */
#ifndef EMU_PCEMU_SERVICE_H
#define EMU_PCEMU_SERVICE_H

#include "core-model/core.h"
#include "emu/cop.h"
#include "emu/debug/debug.h"
#include "emu/pcemu/profiling.h"

struct service {
    struct profiling *profiling; /* borrowed */
    struct debugger *debugger;   /* borrowed; called at each interrupt; NULL: the run is not debugged */
    struct core *core;           /* borrowed; it takes the interrupts; NULL: they are served at once */
    unsigned line;               /* its interrupt line */
    bool has_core;               /* the run has a core, which may take no interrupts (host_free) */
    uint64_t raised;             /* cycle of the interrupt that the core has not taken yet */
    bool timer_raised;           /* it is the timer's, or was before the co-processor's own came as well */
    uint64_t paused_cycles;      /* that handlers have taken where there is no core */
    bool serving, raised_again;  /* where there is no core: a handler runs; the co-processor interrupted meanwhile */
};

/* To be called when the co-processor interrupts, with the cycle; ctx is the service. For cop_on_interrupt. */
void service_interrupt(void *ctx, uint64_t cycle);
/* The operating system's timer, looked at in this core cycle: interrupts if the driver wants it. */
void service_tick(struct service *s, uint64_t cycle);
/* The same at intervals; for cop_on_clock. */
uint64_t service_look_at_clock(void *ctx, uint64_t cycle);
/* From now on there is a core, which takes the interrupts unless handlers are free. */
void service_begin(struct service *s, struct core *core, bool free);
/* The guest has ended: a pending interrupt is served now, and so are the interrupts of samples left in the buffer. */
void service_end(struct service *s);

#endif
