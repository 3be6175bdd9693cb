/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact value profile of a run: for each static load the number of retirements, the values with counts, and the
 * number of runs of equal values. Ground truth for sampled value profiles (co-processor paper, section 5.3: "a complete
 * profile"). Values have 64 bits. */
#ifndef CORE_MODEL_PROF_EXACT_VALUES_H
#define CORE_MODEL_PROF_EXACT_VALUES_H

#include "contract/opclass.h"
#include "contract/truth.h"
#include "core-model/prof/observer.h"

struct exact_values;

/* Observes the results of instructions of the classes in the bit set (enum opclass). Memory grows with the number of
 * distinct <load, value> pairs, up to about 64 bytes each, and with that of loads. */
struct exact_values *exact_values_new(uint32_t classes);
/* The observer, to be added to a run's set, or released by its kind. */
struct observer *exact_values_observer(struct exact_values *x);
/* Counts one instance, for runs without a core. */
void exact_values_add(struct exact_values *x, enum opclass c, uint64_t pc, uint64_t value);
struct truth exact_values_truth(struct exact_values *x);
/* Leaves out what has been added until now. */
void exact_values_restart(struct exact_values *x);

#endif
