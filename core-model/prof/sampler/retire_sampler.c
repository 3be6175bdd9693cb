/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/sampler/retire_sampler.h"

#include <stdlib.h>

#include "core-model/prof/sampler/sample_fields.h"

struct retire_sampler {
    struct observer base;
    struct sample_sink sink;
    struct sample_format format;
};

static unsigned tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    const struct retire_sampler *s = ctx;
    (void)seq;
    return s->sink.accept(s->sink.ctx, opclass, pc, cycle);
}

static void tagged(void *ctx, const struct probe_insn *in, unsigned number, uint64_t cycle)
{
    struct retire_sampler *s = ctx;
    struct sample sample;
    (void)number;
    sample_format_fill(&s->format, in, cycle, &sample);
    s->sink.deliver(s->sink.ctx, &sample);
}

void retire_sampler_set_sink(struct observer *o, const struct sample_sink *sink)
{
    struct retire_sampler *s = (struct retire_sampler *)o;
    s->sink = *sink;
    sample_format_init(&s->format, sink->wanted);
    o->probe.cycles = sample_format_stages(&s->format);
}

static void release(struct observer *o) { free(o); }

const struct observer_kind observer_retire_sampler = {
    .name = "retire-sampler",
    .help = "offers what retires to the co-processor, through its filters",
    .release = release,
};

struct observer *retire_sampler_new(const struct sample_sink *sink)
{
    struct retire_sampler *s = xcalloc(1, sizeof *s);
    s->base.kind = &observer_retire_sampler;
    s->base.probe.ctx = s;
    s->base.probe.values = true;
    s->base.probe.tagger = (struct probe_tagger){.at = PROBE_MAPPED, .bits = 1, .filter = sink->filter, .tag = tag, .tagged = tagged};
    retire_sampler_set_sink(&s->base, sink);
    return &s->base;
}
