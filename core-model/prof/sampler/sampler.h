/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The samplers: observers that deliver samples to the co-processor's sample sink, one per row of
 * isa/sampler.def. Entry points: sampler_new, sampler_set_sink; all else is for the implementation of
 * samplers. */
#ifndef CORE_MODEL_PROF_SAMPLER_H
#define CORE_MODEL_PROF_SAMPLER_H

#include "core-model/prof/observer.h"
#include "core-model/prof/sampler/sample_fields.h"
#include "isa/sampler.h"

/* Creates a sampler for the sink, which is copied. `seed`: seed of the run. The setup must be valid (sampler_check).
 * The sampler must outlive the core to which it is attached. */
struct observer *sampler_new(const struct sampler_setup *setup, uint64_t seed, const struct sample_sink *sink);
/* Sets where the sampler counts its selections; borrowed. Without it they are not counted. */
void sampler_count_selections(struct observer *o, struct sampler_selections *selections);
/* Sets the number of the hart, otherwise 0. */
void sampler_set_hart(struct observer *o, unsigned hart);
/* Sets the sink after a change of its program, which may request other fields. A core to which the sampler is already
 * attached does not record the cycles of stages that only the new fields need, unless another observer reads them. */
void sampler_set_sink(struct observer *o, const struct sample_sink *sink);

/* Base of all samplers: first member of their structures. */
struct sampler {
    struct observer observer;
    struct sample_sink sink;
    struct sample_format format;
    unsigned hart;                         /* its number */
    uint64_t delivered;                    /* number of samples */
    struct sampler_selections *selections; /* borrowed; NULL: not counted */
    struct probe_listener time;            /* advances the sink (sampler_pass_time) */
};

/* Constructors, one per row of sampler.def. `seed`: seed of the run. */
typedef struct sampler *sampler_make(const struct sampler_setup *setup, uint64_t seed, const struct sample_sink *sink);
#define SAMPLER(sym, name, ...) sampler_make name##_sampler_make;
#include "isa/sampler.def"

/* Initialises the base of a new sampler. */
void sampler_init(struct sampler *s, const struct observer_kind *kind, const struct sample_sink *sink);
/* To be called from `attach` of a sampler that does not query the sink for each instruction that enters the back end:
 * subscribes to calls that advance the sink when due. This is a separate subscription, because the core records less
 * for an observer with only tags. */
void sampler_pass_time(struct sampler *s, struct core *core);

/* Returns whether the co-processor's filters accept the instruction. */
static inline bool sampler_accepts(const struct sampler *s, enum opclass opclass, uint64_t pc, uint64_t cycle)
{
    return s->sink.accept(s->sink.ctx, opclass, pc, cycle);
}

/* Fills in SAMPLE_OF_DELIVERY and delivers the sample. Its opcode class is that of the instruction to which the filters
 * were applied. */
static inline void sampler_deliver(struct sampler *s, struct sample *sample, enum opclass opclass, uint64_t cycle)
{
    sample->opclass = opclass;
    sample->cycle = cycle;
    if (s->format.fields[SAMPLE_OF_DELIVERY] != 0) {
        struct sample_source from = {.cycle = cycle, .hart = s->hart, .number = s->delivered};
        sample_format_fill(&s->format, SAMPLE_OF_DELIVERY, &from, sample);
    }
    s->delivered++;
    s->sink.deliver(s->sink.ctx, sample);
}

#endif
