/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The work of pcsweep estimate: functional passes for vectors and checkpoints, and the units, each a process of pcemu.
 * All of it is in a folder, so that an interrupted estimate goes on:
 *
 *     command          the words of pcemu, the hashes of pcemu and of files that words name, and what units are
 *                      (those of a later command have to be the same)
 *     locks            locked while an estimate runs
 *     vectors.bb       basic-block vectors
 *     regions          the regions file
 *     checkpoints.N    the warmed checkpoints of pass N
 *     results          a line for each unit that has been simulated
 *     profile.HASH.db  a store with the profiles of units, by the hash of the options that make them
 *     log              what pcemu has printed on standard error
 */
#ifndef TOOLS_PCSWEEP_ESTIMATE_WORK_H
#define TOOLS_PCSWEEP_ESTIMATE_WORK_H

#include <stdbool.h>

#include "host/region/results.h"

struct estimate_checkpoint {
    uint64_t at; /* instructions before it */
    unsigned pass;
};

struct estimate_work {
    char *const *words; /* options of pcemu, program, arguments. Borrowed. */
    const char *input;  /* the program's standard input. Borrowed; NULL: none. */
    uint64_t unit, warmup, seed, first_units, most_strata;
    unsigned jobs;
    const char *profilers; /* of each unit, as of pcemu --profile. Borrowed; NULL: none. */
    const char *questions; /* a file, as of pcemu --gain, for each unit. Borrowed; NULL: none. */
    const char *given;     /* the folder as the user has named it. Borrowed; NULL: a temporary one. */
    char *folder;
    int watched;            /* of a temporary folder, which is removed when this descriptor is closed; else -1 */
    char *pcemu;            /* the program beside this one */
    char *store;            /* for the profiles of units; NULL: they have none */
    const char *profile[5]; /* options of pcemu for them, up to NULL */
    int log, locks;         /* descriptors */
    struct region_results results;
    struct estimate_checkpoint *checkpoint; /* ascending */
    size_t checkpoints;
};

/* Makes the folder, or checks that it is one of the same command, and locks it. `folder` NULL: a temporary one. */
enum status estimate_work_open(struct estimate_work *w, const char *folder, struct errmsg *err) MUST_USE;
/* Closes the folder, and removes a temporary one. */
void estimate_work_close(struct estimate_work *w);
/* The path of a file in the folder; the caller frees it. */
char *estimate_work_path(const struct estimate_work *w, const char *name);
/* Makes the vectors, if they are not there. */
enum status estimate_work_vectors(struct estimate_work *w, struct errmsg *err) MUST_USE;
/* Simulates the chosen units that have no result, and reads all results. */
enum status estimate_work_units(struct estimate_work *w, const struct region_plan *p, struct errmsg *err) MUST_USE;
/* The instructions that warm the caches before a unit that has been simulated. */
uint64_t estimate_work_warming(const struct estimate_work *w, uint64_t first);

#endif
