/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver: the software on the main processor for a profiling program. It programs the co-processor, serves its
 * interrupts, accumulates what it reads over the bus, and reports. A program whose name has a driver of its own (value)
 * gets that one; the generic driver serves all others by their slot layouts. Source: co-processor paper, sections 3.5
 * and 5.1. */
#ifndef HOST_DRIVER_H
#define HOST_DRIVER_H

#include <stdbool.h>

#include "host/cost.h"
#include "host/run_facts.h"
#include "isa/bus.h"
#include "isa/contract/report.h"
#include "isa/contract/truth.h"
#include "isa/image.h"

/* What a driver works with; all but the costs borrowed for its life. */
struct driver_env {
    const struct bus *bus;
    const struct bus *statistics; /* the same, for the report's reads of statistics registers, which are not accounted;
                                     driver_new sets it */
    const struct image *image;
    const struct truth *truth;                   /* of results; NULL: nothing exact is known */
    struct exact_source exact[EXACT_REFERENCES]; /* `rows` is NULL of those that are not known */
    unsigned issue_width;                        /* issue slots in a cycle that the core can sustain; 0: not known */
    const struct host_cost *cost; /* what the driver's own work takes; NULL: nothing. driver_new copies it */
    struct host_clock *clock;     /* charged with that work; driver_new sets it */
};

struct driver;

/* Loads the program into the co-processor and starts it. On error nothing is allocated. */
enum status driver_new(struct driver **d, const struct driver_env *env, struct errmsg *err) MUST_USE;
void driver_free(struct driver *d);

/* Serves an interrupt that the co-processor has raised in one core cycle and the core takes in another: reads,
 * accumulates, re-arms, restarts. When the profile is complete the co-processor stays halted. Each access to the bus
 * happens at its own cycle from `taken` on. Returns the core cycle in which the handler ends. */
uint64_t driver_interrupt(struct driver *d, uint64_t raised, uint64_t taken);
/* Does the driver want the operating system's timer to interrupt in this cycle? If so driver_timer serves it, as
 * driver_interrupt does. */
bool driver_wants_timer(const struct driver *d, uint64_t cycle);
uint64_t driver_timer(struct driver *d, uint64_t raised, uint64_t taken);
/* The guest's run is over: interrupts served from now on take no cycles, and are not accounted. */
void driver_stop_clock(struct driver *d);
/* The run is over: reads the slots that are left in the arrays. */
void driver_finish(struct driver *d, uint64_t cycle);
/* The cost of interrupts, of a run with a core. */
struct driver_load {
    uint64_t interrupts; /* served */
    uint64_t cycles;     /* in handlers and, if that is known, in refilling the pipeline behind them */
};
struct driver_load driver_load(const struct driver *d, const struct run_facts *f);
/* Adds to a report: the run, its samples, the overhead, and the profile. It can be called at any time, also before the
 * run, and changes nothing. */
void driver_report(struct driver *d, const struct run_facts *f, struct report *r);
/* Adds the details: the samples' path with the causes of drops, bus accesses, and the cycles of the handlers. */
void driver_report_details(const struct driver *d, const struct run_facts *f, struct report *r);

#endif
