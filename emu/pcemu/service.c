/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Serving the co-processor's interrupts. With a core the interrupt is a line of the core's, taken between two of the guest's instructions;
 * without one it is taken at once. Meanwhile the co-processor is halted, and its buffer fills and drops. */
#include "emu/pcemu/lab.h"

/* What a service does, and for how many cycles it occupies the core: the driver's account of itself. A handler of RISC-V code that the
 * core executes would be run from here. */
static uint64_t serve(struct lab *lab, uint64_t raised, uint64_t taken)
{
    bool timer = lab->timer_raised && cop_state(lab->cop) != BUS_INTERRUPT;
    lab->timer_raised = false;
    return (timer ? driver_timer(lab->driver, raised, taken) : driver_interrupt(lab->driver, raised, taken)) - taken;
}

static uint64_t taken_by_core(void *ctx, uint64_t cycle)
{
    struct lab *lab = ctx;
    return serve(lab, lab->raised, cycle);
}

/* Serves at once. A co-processor that the timer found at work, or that was restarted, can come to an interrupt while a handler still
 * runs: that one is served when the handler has ended. */
static void serve_now(struct lab *lab, uint64_t cycle)
{
    lab->raised_again = true;
    if (lab->serving)
        return;
    lab->serving = true;
    while (lab->raised_again) {
        lab->raised_again = false;
        uint64_t taken = serve(lab, cycle, cycle);
        lab->paused_cycles += taken;
        cycle += taken;
    }
    lab->serving = false;
}

static void pass_on(struct lab *lab, uint64_t cycle)
{
    if (lab->core_takes_interrupts) {
        lab->raised = cycle;
        core_raise_interrupt(lab->core, cycle);
    } else {
        serve_now(lab, cycle);
    }
}

/* The co-processor comes to its interrupt when it is asked to advance, which can be later than the interrupt's own cycle. */
void lab_interrupt(void *ctx, uint64_t cycle)
{
    struct lab *lab = ctx;
    if (lab->debugging)
        debug_interrupt(lab->debugger);
    pass_on(lab, cycle);
}

void lab_tick(struct lab *lab, uint64_t cycle)
{
    if (lab->timer_raised || !driver_wants_timer(lab->driver, cycle))
        return;
    cop_advance(lab->cop, cycle); /* its own interrupt may come first, and do */
    if (cop_state(lab->cop) == BUS_INTERRUPT || !driver_wants_timer(lab->driver, cycle))
        return;
    lab->timer_raised = true;
    pass_on(lab, cycle);
}

uint64_t lab_look_at_clock(void *ctx, uint64_t cycle)
{
    enum { TICK_CYCLES = 1024 };
    lab_tick(ctx, cycle);
    return cycle + TICK_CYCLES;
}

void lab_take_interrupts(struct lab *lab)
{
    if (lab->config.host_free)
        return;
    lab->core_takes_interrupts = true;
    core_on_interrupt(lab->core, taken_by_core, lab);
}

/* The guest has ended. An interrupt that was not taken is served now, and so are those of samples left in the buffer. */
void lab_end_service(struct lab *lab)
{
    bool pending = lab->core_takes_interrupts && cop_state(lab->cop) == BUS_INTERRUPT;
    if (lab->core != NULL)
        driver_stop_clock(lab->driver);
    lab->core_takes_interrupts = false;
    if (pending)
        pass_on(lab, lab->raised);
}
