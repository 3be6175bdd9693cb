/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/log/access_log.h"

#include <stdlib.h>

#include "core-model/prof/count/selection.h"

struct access_log {
    struct observer base;
    struct selection selection;
    struct access_sample *sample;
    size_t samples;
    uint32_t thread; /* that runs */
};

static unsigned access_log_tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    struct access_log *log = ctx;
    const struct selected selected = selection_look(&log->selection, seq, cycle);
    (void)pc, (void)opclass;
    selection_go_on(&log->selection, selected);
    return selected.counter ? 1 : 0;
}

static uint32_t access_log_latency(const struct probe_insn *in)
{
    const uint64_t issued = in->stage_cycle[PROBE_ISSUED], loaded = in->stage_cycle[PROBE_LOAD_COMPLETED];
    const uint64_t end = loaded != 0 ? loaded : in->stage_cycle[PROBE_READY_TO_RETIRE];
    const uint64_t latency = issued != 0 && end > issued ? end - issued : 0;
    return latency < UINT32_MAX ? (uint32_t)latency : UINT32_MAX;
}

static void access_log_tagged(void *ctx, const struct probe_insn *in, unsigned tag, uint64_t cycle)
{
    struct access_log *log = ctx;
    (void)tag, (void)cycle;
    log->sample = xgrow(log->sample, log->samples, sizeof *log->sample);
    log->sample[log->samples++] = (struct access_sample){
        .pc = in->pc,
        .address = in->outcome->mem_bytes != 0 ? in->outcome->ea : 0,
        .cycle = in->stage_cycle[PROBE_RETIRED],
        .latency = access_log_latency(in),
        .events = in->events,
        .thread = log->thread,
        .bytes = in->outcome->mem_bytes,
        .reads = (in->insn->flags & RV_LOAD) != 0,
        .writes = (in->insn->flags & RV_STORE) != 0,
        .is_atomic = in->insn->opclass == OPCLASS_ATOMIC,
    };
}

static void access_log_kernel(void *ctx, const struct probe_kernel *k)
{
    struct access_log *log = ctx;
    if (k->thread != 0)
        log->thread = (uint32_t)k->thread;
}

static void access_log_attach(struct observer *o, struct core *core)
{
    selection_attach(&((struct access_log *)o)->selection, core);
}

static void access_log_release(struct observer *o)
{
    free(((struct access_log *)o)->sample);
    free(o);
}

const struct observer_kind observer_access_log = {
    .name = "perf",
    .help = "sampled instructions one by one, with the data that they access, for perf",
    .attach = access_log_attach,
    .release = access_log_release,
};

struct access_log *access_log_new(uint64_t period, uint64_t seed)
{
    struct access_log *log = xcalloc(1, sizeof *log);
    struct probe_listener *o = &log->base.probe;
    log->base.kind = &observer_access_log;
    log->thread = 1;
    selection_init(&log->selection, &(struct profileme_choice){.period = period}, seed);
    *o = (struct probe_listener){.ctx = log, .values = true, .kernel = access_log_kernel};
    o->cycles = 1u << PROBE_ISSUED | 1u << PROBE_LOAD_COMPLETED | 1u << PROBE_READY_TO_RETIRE | 1u << PROBE_RETIRED;
    o->tagger = (struct probe_tagger){.bits = 1, .tag = access_log_tag, .tagged = access_log_tagged, .complete = true};
    selection_subscribe(&log->selection, &o->tagger);
    return log;
}

struct observer *access_log_observer(struct access_log *log) { return &log->base; }

const struct access_sample *access_log_samples(const struct access_log *log, size_t *count)
{
    *count = log->samples;
    return log->sample;
}
