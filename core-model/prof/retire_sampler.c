/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/retire_sampler.h"

#include <stdlib.h>

static uint64_t since(const struct probe_insn *in, enum probe_stage from, enum probe_stage to)
{
    uint64_t a = in->stage_cycle[from], b = in->stage_cycle[to];
    if (a == 0 || b <= a)
        return 0;
    return b - a < UINT16_MAX ? b - a : UINT16_MAX; /* a latency field holds 16 bits and saturates */
}

/* One field of the record, before it is cut to its width. */
static uint64_t field_value(const struct probe_insn *in, enum sample_field f, uint64_t cycle)
{
    const struct rv_outcome *o = in->outcome;
    const struct rv_insn *i = in->insn;
    switch (f) {
    case FIELD_PC:
        return in->pc;
    case FIELD_PC32:
        return sample_pc32(in->pc);
    case FIELD_WORD:
        return i->word;
    case FIELD_CLASS:
        return i->opclass;
    case FIELD_LENGTH:
        return i->length_bytes;
    case FIELD_RD:
        return i->dst;
    case FIELD_RS1:
        return i->src[0];
    case FIELD_RS2:
        return i->src[1];
    case FIELD_IMM:
        return (uint32_t)i->imm;
    case FIELD_TARGET:
        return o->next_pc;
    case FIELD_TARGET32:
        return sample_pc32(o->next_pc);
    case FIELD_OPERAND1:
        return o->operand[0];
    case FIELD_OPERAND2:
        return o->operand[1];
    case FIELD_RESULT:
    case FIELD_RESULT32:
        return o->value;
    case FIELD_EA:
        return o->ea;
    case FIELD_EA32:
        return o->ea >> 3;
    case FIELD_BYTES:
        return o->mem_bytes;
    case FIELD_EVENTS:
        return in->events & 0x3ff;
    case FIELD_ICMISS:
        return (in->events & PROBE_ICACHE_MISS) != 0;
    case FIELD_ITMISS:
        return (in->events & PROBE_ITLB_MISS) != 0;
    case FIELD_L1MISS:
        return (in->events & PROBE_DCACHE_MISS) != 0;
    case FIELD_L2MISS:
        return (in->events & PROBE_L2_MISS) != 0;
    case FIELD_LLMISS:
        return (in->events & PROBE_LLC_MISS) != 0;
    case FIELD_DTMISS:
        return (in->events & PROBE_DTLB_MISS) != 0;
    case FIELD_TAKEN:
        return (in->events & PROBE_TAKEN) != 0;
    case FIELD_MISPRED:
        return (in->events & PROBE_MISPREDICTED) != 0;
    case FIELD_FORWARD:
        return (in->events & PROBE_FORWARDED) != 0;
    case FIELD_REPLAY:
        return (in->events & PROBE_REPLAYED) != 0;
    case FIELD_DISPATCH:
        return since(in, PROBE_FETCHED, PROBE_MAPPED);
    case FIELD_ISSUE:
        return since(in, PROBE_MAPPED, PROBE_ISSUED);
    case FIELD_EXECUTION:
        return since(in, PROBE_ISSUED, PROBE_READY_TO_RETIRE);
    case FIELD_RETWAIT:
        return since(in, PROBE_READY_TO_RETIRE, PROBE_RETIRED);
    case FIELD_TOTAL:
        return since(in, PROBE_FETCHED, PROBE_RETIRED);
    case FIELD_MEMLAT:
        return since(in, PROBE_ISSUED, PROBE_LOAD_COMPLETED);
    case FIELD_HISTORY:
        return in->history;
    case FIELD_CYCLE:
        return cycle;
    case FIELD_COUNT:
        break;
    }
    return 0;
}

static unsigned tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    const struct retire_sampler *s = ctx;
    (void)seq;
    return s->sink.accept(s->sink.ctx, opclass, pc, cycle);
}

static void tagged(void *ctx, const struct probe_insn *in, unsigned tag, uint64_t cycle)
{
    (void)tag;
    struct retire_sampler *s = ctx;
    struct sample sample;
    sample.opclass = (enum opclass)in->insn->opclass;
    sample.cycle = cycle;
    for (unsigned i = 0; i < s->fields; i++)
        sample.field[s->wanted[i].field] = field_value(in, s->wanted[i].field, cycle) & s->wanted[i].ones;
    s->sink.deliver(s->sink.ctx, &sample);
}

static void choose_fields(struct retire_sampler *s)
{
    static const uint64_t latencies = UINT64_C(1) << FIELD_DISPATCH | UINT64_C(1) << FIELD_ISSUE | UINT64_C(1) << FIELD_EXECUTION |
                                      UINT64_C(1) << FIELD_RETWAIT | UINT64_C(1) << FIELD_TOTAL | UINT64_C(1) << FIELD_MEMLAT;
    s->base.probe.cycles = s->sink.wanted & latencies ? PROBE_ALL_CYCLES : 0;
    s->fields = 0;
    for (unsigned f = 0; f < FIELD_COUNT; f++) {
        if ((s->sink.wanted >> f & 1) == 0)
            continue;
        s->wanted[s->fields].field = (enum sample_field)f;
        s->wanted[s->fields++].ones = UINT64_MAX >> (64 - sample_fields[f].width_bits);
    }
}

struct observer *retire_sampler_new(const struct sample_sink *sink)
{
    struct retire_sampler *s = xcalloc(1, sizeof *s);
    s->sink = *sink;
    s->base.kind = &observer_retire_sampler;
    s->base.probe.ctx = s;
    s->base.probe.tagger = (struct probe_tagger){.at = PROBE_MAPPED, .bits = 1, .filter = s->sink.filter, .tag = tag, .tagged = tagged};
    choose_fields(s);
    return &s->base;
}

void retire_sampler_set_sink(struct observer *o, const struct sample_sink *sink)
{
    struct retire_sampler *s = (struct retire_sampler *)o;
    s->sink = *sink;
    choose_fields(s);
}

static void release(struct observer *o) { free(o); }

const struct observer_kind observer_retire_sampler = {
    .name = "retire-sampler",
    .help = "offers what retires to the co-processor, through its filters",
    .release = release,
};
