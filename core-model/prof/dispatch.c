/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two that select where instructions enter the back end, not where they leave it (TIP paper, section 2.1).
 *
 * dispatch, as AMD's IBS and Arm's SPE: the first instruction dispatched at or after the trigger is tagged, and the sample delivered
 * when it retires. If it is squashed the sample is lost, and the next one stands for its time. A trigger while an interrupt's handler
 * runs tags the handler's code.
 *
 * software: the interrupt enters the pipeline at the trigger, before the first instruction that has not been dispatched; what is older
 * drains, and the handler finds that instruction's address. If it is squashed, so is the interrupt, which enters again on the right
 * path. The sampling handler's own time is not modelled. */
#include "core-model/prof/profiler.h"

#include "isa/support/status.h"

struct tagger {
    uint64_t seq;     /* of the tagged instruction; 0: none */
    uint64_t weight;  /* cycles that its sample stands for */
    uint64_t carried; /* cycles of triggers that found the tag in use, and of lost samples */
    bool reinjects;
};

static void tag(struct tagger *g, const struct probe_insn *in)
{
    g->seq = in->seq;
    g->weight = g->carried;
    g->carried = 0;
}

static void mapped(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct profiler *p = ctx;
    struct tagger *g = p->state;
    bool due = g->reinjects && g->carried != 0;
    while (schedule_due(&p->schedule, cycle + 1)) {
        g->carried += schedule_take(&p->schedule);
        due = true;
    }
    if (due && g->seq == 0)
        tag(g, in);
}

static void retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    (void)cycle;
    struct profiler *p = ctx;
    struct tagger *g = p->state;
    if (in->seq != g->seq)
        return;
    time_map_add(&p->map, in->pc, STATE_COMPUTING, g->weight * TIME_PER_CYCLE);
    p->samples++;
    g->seq = 0;
}

static void squashed(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    (void)cycle;
    struct profiler *p = ctx;
    struct tagger *g = p->state;
    if (in->seq != g->seq)
        return;
    g->carried += g->weight;
    p->lost += !g->reinjects;
    g->seq = 0;
}

/* The first instruction dispatched would be the handler's. */
static void token(void *ctx, const struct probe_token *t)
{
    struct profiler *p = ctx;
    struct tagger *g = p->state;
    if (!t->handler || g->seq != 0 || !schedule_due(&p->schedule, t->cycle + t->repeat))
        return;
    while (schedule_due(&p->schedule, t->cycle + t->repeat))
        g->carried += schedule_take(&p->schedule);
    p->samples++;
    time_map_add(&p->map, HANDLER_PC, STATE_HANDLER, g->carried * TIME_PER_CYCLE);
    g->carried = 0;
}

static void finish(struct profiler *p)
{
    struct tagger *g = p->state;
    if (g->seq != 0)
        g->carried += g->weight;
    if (g->carried != 0)
        time_map_add(&p->map, 0, STATE_COMPUTING, g->carried * TIME_PER_CYCLE);
    *g = (struct tagger){.reinjects = g->reinjects};
}

void profiler_start_dispatch(struct profiler *p)
{
    p->state = xcalloc(1, sizeof(struct tagger));
    p->observer.stage[PROBE_MAPPED] = mapped;
    p->observer.stage[PROBE_RETIRED] = retired;
    p->observer.stage[PROBE_SQUASHED] = squashed;
    p->observer.token = token;
    p->finish = finish;
}

void profiler_start_software(struct profiler *p)
{
    profiler_start_dispatch(p);
    p->observer.token = NULL; /* a handler runs with interrupts disabled: its time is given to where it returns to */
    ((struct tagger *)p->state)->reinjects = true;
}
