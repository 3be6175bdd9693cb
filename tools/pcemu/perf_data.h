/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --perf: sampled instructions as perf.data, with thread, hart, address and source of their data, for perf report,
 * perf mem and perf c2c. */
#ifndef TOOLS_PCEMU_PERF_DATA_H
#define TOOLS_PCEMU_PERF_DATA_H

#include <stdio.h>

#include "core-model/linux/guest.h"
#include "core-model/prof/log/access_log.h"
#include "core-model/prof/observers.h"
#include "host/symbols/symbols.h"

struct perf_recording {
    uint64_t period; /* mean number of instructions between two samples; 0: there is no recording */
    uint64_t seed;
    bool has_llc;                             /* the core has a last-level cache behind its L2 */
    struct access_log *hart[GUEST_HARTS_MAX]; /* owned by the observers */
    unsigned harts;
};

/* Adds the observer of a further hart to its set. */
void perf_recording_add_hart(struct perf_recording *r, struct observers *set);

/* Writes the file, after the observers have finished. `command`: the guest's command line, as for a shell; `symbols`
 * may be NULL. */
void perf_recording_write(const struct perf_recording *r, const struct symbols *symbols, const char *guest,
                          const char *command, FILE *out);

#endif
