/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Textual view of a core's state: instructions in flight, occupancy of its queues, and the stall reason of the oldest
 * instruction. */
#ifndef CORE_MODEL_CORE_INSPECT_H
#define CORE_MODEL_CORE_INSPECT_H

#include "core-model/core.h"

/* Prints the core's current state, the oldest instruction first. May be called at any time, also by an observer. */
void core_print_view(const struct core *c, FILE *out);

#endif
