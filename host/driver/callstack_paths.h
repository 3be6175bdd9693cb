/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call paths of the contexts in which programs/callstack.pasm has counted events. */
#ifndef HOST_DRIVER_CALLSTACK_PATHS_H
#define HOST_DRIVER_CALLSTACK_PATHS_H

#include "contract/programprof.h"
#include "contract/report.h"
#include "host/driver/generic_rows.h"

/* Fills in the call paths. `parent` is the index of the member with the number of the caller's context; the last member
 * counts the events. The profile's first table has the same rows. */
void callstack_paths_fill(struct program_profile *p, const struct generic_rows *rows, unsigned parent);
/* Adds the table `call_paths`: contexts in descending order of events, each with its call chain, the innermost
 * function first. */
void callstack_paths_report(struct report *r, const struct program_profile *p);

#endif
