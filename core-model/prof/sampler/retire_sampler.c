/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sampler `retire` of the co-processor paper (sections 3.2 and 5.2): queries the filters at decode, tags accepted
 * instructions, and delivers the record of a tagged instruction when it retires, in program order. Many tagged
 * instructions can be in flight. Squashed instructions yield no record. */
#include <stdlib.h>

#include "core-model/prof/sampler/sampler.h"

struct retire_sampler {
    struct sampler base;
    struct sample_source from; /* of each sample: its instruction, and nothing else */
};

static unsigned retire_sampler_tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    (void)seq;
    return sampler_accepts(ctx, opclass, pc, cycle);
}

static void retire_sampler_tagged(void *ctx, const struct probe_insn *in, unsigned number, uint64_t cycle)
{
    struct retire_sampler *s = ctx;
    struct sample sample;
    (void)number;
    s->from.in = in;
    sample_format_fill(&s->base.format, SAMPLE_OF_INSN, &s->from, &sample);
    sampler_deliver(&s->base, &sample, (enum opclass)in->insn->opclass, cycle);
}

const struct observer_kind observer_retire_sampler = {
    .name = "retire-sampler",
    .help = "offers what retires to the co-processor, through its filters",
};

struct sampler *retire_sampler_make(const struct sampler_setup *setup, uint64_t seed, const struct sample_sink *sink)
{
    struct retire_sampler *s = xcalloc(1, sizeof *s);
    (void)setup, (void)seed;
    sampler_init(&s->base, &observer_retire_sampler, sink);
    s->base.observer.probe.tagger = (struct probe_tagger){.at = PROBE_MAPPED,
                                                          .bits = 1,
                                                          .filter = sink->filter,
                                                          .pc_filters = sink->pc_filters,
                                                          .tag = retire_sampler_tag,
                                                          .tagged = retire_sampler_tagged};
    return &s->base;
}
