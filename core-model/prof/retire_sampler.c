/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/retire_sampler.h"

static void tagged(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct retire_sampler *s = ctx;
    struct sample sample;
    sample_format_fill(&s->format, in, cycle, &sample);
    s->sink.deliver(s->sink.ctx, &sample);
}

void retire_sampler_init(struct retire_sampler *s, const struct sample_sink *sink)
{
    *s = (struct retire_sampler){.sink = *sink};
    sample_format_init(&s->format, sink->wanted);
}

struct probe_observer retire_sampler_observer(struct retire_sampler *s)
{
    return (struct probe_observer){
        .ctx = s, .cycles = sample_format_stages(&s->format), .tagger = &s->sink, .tagged = tagged};
}
