/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What runs on the main processor for a profiling program: it programs the co-processor, serves its interrupts, accumulates what it
 * reads over the bus, and reports. A program whose name has a driver of its own (value) gets that one; any other is
 * served by the generic driver, from its slot layouts. Source: co-processor paper, sections 3.5 and 5.1. */
#ifndef HOST_DRIVER_H
#define HOST_DRIVER_H

#include <stdbool.h>
#include <stdio.h>

#include "isa/bus.h"
#include "isa/image.h"
#include "isa/truth.h"

struct report;
struct symbols;

/* What a driver works with; all borrowed for its life. */
struct driver_env {
    const struct bus *bus;
    const struct image *image;
    const struct symbols *symbols; /* NULL: addresses are printed plain */
    const struct truth *truth;     /* NULL: nothing exact is known */
};

struct report_options {
    bool json;
    bool partial;      /* the run was cut short: the report says so */
    unsigned top;      /* lines of the main table; 0: all */
    uint64_t cycles, instructions; /* of the core; 0 where there was none */
    const char *guest; /* what was run, for the heading */
    struct {           /* what else belongs into the report; write may be NULL */
        void *ctx;
        void (*write)(void *ctx, struct report *r);
    } more;
};

struct driver;

/* Loads the program into the co-processor and starts it. On error nothing is allocated. */
enum status driver_new(struct driver **d, const struct driver_env *env, struct errmsg *err) MUST_USE;
void driver_free(struct driver *d);

/* Serves an interrupt of the co-processor at `cycle`: reads, accumulates, re-arms, restarts. When the profile is complete
 * the co-processor stays halted. */
void driver_interrupt(struct driver *d, uint64_t cycle);
/* The run is over: reads what the arrays still hold. */
void driver_finish(struct driver *d, uint64_t cycle);
void driver_report(struct driver *d, const struct report_options *o, FILE *out);

#endif
