/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver: the host software for a profiling program. It programs the co-processor, handles its interrupts,
 * accumulates the slots that it reads over the bus, and reports. Some programs have their own driver, selected by
 * name (for example value); the generic driver handles all others by their slot layouts. Source: co-processor paper,
 * sections 3.5 and 5.1. */
#ifndef HOST_DRIVER_DRIVER_H
#define HOST_DRIVER_DRIVER_H

#include <stdbool.h>

#include "contract/programprof.h"
#include "contract/report.h"
#include "contract/truth.h"
#include "host/driver/cost.h"
#include "host/report/run_facts.h"
#include "isa/bus.h"
#include "isa/image.h"
#include "isa/sampler.h"

/* The environment of a driver. All members except the costs are borrowed for the driver's lifetime. */
struct driver_env {
    const struct bus *bus;
    const struct bus *statistics; /* the same bus without accounting, for the report's reads of statistics registers;
                                     set by driver_new */
    const struct image *image;
    const struct truth *truth;                   /* exact results of loads; NULL: unknown */
    struct exact_source exact[EXACT_REFERENCES]; /* `rows` NULL: this reference is unknown */
    unsigned issue_width;                        /* sustained issue width of the core, in slots per cycle; 0: unknown */
    const struct sampler_selections *selections; /* of the sampler, counted during the run; NULL: none are lost */
    const struct host_cost *cost;                /* costs of the driver's work; NULL: none. Copied by driver_new */
    struct host_clock *clock;                    /* charged with that work; set by driver_new */
};

struct driver;

/* Loads the program into the co-processor and starts it. Allocates nothing on error. */
enum status driver_new(struct driver **d, const struct driver_env *env, struct errmsg *err) MUST_USE;
void driver_free(struct driver *d);

/* Handles an interrupt that the co-processor has raised and the core has taken in the given core cycles: reads and
 * accumulates slots, re-arms and restarts the co-processor. If the profile is complete, the co-processor stays
 * halted. Each bus access occurs in its own cycle from `taken` on. Returns the core cycle in which the handler ends. */
uint64_t driver_interrupt(struct driver *d, uint64_t raised, uint64_t taken);
/* Whether the driver requests a timer interrupt of the operating system in this cycle. driver_timer handles it, as
 * driver_interrupt does. */
bool driver_wants_timer(const struct driver *d, uint64_t cycle);
uint64_t driver_timer(struct driver *d, uint64_t raised, uint64_t taken);
/* Called at the end of the guest's run: interrupts handled later take no cycles and are not accounted. */
void driver_stop_clock(struct driver *d);
/* Called at the end of the run: reads the remaining slots. */
void driver_finish(struct driver *d, uint64_t cycle);
/* Whether results of the program on several harts' co-processors can be added. */
bool driver_can_add(const struct driver *d);
/* Adds the results of `other`, the driver of the same program on another hart's co-processor, to those of `d`, for
 * which driver_can_add; both have finished, and `other` must outlive `d`. */
void driver_add(struct driver *d, const struct driver *other);
/* The cost of interrupts in a run with a core. */
struct driver_load {
    uint64_t interrupts; /* number of interrupts handled */
    uint64_t cycles;     /* cycles in handlers and, if known, in refilling the pipeline after them */
};
struct driver_load driver_load(const struct driver *d, const struct run_facts *f);
/* The results of the program so far, which the caller frees with program_profile_free before the driver. May be called
 * at any time, also before the run; has no side effects. */
struct program_profile *driver_profile(struct driver *d);
/* Adds the run, its samples, the overhead and the profile, which driver_profile has just returned, to a report. */
void driver_report(struct driver *d, const struct program_profile *p, const struct run_facts *f, struct report *r);
/* Adds the details: the samples' data path with the causes of drops, bus accesses, and the handlers' cycles. */
void driver_report_details(const struct driver *d, const struct run_facts *f, struct report *r);

#endif
