/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps, handlers and threads of a hart, from commit tokens and the kernel's actions, which have no cycle of their own:
 * they are at the token before. */
#include "core-model/prof/log/timeline.h"

#include <stdlib.h>

#include "base/status.h"

/* The step of a cycle; steps before it in which nothing retired are added. */
static struct timeline_step *timeline_find(struct timeline *t, uint64_t cycle)
{
    const uint64_t number = (cycle - t->start) / t->step;
    while (t->steps <= number) {
        t->at = xgrow(t->at, t->steps, sizeof *t->at);
        t->at[t->steps++] = (struct timeline_step){0};
    }
    return &t->at[number];
}

static void timeline_begin_handler(struct timeline *t, uint64_t cycle)
{
    t->handler = xgrow(t->handler, t->handlers, sizeof *t->handler);
    t->handler[t->handlers++] = (struct timeline_slice){.from = cycle, .to = cycle};
}

static void timeline_token(void *ctx, const struct probe_token *token)
{
    struct timeline *t = ctx;
    if (t->end == 0)
        t->start = token->cycle;
    t->end = token->cycle + token->repeat;
    if (token->handler && !t->in_handler)
        timeline_begin_handler(t, token->cycle);
    t->in_handler = token->handler;
    if (token->handler)
        t->handler[t->handlers - 1].to = t->end;
    struct timeline_step *s = timeline_find(t, token->cycle);
    s->retired += token->committing; /* only tokens without commits are repeated */
    for (unsigned b = 0; b < token->banks; b++)
        if (token->bank[b].commits)
            s->pc = token->bank[b].pc;
}

/* Ends the thread that runs, and begins the one that runs now. */
static void timeline_kernel(void *ctx, const struct probe_kernel *k)
{
    struct timeline *t = ctx;
    struct timeline_slice *last = t->threads > 0 ? &t->thread[t->threads - 1] : NULL;
    if (last != NULL && last->number == k->thread)
        return;
    if (last != NULL)
        last->to = t->end;
    t->thread = xgrow(t->thread, t->threads, sizeof *t->thread);
    t->thread[t->threads++] = (struct timeline_slice){.from = t->end, .to = t->end, .number = k->thread};
}

static void timeline_finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    struct timeline *t = (struct timeline *)o;
    (void)cycles, (void)hart;
    if (t->end > t->start)
        timeline_find(t, t->end - 1);
    if (t->threads > 0)
        t->thread[t->threads - 1].to = t->end;
}

static void timeline_release(struct observer *o)
{
    struct timeline *t = (struct timeline *)o;
    free(t->at);
    free(t->handler);
    free(t->thread);
    free(t);
}

const struct observer_kind observer_timeline = {
    .name = "timeline",
    .help = "what the harts do over time, for viewers of time lines",
    .finish = timeline_finish,
    .release = timeline_release,
};

struct timeline *timeline_new(uint64_t step)
{
    struct timeline *t = xcalloc(1, sizeof *t);
    t->base.kind = &observer_timeline;
    t->base.probe.ctx = t;
    t->base.probe.token = timeline_token;
    t->base.probe.token_outline = true;
    t->base.probe.kernel = timeline_kernel;
    t->step = step;
    return t;
}
