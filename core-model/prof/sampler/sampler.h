/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The samplers, which feed the co-processor: observers whose samples go to a sample sink, chosen by a row of
 * isa/contract/sampler.def. Entry points: sampler_new, sampler_set_sink; the rest is for files that implement one. */
#ifndef CORE_MODEL_PROF_SAMPLER_H
#define CORE_MODEL_PROF_SAMPLER_H

#include "core-model/prof/observer.h"
#include "core-model/prof/sampler/sample_fields.h"
#include "isa/contract/sampler.h"

/* A sampler for the sink, which is copied. `seed` is the run's. The setup is a sound one (sampler_check). The sampler
 * must outlive the core it is attached to. */
struct observer *sampler_new(const struct sampler_setup *setup, uint64_t seed, const struct sample_sink *sink);
/* The sink has another program now, which may want other fields. A core that the sampler is attached to already does
 * not keep the cycles of stages that only they need, unless another observer reads them. */
void sampler_set_sink(struct observer *o, const struct sample_sink *sink);

/* What all samplers have: their structures begin with it. */
struct sampler {
    struct observer observer;
    struct sample_sink sink;
    struct sample_format format;
    uint64_t delivered;         /* number of samples */
    struct probe_observer time; /* calls the sink when time is to pass: see sampler_pass_time */
};

/* The constructors, one for each row of sampler.def. `seed` is the run's. */
typedef struct sampler *sampler_make(const struct sampler_setup *setup, uint64_t seed, const struct sample_sink *sink);
sampler_make retire_sampler_make, profileme_sampler_make, tip_sampler_make;

/* Fills the base of a new sampler. */
void sampler_init(struct sampler *s, const struct observer_kind *kind, const struct sample_sink *sink);
/* To be called from `attach` of a sampler that does not ask the sink about each instruction that enters the back end:
 * the sink is then called when time is to pass. It is a subscription of its own, since the core keeps less for an
 * observer that has tags alone. */
void sampler_pass_time(struct sampler *s, struct core *core);

/* Do the co-processor's filters let the instruction through? */
static inline bool sampler_accepts(const struct sampler *s, enum opclass opclass, uint64_t pc, uint64_t cycle)
{
    return s->sink.accept(s->sink.ctx, opclass, pc, cycle);
}

/* Delivers a sample whose other parts are filled. Its class is that of the instruction by which the filters have judged
 * it. */
static inline void sampler_deliver(struct sampler *s, struct sample *sample, enum opclass opclass, uint64_t cycle)
{
    struct sample_source from = {.cycle = cycle, .number = s->delivered++};
    sample->opclass = opclass;
    sample->cycle = cycle;
    sample_format_fill(&s->format, SAMPLE_OF_DELIVERY, &from, sample);
    s->sink.deliver(s->sink.ctx, sample);
}

#endif
