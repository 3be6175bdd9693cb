/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The core's part of the profiling co-processor: asks the filters at decode, tags what they let through, and exports
 * the record of a tagged instruction when it retires (co-processor paper, sections 3.2 and 5.2). Many tagged
 * instructions can be in flight. Squashed ones leave no record. */
#ifndef CORE_MODEL_PROF_RETIRE_SAMPLER_H
#define CORE_MODEL_PROF_RETIRE_SAMPLER_H

#include "core-model/prof/observer.h"
#include "isa/contract/sample.h"

/* `sink` is copied. The sampler must outlive the core it is attached to. */
struct observer *retire_sampler_new(const struct sample_sink *sink);
/* The sink has another program now, which may want other fields. A core that the sampler is attached to already does
 * not keep the cycles of stages that only they need, unless another observer reads them. */
void retire_sampler_set_sink(struct observer *o, const struct sample_sink *sink);

#endif
