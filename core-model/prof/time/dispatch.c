/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two profilers that select instructions at dispatch, not at commit (TIP paper, section 2.1).
 *
 * dispatch, as AMD's IBS and Arm's SPE: the first instruction dispatched at or after the trigger is tagged, and the
 * sample is delivered when it retires. If it is squashed the sample is lost, and the next one represents its time. A
 * trigger during an interrupt handler tags the handler's code. An in-order core dispatches instructions at issue.
 *
 * software: the interrupt enters the pipeline at the trigger, before the first instruction that has not been
 * dispatched; what is older drains, and the handler finds that instruction's address. If it is squashed, so is the
 * interrupt, which enters again on the right path. The sampling handler's own time is not modelled. */
#include "core-model/prof/time/profiler.h"

#include "base/status.h"

struct dispatch {
    bool tagged;      /* an instruction in flight is tagged */
    uint64_t weight;  /* cycles represented by its sample */
    uint64_t carried; /* cycles of triggers while the tag was in use, and of lost samples */
    bool reinjects;
};

/* Sets the cycle from which `tag` is called: immediately if a sample must enter again, else from the next trigger
 * on. */
static void await(struct profiler *p, const struct dispatch *g)
{
    p->tag_from = g->reinjects && g->carried != 0 && !g->tagged ? 0 : p->schedule.next;
    p->token_from = p->schedule.next;
}

static unsigned dispatch_tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    struct profiler *p = ctx;
    struct dispatch *g = p->state;
    uint64_t triggers = 0;
    (void)seq, (void)pc, (void)opclass;
    bool due = g->reinjects && g->carried != 0;
    g->carried += schedule_take_until(&p->schedule, cycle + 1, &triggers);
    bool tags = (due || triggers != 0) && !g->tagged;
    if (tags) {
        g->tagged = true;
        g->weight = g->carried;
        g->carried = 0;
    }
    await(p, g);
    return tags;
}

static void dispatch_tagged(void *ctx, const struct probe_insn *in, unsigned number, uint64_t cycle)
{
    struct profiler *p = ctx;
    struct dispatch *g = p->state;
    (void)number, (void)cycle;
    if (in->cause == PROBE_CAUSE_NONE) {
        time_map_add(&p->map, in->pc, STATE_COMPUTING, g->weight * TIME_PER_CYCLE);
        p->samples++;
    } else {
        g->carried += g->weight;
        p->lost += !g->reinjects;
    }
    g->tagged = false;
    await(p, g);
}

/* The first instruction dispatched would belong to the handler. */
static void dispatch_token(void *ctx, const struct probe_token *t)
{
    struct profiler *p = ctx;
    struct dispatch *g = p->state;
    uint64_t triggers = 0;
    if (!t->handler || g->tagged || !schedule_due(&p->schedule, t->cycle + t->repeat))
        return;
    g->carried += schedule_take_until(&p->schedule, t->cycle + t->repeat, &triggers);
    p->samples++;
    time_map_add(&p->map, HANDLER_PC, STATE_HANDLER, g->carried * TIME_PER_CYCLE);
    g->carried = 0;
    await(p, g);
}

static void dispatch_finish(struct profiler *p)
{
    struct dispatch *g = p->state;
    if (g->tagged)
        g->carried += g->weight;
    if (g->carried != 0)
        time_map_add(&p->map, 0, STATE_COMPUTING, g->carried * TIME_PER_CYCLE);
    *g = (struct dispatch){.reinjects = g->reinjects};
}

static void dispatch_start(struct profiler *p)
{
    p->state = xcalloc(1, sizeof(struct dispatch));
    p->base.probe.tagger = (struct probe_tagger){.at = PROBE_MAPPED,
                                                 .bits = 1,
                                                 .from_cycle = &p->tag_from,
                                                 .tag = dispatch_tag,
                                                 .tagged = dispatch_tagged,
                                                 .squashed = true};
    profiler_on_samples(p, dispatch_token);
    p->finish = dispatch_finish;
}

/* Interrupts are disabled in a handler, so its time is attributed to its return address. */
static void start_software(struct profiler *p)
{
    dispatch_start(p);
    p->base.probe.token = NULL;
    ((struct dispatch *)p->state)->reinjects = true;
}

PROFILER(dispatch, "dispatch", profiler_sampling, dispatch_start, false,
         "tagged at dispatch, delivered at commit, as AMD IBS and Arm SPE")
PROFILER(software, "software", profiler_sampling, start_software, false,
         "where an interrupt returns to: the first instruction that has not entered the back end")
