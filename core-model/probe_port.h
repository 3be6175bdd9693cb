/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probe port's sending side, which the cores share: per-stage lists of those who want the stage. See probe.h. */
#ifndef CORE_MODEL_PROBE_PORT_H
#define CORE_MODEL_PROBE_PORT_H

#include "core-model/core.h"

/* Those who want one stage. */
struct observer_list {
    int count;
    struct {
        void (*call)(void *ctx, const struct probe_insn *in, uint64_t cycle);
        void *ctx;
    } to[CORE_MAX_OBSERVERS];
};

struct token_list {
    int count;
    struct {
        void (*call)(void *ctx, const struct probe_token *t);
        void *ctx;
        const uint64_t *from;
        bool outline;
    } to[CORE_MAX_OBSERVERS];
};

struct probe_port {
    uint32_t stages_wanted; /* bit per enum probe_stage: somebody wants it */
    struct observer_list stage_list[PROBE_STAGE_COUNT];
    struct token_list token_list;
    uint64_t token_from; /* only tokens that end behind this cycle are wanted by anybody; moves with each token sent */
    uint64_t banks_from; /* and with all their banks */
};

void probe_port_attach(struct probe_port *p, const struct probe_observer *o);
/* Field by field: a whole structure of this size is cleared by a string instruction, which takes longer than all the rest. */
static inline void probe_insn_begin(struct probe_insn *p, uint64_t seq, uint64_t pc, const struct rv_insn *in, const struct rv_outcome *o,
                                    uint64_t history)
{
    p->seq = seq;
    p->pc = pc;
    p->insn = in;
    p->outcome = o;
    p->history = history;
#define STAGE(sym, name, meaning) p->stage_cycle[PROBE_##sym] = 0;
#include "core-model/probe.def"
    p->events = 0;
    p->cause = 0;
}

static inline void probe_port_stage(const struct probe_port *p, const struct probe_insn *in, enum probe_stage stage, uint64_t cycle)
{
    const struct observer_list *l = &p->stage_list[stage];
    for (int n = 0; n < l->count; n++)
        l->to[n].call(l->to[n].ctx, in, cycle);
}

void probe_port_token(struct probe_port *p, const struct probe_token *t);

static inline void probe_note_commit(struct probe_token *t, uint64_t pc, bool mispredicted, bool flushes)
{
    t->oir = (struct probe_oir){.pc = pc, .mispredicted = mispredicted, .flush = flushes};
    t->last_commit = pc;
    t->last_handler = false;
}

/* What follows from the rest of the token where nothing commits. */
static inline void probe_note_no_commit(struct probe_token *t)
{
    if (t->exception)
        t->oir = (struct probe_oir){.pc = t->exception_pc, .exception = true};
    else if (t->handler)
        t->oir = (struct probe_oir){.flush = true};
    if (t->handler) {
        t->last_commit = 0;
        t->last_handler = true;
    }
}

#endif
