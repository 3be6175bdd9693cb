/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions shared by all samplers. Entry points: sampler.h. */
#include "core-model/prof/sampler/sampler.h"

static sampler_make *const makes[SAMPLER_COUNT] = {
#define SAMPLER(sym, name, ...) [SAMPLER_##sym] = name##_sampler_make,
#include "isa/sampler.def"
};

struct observer *sampler_new(const struct sampler_setup *setup, uint64_t seed, const struct sample_sink *sink)
{
    return &makes[setup->sampler](setup, seed, sink)->observer;
}

void sampler_count_selections(struct observer *o, struct sampler_selections *selections)
{
    ((struct sampler *)o)->selections = selections;
}

void sampler_set_hart(struct observer *o, unsigned hart) { ((struct sampler *)o)->hart = hart; }

static void sampler_mapped(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    const struct sampler *s = ctx;
    (void)in;
    s->sink.pass_time(s->sink.ctx, cycle);
}

void sampler_init(struct sampler *s, const struct observer_kind *kind, const struct sample_sink *sink)
{
    s->observer.kind = kind;
    s->observer.probe.ctx = s;
    s->observer.probe.values = true;
    sampler_set_sink(&s->observer, sink);
}

void sampler_pass_time(struct sampler *s, struct core *core)
{
    s->time = (struct probe_listener){
        .ctx = s, .stage = {[PROBE_MAPPED] = sampler_mapped}, .filter = {[PROBE_MAPPED] = s->sink.due}};
    core_subscribe(core, &s->time);
}

void sampler_set_sink(struct observer *o, const struct sample_sink *sink)
{
    struct sampler *s = (struct sampler *)o;
    s->sink = *sink;
    sample_format_init(&s->format, &sink->wanted);
    o->probe.cycles = sample_format_stages(&s->format);
    o->probe.extras = sample_format_extras(&s->format);
}
