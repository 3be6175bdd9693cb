/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units that are simulated in processes of their own, several at the same time. */
#ifndef TOOLS_PCSWEEP_UNIT_RUNS_H
#define TOOLS_PCSWEEP_UNIT_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct unit_run {
    uint64_t first, insns;
    uint64_t warming, warmup; /* instructions before it */
    bool has_result;          /* it is simulated for its profile alone */
    char *checkpoint;         /* where these begin. Owned by the caller; NULL: at the program's start. */
};

struct unit_runs {
    const char *pcemu;
    char *const *words;
    const char *input;
    const char *folder;         /* for the statistics of units, and with the file `log` of what `log` has */
    const char *results;        /* a line for each unit is appended: its first instruction, cycles, instructions */
    const char *store;          /* for the units' profiles; NULL: they have none */
    const char *const *profile; /* options of pcemu for them, up to NULL */
    uint64_t seed;              /* of the hardware's samplers; each unit has another one */
    int log;
    unsigned jobs;
};

/* The arguments of a process: the program, the options among the words, those of `options`, which take their place, and
 * the guest's words. The caller frees the array. */
const char **unit_runs_words(const char *program, const char *const *options, char *const *words);
/* Simulates the units. An error ends it when the units that have been started are complete. */
enum status unit_runs_all(const struct unit_runs *r, const struct unit_run *run, size_t count,
                          struct errmsg *err) MUST_USE;

#endif
