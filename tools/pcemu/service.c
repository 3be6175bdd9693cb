/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/service.h"

/* Serves an interrupt; returns the cycles for which the handler occupies the core, by the driver's cost model. */
static uint64_t pcemu_service_serve(struct service *s, uint64_t raised, uint64_t taken)
{
    struct profiling *p = s->profiling;
    bool timer = s->timer_raised && cop_state(p->cop) != BUS_INTERRUPT;
    s->timer_raised = false;
    return (timer ? driver_timer(p->driver, raised, taken) : driver_interrupt(p->driver, raised, taken)) - taken;
}

static uint64_t taken_by_core(void *ctx, uint64_t cycle, uint64_t pc)
{
    struct service *s = ctx;
    (void)pc;
    return pcemu_service_serve(s, s->raised, cycle);
}

/* Serves without delay. A co-processor that was running at a timer interrupt, or that was restarted, can interrupt
 * while a handler runs; that interrupt is served after the handler. */
static void serve_now(struct service *s, uint64_t cycle)
{
    s->raised_again = true;
    if (s->serving)
        return;
    s->serving = true;
    while (s->raised_again) {
        s->raised_again = false;
        uint64_t taken = pcemu_service_serve(s, cycle, cycle);
        s->paused_cycles += taken;
        cycle += taken;
    }
    s->serving = false;
}

static void pass_on(struct service *s, uint64_t cycle)
{
    if (s->core != NULL) {
        s->raised = cycle;
        core_raise_interrupt(s->core, s->line, cycle);
    } else {
        serve_now(s, cycle);
    }
}

/* Simulation is lazy: this function can be called later than the interrupt's own cycle. */
void service_interrupt(void *ctx, uint64_t cycle)
{
    struct service *s = ctx;
    if (s->debugger != NULL)
        debug_interrupt(s->debugger);
    pass_on(s, cycle);
}

void service_tick(struct service *s, uint64_t cycle)
{
    struct profiling *p = s->profiling;
    if (s->timer_raised || !driver_wants_timer(p->driver, cycle))
        return;
    cop_advance(p->cop, cycle); /* the co-processor's own interrupt may occur first and suffice */
    if (cop_state(p->cop) == BUS_INTERRUPT || !driver_wants_timer(p->driver, cycle))
        return;
    s->timer_raised = true;
    pass_on(s, cycle);
}

uint64_t service_poll_clock(void *ctx, uint64_t cycle)
{
    enum { TICK_CYCLES = 1024 };
    service_tick(ctx, cycle);
    return cycle + TICK_CYCLES;
}

void service_begin(struct service *s, struct core *core, bool free)
{
    s->has_core = true;
    if (free)
        return;
    s->core = core;
    s->line = core_connect_interrupt(core, taken_by_core, s);
}

void service_end(struct service *s)
{
    bool pending = s->core != NULL && cop_state(s->profiling->cop) == BUS_INTERRUPT;
    if (s->has_core)
        driver_stop_clock(s->profiling->driver);
    s->core = NULL;
    if (pending)
        pass_on(s, s->raised);
}
