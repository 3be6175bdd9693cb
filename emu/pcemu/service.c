/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Serving the co-processor's interrupts. With a core the interrupt is a line of the core's, taken between two of the guest's instructions;
 * without one it is taken at once. Meanwhile the co-processor is halted, and its buffer fills and drops. */
#include "emu/pcemu/session.h"

/* What a service does, and for how many cycles it occupies the core: the driver's account of itself. A handler of RISC-V code that the
 * core executes would be run from here. */
static uint64_t serve(struct session *session, uint64_t raised, uint64_t taken)
{
    bool timer = session->timer_raised && cop_state(session->cop) != BUS_INTERRUPT;
    session->timer_raised = false;
    return (timer ? driver_timer(session->driver, raised, taken) : driver_interrupt(session->driver, raised, taken)) - taken;
}

static uint64_t taken_by_core(void *ctx, uint64_t cycle)
{
    struct session *session = ctx;
    return serve(session, session->raised, cycle);
}

/* Serves at once. A co-processor that the timer found at work, or that was restarted, can come to an interrupt while a handler still
 * runs: that one is served when the handler has ended. */
static void serve_now(struct session *session, uint64_t cycle)
{
    session->raised_again = true;
    if (session->serving)
        return;
    session->serving = true;
    while (session->raised_again) {
        session->raised_again = false;
        uint64_t taken = serve(session, cycle, cycle);
        session->paused_cycles += taken;
        cycle += taken;
    }
    session->serving = false;
}

static void pass_on(struct session *session, uint64_t cycle)
{
    if (session->core_takes_interrupts) {
        session->raised = cycle;
        core_raise_interrupt(session->core, cycle);
    } else {
        serve_now(session, cycle);
    }
}

/* The co-processor comes to its interrupt when it is asked to advance, which can be later than the interrupt's own cycle. */
void session_interrupt(void *ctx, uint64_t cycle)
{
    struct session *session = ctx;
    if (session->debugging)
        debug_interrupt(session->debugger);
    pass_on(session, cycle);
}

void session_tick(struct session *session, uint64_t cycle)
{
    if (session->timer_raised || !driver_wants_timer(session->driver, cycle))
        return;
    cop_advance(session->cop, cycle); /* its own interrupt may come first, and do */
    if (cop_state(session->cop) == BUS_INTERRUPT || !driver_wants_timer(session->driver, cycle))
        return;
    session->timer_raised = true;
    pass_on(session, cycle);
}

uint64_t session_look_at_clock(void *ctx, uint64_t cycle)
{
    enum { TICK_CYCLES = 1024 };
    session_tick(ctx, cycle);
    return cycle + TICK_CYCLES;
}

void session_take_interrupts(struct session *session)
{
    if (session->config.host_free)
        return;
    session->core_takes_interrupts = true;
    core_on_interrupt(session->core, taken_by_core, session);
}

/* The guest has ended. An interrupt that was not taken is served now, and so are those of samples left in the buffer. */
void session_end_service(struct session *session)
{
    bool pending = session->core_takes_interrupts && cop_state(session->cop) == BUS_INTERRUPT;
    if (session->core != NULL)
        driver_stop_clock(session->driver);
    session->core_takes_interrupts = false;
    if (pending)
        pass_on(session, session->raised);
}
