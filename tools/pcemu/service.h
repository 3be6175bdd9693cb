/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Delivery of the co-processor's interrupts to the driver. With a core, an interrupt line of the core is raised and
 * taken between two guest instructions; without one, the interrupt is served at once. Until it is served the
 * co-processor is halted, and its buffer fills and drops samples. */
#ifndef TOOLS_PCEMU_SERVICE_H
#define TOOLS_PCEMU_SERVICE_H

#include "core-model/core.h"
#include "emu/cop.h"
#include "emu/debug/debug.h"
#include "tools/pcemu/profiling.h"

struct service {
    struct profiling *profiling; /* borrowed */
    struct debugger *debugger;   /* borrowed; is notified of each interrupt; NULL: the run is not debugged */
    struct core *core;           /* borrowed; takes the interrupts; NULL: they are served at once */
    unsigned line;               /* interrupt line of the core */
    bool has_core;               /* the run has a core, even if it takes no interrupts (host_free) */
    uint64_t raised;             /* cycle of the pending interrupt */
    bool timer_raised;           /* the pending interrupt was first raised by the timer */
    uint64_t paused_cycles;      /* without a core: total cycles of handlers */
    bool serving, raised_again;  /* without a core: a handler runs; the co-processor has interrupted meanwhile */
};

/* To be called at an interrupt of the co-processor, with its cycle; ctx is the service. For cop_on_interrupt. */
void service_interrupt(void *ctx, uint64_t cycle);
/* Timer of the operating system, polled in core cycle `cycle`: raises an interrupt if the driver requests one. */
void service_tick(struct service *s, uint64_t cycle);
/* service_tick at regular intervals; for cop_on_clock. */
uint64_t service_poll_clock(void *ctx, uint64_t cycle);
/* Attaches the core, which from now on takes the interrupts unless handlers are free (host_free). */
void service_begin(struct service *s, struct core *core, bool free);
/* To be called at the guest's end: serves a pending interrupt and the interrupts of the samples left in the buffer. */
void service_end(struct service *s);

#endif
