/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call paths of the contexts that programs/callstack.pasm has counted events in. */
#ifndef HOST_CALLSTACK_PATHS_H
#define HOST_CALLSTACK_PATHS_H

#include "host/generic_rows.h"
#include "isa/contract/report.h"

/* Adds the table `call_paths`: contexts by falling events, each with the functions called, the youngest first. `parent`
 * is the member of the rows that holds the number of the context in which a context was called; events are the last
 * member. With `exact`, the rows' exact events are known and shown. */
void callstack_paths(struct report *r, const struct generic_rows *rows, unsigned parent, bool exact);

#endif
