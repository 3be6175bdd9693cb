/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface between driver.c and the driver of one or several programs. driver.c loads and starts the program,
 * reads the status register and writes the common head of the report. */
#ifndef HOST_DRIVER_DRIVER_OPS_H
#define HOST_DRIVER_DRIVER_OPS_H

#include "host/driver/driver.h"

struct driver_ops {
    const char *program; /* name of the program that it handles; NULL: any */
    /* The profile has shares of what each instruction does, not counts: samples that are dropped for their rate,
     * whatever they hold, do not change it. */
    bool of_shares;
    /* Makes a driver from the image, which is not loaded yet. `env` is borrowed for the driver's lifetime; its bus
     * counts accesses. */
    enum status (*create)(void **self, const struct driver_env *env, struct errmsg *err) MUST_USE;
    void (*destroy)(void *self);
    /* Handles an interrupt of the microinstruction at address `word`, taken by the core in `cycle`. Ends with a
     * restart or halt command. Bus accesses are charged to the handler's clock automatically; the driver charges work
     * on its tables with host_clock_work. */
    void (*interrupt)(void *self, unsigned word, uint64_t cycle);
    /* The operating system's timer: the cycle from which the driver requests a timer interrupt, and its handler, like
     * `interrupt`. The co-processor may be running. NULL: no timer. */
    uint64_t (*due)(const void *self);
    void (*timer)(void *self, uint64_t cycle);
    void (*finish)(void *self, uint64_t cycle);
    /* Adds the results of the same program's driver on another hart, which has finished, too. NULL: impossible. */
    void (*add)(void *self, const void *other);
    /* Fills in the profile, in which all is 0 but the label. Names are borrowed for the driver's lifetime. NULL: there
     * is none. */
    void (*profile)(void *self, struct program_profile *p);
    /* Adds that profile, and the driver's activity, to a report that has its common head; see driver_report. NULL: the
     * head is all. */
    void (*report)(void *self, const struct program_profile *p, struct report *r);
};

/* The state, of enum bus_state, in the status register. */
static inline unsigned status_state(uint64_t status) { return status & 7; }

/* In driver_env.c. Reads a parameter of the program, from 0 to `max`; `otherwise` if the image has no parameter of that
 * name. An error (ST_INPUT) names program and parameter. */
enum status driver_find_param(const struct image *im, const char *name, uint64_t otherwise, uint64_t max,
                              uint64_t *value, struct errmsg *err) MUST_USE;

/* Whether the program was stopped for good: by an illegal word, as a runaway, or by a sample whose class has no entry.
 * Of one co-processor, so not after driver_add; takes no time of the host. */
bool driver_program_stopped(const struct driver_env *env);
/* The exact reference of a layout of the program; NULL: the layout names none, or the reference is unknown. */
const struct exact_source *driver_exact(const struct driver_env *env, const struct image_layout *l);

/* The rows of drivers.def. */
#define DRIVER(symbol) extern const struct driver_ops symbol##_driver_ops;
#include "host/driver/drivers.def"

#endif
