/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact value profile of a run: for each static load, how often it retired, with which values, and in how
 * many stretches of one value. The reference that a sampled value profile is set beside (co-processor paper, section 5.3: "a complete
 * profile"). It sees 64-bit values. */
#ifndef CORE_MODEL_PROF_EXACT_VALUES_H
#define CORE_MODEL_PROF_EXACT_VALUES_H

#include "core-model/probe.h"
#include "isa/opclass.h"
#include "isa/contract/truth.h"

struct exact_values;

/* Counts instructions of the classes in the bit set (enum opclass). Memory grows with the number of distinct <load, value> pairs and
 * with that of loads, 24 bytes each. */
struct exact_values *exact_values_new(uint32_t classes);
void exact_values_free(struct exact_values *x);
/* Counts one instance, where there is no core to observe. */
void exact_values_add(struct exact_values *x, enum opclass c, uint64_t pc, uint64_t value);
struct probe_observer exact_values_observer(struct exact_values *x);
/* Observes, in the place of results, which way branches went: the value is 1 where an instruction was taken, else 0. */
struct probe_observer exact_taken_observer(struct exact_values *x);
struct truth exact_values_truth(struct exact_values *x);

#endif
