/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The core's part of the profiling co-processor: asks the filters at decode, tags what they let through, and exports the record of
 * a tagged instruction when it retires (co-processor paper, sections 3.2 and 5.2). Many tagged instructions can be in flight.
 * Squashed ones leave no record. */
#ifndef CORE_MODEL_PROF_RETIRE_SAMPLER_H
#define CORE_MODEL_PROF_RETIRE_SAMPLER_H

#include "core-model/prof/sample_fields.h"

struct retire_sampler {
    struct sample_sink sink;
    struct sample_format format;
};

/* `sink` is copied. The sampler must outlive the core it is attached to. */
void retire_sampler_init(struct retire_sampler *s, const struct sample_sink *sink);
struct probe_observer retire_sampler_observer(struct retire_sampler *s);

#endif
