/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A look into a core for people: what is in flight, how full its queues are, and what the oldest instruction waits for.
 */
#ifndef CORE_MODEL_CORE_INSPECT_H
#define CORE_MODEL_CORE_INSPECT_H

#include "core-model/core.h"

/* Prints the core as it stands, the oldest instruction first. Good at any time, also within an observer's call. */
void core_print_view(const struct core *c, FILE *out);

#endif
