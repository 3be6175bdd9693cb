/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the driver of one program, or of a kind of programs, supplies to driver.c, which does for all of them the
 * loading, the starting, the look at the status register and the common head of the report. */
#ifndef HOST_DRIVER_OPS_H
#define HOST_DRIVER_OPS_H

#include "host/driver.h"

struct driver_ops {
    const char *program; /* the name of the program it serves; NULL: any */
    /* Examines the image. `env` is borrowed for the life of what is made; its bus counts accesses. The program is not
     * loaded yet. */
    enum status (*create)(void **self, const struct driver_env *env, struct errmsg *err) MUST_USE;
    void (*destroy)(void *self);
    /* `word` is the address of the microinstruction that interrupted; `cycle` is when the core took it. Ends with a
     * command: restart or halt. Accesses to the bus are charged to the handler's clock on their own; work on tables is
     * charged with host_clock_work. */
    void (*interrupt)(void *self, unsigned word, uint64_t cycle);
    /* The operating system's timer: the cycle from which the driver wants it, and what it then does, as in `interrupt`.
     * The co-processor may be at work. NULL: it wants none. */
    uint64_t (*due)(const void *self);
    void (*timer)(void *self, uint64_t cycle);
    void (*finish)(void *self, uint64_t cycle);
    /* Adds to a report that has its common head; as driver_report. */
    void (*report)(void *self, struct report *r);
};

/* A parameter of the program, from 0 to `max`; `otherwise` where the image has none of that name. An error (ST_INPUT)
 * names program and parameter. */
enum status driver_find_param(const struct image *im, const char *name, uint64_t otherwise, uint64_t max,
                              uint64_t *value, struct errmsg *err) MUST_USE;

/* The exact reference of a layout of the program; NULL: it names none, or the reference is not known. */
const struct exact_source *driver_exact(const struct driver_env *env, const struct image_layout *l);

/* The rows of drivers.def. */
#define DRIVER(symbol) extern const struct driver_ops symbol##_driver_ops;
#include "host/drivers.def"
#undef DRIVER

#endif
