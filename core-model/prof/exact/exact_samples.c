/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact references of runs over samples from a file: samples take the place of a core's instructions. */
#include "core-model/prof/exact/exact.h"

/* Second argument of the expansion of `source`: the probe event of EVENT(...), else 0. */
#define SECOND(...) SECOND_OF(__VA_ARGS__, 0, )
#define SECOND_OF(first, second, ...) second
#define PROBE_OF_EVENT(event) , PROBE_##event

/* Bit mask of the events whose fields are set. */
static uint32_t events_of(const struct sample *s)
{
    uint32_t events = 0;
#define FIELD(sym, name, width, group, source, ...) \
    events |= s->field[FIELD_##sym] != 0 ? SECOND(PROBE_OF_##source) : 0;
#include "isa/sample.def"
    return events;
}

static struct rv_insn insn_of(const struct sample *s)
{
    const uint64_t *field = s->field;
    return (struct rv_insn){
        .opclass = (uint8_t)s->opclass,
        .dst = (uint8_t)field[FIELD_RD],
        .src = {(uint8_t)field[FIELD_RS1], (uint8_t)field[FIELD_RS2]},
        .length_bytes = field[FIELD_LENGTH] != 0 ? (uint8_t)field[FIELD_LENGTH] : 4,
        .imm = (int32_t)field[FIELD_IMM],
        .word = (uint32_t)field[FIELD_WORD],
    };
}

/* A 64-bit field or, if it is 0, a part of it. */
static uint64_t either(uint64_t whole, uint64_t part) { return whole != 0 ? whole : part; }

static struct rv_outcome outcome_of(const struct sample *s)
{
    const uint64_t *field = s->field;
    const uint32_t stores = 1u << OPCLASS_STORE | 1u << OPCLASS_FSTORE | 1u << OPCLASS_ATOMIC;
    return (struct rv_outcome){
        .next_pc = either(field[FIELD_TARGET], sample_pc_of((uint32_t)field[FIELD_TARGET32])),
        .value = either(field[FIELD_RESULT], field[FIELD_RESULT32]),
        .ea = either(field[FIELD_EA],
                     either(field[FIELD_EALOW], either(field[FIELD_EA32] << 3, field[FIELD_LINE32] << 6))),
        .operand = {field[FIELD_OPERAND1], field[FIELD_OPERAND2]},
        .mem_bytes = (uint8_t)field[FIELD_BYTES],
        .wrote_mem = field[FIELD_BYTES] != 0 && (stores >> s->opclass & 1) != 0,
        .taken = field[FIELD_TAKEN] != 0,
    };
}

/* Derives the cycles of the stages from the latencies; the fetch is in cycle 1. */
static void set_stages(struct probe_insn *in, const struct sample *s)
{
    const uint64_t *field = s->field;
    uint64_t *at = in->stage_cycle;
    at[PROBE_FETCHED] = 1;
    at[PROBE_MAPPED] = at[PROBE_FETCHED] + field[FIELD_DISPATCH];
    at[PROBE_DATA_READY] = at[PROBE_MAPPED] + field[FIELD_DATAREADY];
    at[PROBE_ISSUED] = at[PROBE_MAPPED] + field[FIELD_ISSUE];
    at[PROBE_LOAD_COMPLETED] = at[PROBE_ISSUED] + field[FIELD_MEMLAT];
    at[PROBE_READY_TO_RETIRE] = at[PROBE_ISSUED] + field[FIELD_EXECUTION];
    at[PROBE_RETIRED] = at[PROBE_READY_TO_RETIRE] + field[FIELD_RETWAIT];
    in->retired_before = at[PROBE_RETIRED] - field[FIELD_RETDELAY];
}

bool exact_takes_samples(const struct observer *o)
{
    return (o->probe.stage[PROBE_RETIRED] != NULL || o->probe.result != NULL) && o->probe.token == NULL;
}

static bool exact_samples_passes(struct event_filter *filter, const struct sample *s)
{
    return filter == NULL || event_filter_passes(filter, s->opclass, s->cycle);
}

void exact_add_sample(struct observer *o, const struct sample *s)
{
    const struct rv_insn insn = insn_of(s);
    const struct rv_outcome outcome = outcome_of(s);
    struct probe_insn in = {
        .seq = s->field[FIELD_SEQ] + 1,
        .pc = either(s->field[FIELD_PC], sample_pc_of((uint32_t)s->field[FIELD_PC32])),
        .insn = &insn,
        .outcome = &outcome,
        .history = either(s->field[FIELD_HISTORY], s->field[FIELD_HISTORY3]),
        .events = events_of(s),
        .sp = s->field[FIELD_SP],
        .evicted = either(s->field[FIELD_EVICTED], s->field[FIELD_EVICTED32] << 6),
    };
    set_stages(&in, s);
    void (*retired)(void *ctx, const struct probe_insn *, uint64_t cycle) = o->probe.stage[PROBE_RETIRED];
    const struct probe_tagger *t = &o->probe.tagger;
    if (retired != NULL && exact_samples_passes(o->probe.filter[PROBE_RETIRED], s))
        retired(o->probe.ctx, &in, s->cycle);
    if (o->probe.result != NULL && (o->probe.result_classes >> s->opclass & 1) != 0)
        o->probe.result(o->probe.ctx, s->opclass, in.pc, outcome.value);
    if (t->tag != NULL && exact_samples_passes(t->filter, s))
        t->tagged(o->probe.ctx, &in, t->tag(o->probe.ctx, in.seq, in.pc, s->opclass, s->cycle), s->cycle);
}
