/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --baseline: the statistics of the same run without the profiling program, beside which the report says what profiling
 * cost. */
#ifndef EMU_PCEMU_BASELINE_H
#define EMU_PCEMU_BASELINE_H

#include <stdint.h>

#include "emu/pcemu/machine.h"

struct baseline {
    const char *path;         /* borrowed; NULL: none was named */
    uint64_t cycles, retired; /* of the run without the program */
};

/* Reads the file (NULL: none), which must be of that machine; or ends pcemu. */
void baseline_load(struct baseline *b, const char *path, const struct machine_config *machine);
/* The cycles of the run without the program. 0 if they are not known, or if that run was not of as many instructions,
 * which is printed. */
uint64_t baseline_cycles(const struct baseline *b, uint64_t retired);

#endif
