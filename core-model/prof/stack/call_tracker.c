/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log of changes of context. The stacks that cause them are in shadow_stack.c. */
#include "core-model/prof/stack/call_tracker.h"

#include "base/status.h"
#include "core-model/prof/stack/shadow_stack.h"

static void call_tracker_log(struct call_tracker *t, const struct call_change *change)
{
    struct call_change *c = &t->change[t->changes++ % CALL_CHANGES];
    *c = *change;
    c->before = t->node;
    t->node = t->thread != NULL ? shadow_stack_node(t->thread) : 0;
}

static void call_tracker_transfer(void *ctx, const struct probe_transfer *r)
{
    struct call_tracker *t = ctx;
    if (t->thread != NULL)
        shadow_stack_transfer(t->threads, t->thread, r);
    call_tracker_log(t, &(struct call_change){.retired = r->retired, .seq = r->seq, .pc = r->pc});
}

static void call_tracker_kernel(void *ctx, const struct probe_kernel *k)
{
    struct call_tracker *t = ctx;
    t->thread = k->thread != 0 ? shadow_stack_thread(t->threads, k->thread) : NULL;
    if (t->thread != NULL)
        shadow_stack_enter_handlers(t->threads, t->thread, k);
    call_tracker_log(t, &(struct call_change){.retired = k->retired, .seq = k->seq});
}

static void call_tracker_attach(struct observer *o, struct core *core) { ((struct call_tracker *)o)->core = core; }

/* It has no profile of its own. */
const struct observer_kind observer_calls = {.name = "calls", .attach = call_tracker_attach};

struct call_tracker *call_tracker_new(struct call_threads *threads)
{
    struct call_tracker *t = xcalloc(1, sizeof *t);
    t->base.kind = &observer_calls;
    t->base.probe.ctx = t;
    t->base.probe.transfer = call_tracker_transfer;
    t->base.probe.kernel = call_tracker_kernel;
    t->threads = threads;
    return t;
}

/* Number of the oldest change that is kept. */
static uint64_t call_tracker_oldest(const struct call_tracker *t)
{
    return t->changes > CALL_CHANGES ? t->changes - CALL_CHANGES : 0;
}

uint64_t call_tracker_next_change(const struct call_tracker *t, uint64_t retired)
{
    const uint64_t oldest = call_tracker_oldest(t);
    uint64_t n = t->changes;
    while (n > oldest && call_tracker_change(t, n - 1)->retired > retired)
        n--;
    return n;
}

uint32_t call_tracker_at(const struct call_tracker *t, uint64_t retired)
{
    return call_tracker_node_until(t, call_tracker_next_change(t, retired));
}

uint32_t call_tracker_at_seq(const struct call_tracker *t, uint64_t seq)
{
    const uint64_t oldest = call_tracker_oldest(t);
    uint64_t n = t->changes;
    while (n > oldest && call_tracker_change(t, n - 1)->seq >= seq)
        n--;
    return call_tracker_node_until(t, n);
}

uint32_t call_tracker_before_seq(const struct call_tracker *t, uint64_t seq, uint64_t pc)
{
    const uint64_t oldest = call_tracker_oldest(t);
    uint64_t n = t->changes;
    while (n > oldest && call_tracker_change(t, n - 1)->seq >= seq)
        n--;
    return n > oldest && call_tracker_change(t, n - 1)->pc == pc ? call_tracker_change(t, n - 1)->before
                                                                 : call_tracker_node_until(t, n);
}
