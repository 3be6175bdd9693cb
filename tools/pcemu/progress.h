/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Progress of a run in one line: for an interactive terminal and for SIGUSR1. */
#ifndef TOOLS_PCEMU_PROGRESS_H
#define TOOLS_PCEMU_PROGRESS_H

#include <stdint.h>
#include <stdio.h>

struct progress {
    const char *what; /* the phase: "run", "skip" */
    const char *unit; /* "instructions" */
    uint64_t done;    /* units completed */
    uint64_t goal;    /* units in total; UINT64_MAX: unknown */
    uint64_t cycles;  /* simulated cycles; 0: no timing model */
    double seconds;   /* host time since the start of the phase */
};

/* Writes the line without its end:
 * "pcemu: run: 12.3 M of 100 M instructions (12 %), 5.1 M cycles, 4.2 M/s, 21 s left", or as much of it as leaves the
 * last of `width` columns free, so that a terminal does not begin another line; 0: no limit. */
void progress_print(FILE *out, const struct progress *p, unsigned width);

#endif
