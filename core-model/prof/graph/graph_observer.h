/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions to the observer `graph` besides those about each instruction. */
#ifndef CORE_MODEL_PROF_GRAPH_GRAPH_OBSERVER_H
#define CORE_MODEL_PROF_GRAPH_GRAPH_OBSERVER_H

#include "core-model/ideal.h"
#include "core-model/prof/observer.h"

/* The profile will have the gain without all causes of each of these sets of instructions (`asked` of struct
 * graph_profile). Observers of other kinds have no effect. To be called before the run; the sets are borrowed until the
 * observer has finished. */
void graph_observer_ask(struct observer *o, const struct ideal *const *asked, size_t count);

#endif
