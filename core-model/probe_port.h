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
        struct event_filter *filter;
    } to[CORE_MAX_OBSERVERS];
};

/* Who tags instructions. */
struct tagging {
    struct event_filter *filter; /* the sink's; NULL: nobody does */
    const struct sample_sink *sink;
    void (*tagged)(void *ctx, const struct probe_insn *in, uint64_t cycle);
    void *ctx;
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
    uint32_t cycles_wanted; /* bit per enum probe_stage: somebody reads its cycle; if of any, of FETCHED as well */
    uint32_t stages_wanted; /* bit per enum probe_stage: somebody wants to be told, or its cycle */
    struct observer_list stage_list[PROBE_STAGE_COUNT];
    struct event_filter open;       /* of those who want all */
    struct tagging tagging;
    struct token_list token_list;
    uint64_t token_from; /* only tokens that end behind this cycle are wanted by anybody; moves with each token sent */
    uint64_t banks_from; /* and with all their banks */
};

void probe_port_attach(struct probe_port *p, const struct probe_observer *o);

/* Notes the cycle of a stage, where somebody reads it. */
static inline void probe_port_note(const struct probe_port *p, struct probe_insn *in, enum probe_stage stage, uint64_t cycle)
{
    if ((p->cycles_wanted & 1u << stage) == 0)
        return;
    if (stage == PROBE_FETCHED)
        for (int s = 0; s < PROBE_STAGE_COUNT; s++)
            in->stage_cycle[s] = 0;
    in->stage_cycle[stage] = cycle;
}

/* The first from the n-th on who is to be told of an instruction of that class; the list's count if nobody is. */
static inline int probe_port_next(const struct observer_list *l, int n, enum opclass opclass, uint64_t cycle)
{
    while (n < l->count && !event_filter_passes(l->to[n].filter, opclass, cycle))
        n++;
    return n;
}

/* Is the instruction, which has just been mapped, to be tagged? Only where somebody tags. */
static inline bool probe_port_tags(const struct probe_port *p, enum opclass opclass, uint64_t pc, uint64_t cycle)
{
    return event_filter_passes(p->tagging.filter, opclass, cycle) && p->tagging.sink->accept(p->tagging.sink->ctx, opclass, pc, cycle);
}

/* Tells the n-th, who is to be told, and those behind it who are too. */
static inline void probe_port_tell(const struct observer_list *l, int n, const struct probe_insn *in, uint64_t cycle)
{
    for (; n < l->count; n = probe_port_next(l, n + 1, (enum opclass)in->insn->opclass, cycle))
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
