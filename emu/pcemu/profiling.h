/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profiling program of a run: its image, the co-processor that executes it, the driver that serves it, and the
 * exact answers beside what it finds. */
#ifndef EMU_PCEMU_PROFILING_H
#define EMU_PCEMU_PROFILING_H

#include "core-model/prof/exact/exact.h"
#include "core-model/prof/exact/exact_values.h"
#include "core-model/prof/observers.h"
#include "emu/cop.h"
#include "emu/pcemu/machine.h"
#include "emu/pcemu/options.h"
#include "host/driver.h"

struct profiling {
    const struct options *options; /* borrowed, as the next one */
    const struct machine_config *machine;
    struct image image;
    struct cop *cop; /* NULL: the run has no co-processor */
    struct bus bus;
    struct driver *driver;
    struct observer *sampler;    /* owned by the observers, as the next two; NULL: not attached to a core */
    struct exact_values *values; /* NULL: the program needs no exact values, or --no-truth */
    struct observer *exact[EXACT_REFERENCES]; /* NULL: no layout names the reference, or --no-truth */
    struct truth truth;
};

/* Does the run have a co-processor? With profilers of time there need be no program for it. */
bool profiling_is_wanted(const struct options *o);
/* Loads the program image that the options name, or ends pcemu. */
void profiling_load(struct profiling *p, const struct options *o);
/* Makes the co-processor, starts the program on it and adds the observers of the exact answers to the set. `interrupt`
 * is called at each interrupt's cycle. The machine is borrowed. */
void profiling_start(struct profiling *p, const struct machine_config *m, struct observers *set,
                     void (*interrupt)(void *ctx, uint64_t cycle), void *ctx);
/* Adds the sampler, by which the core feeds the co-processor, to the set. */
void profiling_sample(struct profiling *p, struct observers *set);
void profiling_release(struct profiling *p);

/* Makes a driver for the image there is, loads the program and starts it. */
enum status profiling_new_driver(struct profiling *p, struct driver **driver, struct errmsg *err) MUST_USE;
/* Replaces the program and its driver; on error nothing changes. */
enum status profiling_replace(struct profiling *p, const struct image *image, struct errmsg *err) MUST_USE;

#endif
