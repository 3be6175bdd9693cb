/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --baseline: statistics of the same run without the profiling program, from which the report computes the overhead of
 * profiling. */
#ifndef TOOLS_PCEMU_BASELINE_H
#define TOOLS_PCEMU_BASELINE_H

#include <stdint.h>

#include "tools/pcemu/machine.h"

struct baseline {
    const char *path;         /* borrowed; NULL: none given */
    uint64_t cycles, retired; /* of the baseline run */
};

/* Reads the statistics file (NULL: none), which must be of the same machine; exits on error. */
void baseline_load(struct baseline *b, const char *path, const struct machine_config *machine);
/* Cycles of the baseline run. 0 if there is no baseline, or if it retired a number of instructions that differs by more
 * than 0.1 %, which prints a warning. */
uint64_t baseline_cycles(const struct baseline *b, uint64_t retired);

#endif
