/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call paths of the contexts in which programs/callstack.pasm has counted events. */
#ifndef HOST_DRIVER_CALLSTACK_PATHS_H
#define HOST_DRIVER_CALLSTACK_PATHS_H

#include "contract/report.h"
#include "host/driver/generic_rows.h"

/* Adds the table `call_paths`: contexts in descending order of events, each with its call chain, the innermost
 * function first. `parent` is the index of the member with the number of the caller's context; the last member counts
 * the events. `exact`: the rows' exact events are known and shown. */
void callstack_paths(struct report *r, const struct generic_rows *rows, unsigned parent, bool exact);

#endif
