/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profiling program of a run: its image, the co-processor that executes it, the driver that serves it, and the
 * ground truth for its results. */
#ifndef TOOLS_PCEMU_PROFILING_H
#define TOOLS_PCEMU_PROFILING_H

#include "core-model/prof/exact/exact.h"
#include "core-model/prof/exact/exact_values.h"
#include "core-model/prof/observers.h"
#include "emu/cop.h"
#include "host/driver/driver.h"
#include "tools/pcemu/machine.h"
#include "tools/pcemu/options.h"

struct profiling {
    const struct options *options; /* borrowed, like the next member */
    const struct machine_config *machine;
    struct image image;
    struct cop *cop; /* owned; NULL: the run has no co-processor */
    struct bus bus;
    struct driver *driver;
    struct observer *sampler;             /* owned by the observers, like the next two; NULL: not attached to a core */
    struct sampler_selections selections; /* of the sampler */
    struct exact_values *values;          /* NULL: not needed by the program, or --no-truth */
    struct exact_sum exact[EXACT_REFERENCES]; /* without observers: no layout names the reference, or --no-truth */
    struct truth truth;
    struct exact_setup exact_setup; /* of the observers of the ground truth */
};

/* Returns whether the run has a co-processor. With --profile a program is optional. */
bool profiling_is_enabled(const struct options *o);
/* Loads the program image that the options name; exits on error. */
void profiling_load(struct profiling *p, const struct options *o);
/* Creates the co-processor, starts the program on it and adds the observers of the ground truth to the set. `interrupt`
 * is called at the cycle of each interrupt. The machine is borrowed. */
void profiling_start(struct profiling *p, const struct machine_config *m, struct observers *set,
                     void (*interrupt)(void *ctx, uint64_t cycle), void *ctx);
/* The program of another co-processor: the same as that of `first`, in its initial state. */
void profiling_copy(struct profiling *p, const struct profiling *first);
/* Adds the sampler of hart `hart`, which delivers samples from its core to the co-processor, to the set. */
void profiling_sample(struct profiling *p, unsigned hart, struct observers *set);
/* profiling_sample for hart `hart`, which is not the first; also adds its observers of the ground truth. */
void profiling_sample_hart(struct profiling *p, unsigned hart, struct core *core, struct observers *set);
/* Adds the results of another hart's co-processor after the run, if driver_can_add. */
void profiling_add(struct profiling *p, const struct profiling *other);
void profiling_release(struct profiling *p);

/* Creates a driver for the current image, loads the program and starts it. */
enum status profiling_new_driver(struct profiling *p, struct driver **driver, struct errmsg *err) MUST_USE;
/* Replaces the program and its driver; on error nothing changes. The ground truth begins anew, and without that of
 * references that the first program's layouts do not name, or all of it if that program has other filters. */
enum status profiling_replace(struct profiling *p, const struct image *image, struct errmsg *err) MUST_USE;

#endif
