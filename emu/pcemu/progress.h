/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far a run has got, in one line: for a terminal that is watched, and for SIGUSR1. */
#ifndef EMU_PCEMU_PROGRESS_H
#define EMU_PCEMU_PROGRESS_H

#include <stdint.h>
#include <stdio.h>

struct progress {
    const char *what; /* the phase: "run", "skip" */
    const char *unit; /* "instructions" */
    uint64_t done;    /* of them */
    uint64_t goal;    /* UINT64_MAX: not known */
    uint64_t cycles;  /* 0 where time is not modelled */
    double seconds;   /* since the phase began */
};

/* Writes the line without its end:
 * "pcemu: run: 12.3 M of 100 M instructions (12 %), 5.1 M cycles, 4.2 M/s, 21 s left", or as much of it as leaves the
 * last of `width` columns free, so that a terminal does not begin another line; 0: no limit. */
void progress_print(FILE *out, const struct progress *p, unsigned width);

#endif
