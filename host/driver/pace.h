/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pace of a program that pauses by a gate (emu/admission.h): how long its pauses are. The program moves a random
 * number to the gate's register, which cuts it to the register's width. The driver sets the width at each interrupt, so
 * that handlers take `budget` of 1024 cycles, a parameter of the program. The width changes only where the slots are
 * read, so counts between two reads have one scale. */
#ifndef HOST_DRIVER_PACE_H
#define HOST_DRIVER_PACE_H

#include "host/driver/driver_ops.h"

struct pace {
    unsigned width;   /* bits of the gate's register */
    uint64_t budget;  /* cycles of handlers in 1024 cycles; 0: the width is not changed */
    uint64_t spent;   /* cycles of handlers until now */
    uint64_t resumed; /* core cycle in which the program resumed after the last interrupt */
};

/* An error names the parameter that is out of range. */
enum status pace_init(struct pace *p, const struct image *im, struct errmsg *err) MUST_USE;
/* The handler of the interrupt taken in core cycle `taken` has copied the slots, at a cost of `spent` cycles: sets the
 * width for the time until the next interrupt. */
void pace_set(struct pace *p, const struct driver_env *env, uint64_t taken, uint64_t spent);

#endif
