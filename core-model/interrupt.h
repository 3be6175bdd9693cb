/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interrupt line of a core, and the time its handler takes. The handler is a function of the host's, not code of the guest's: it says
 * for how many cycles it would occupy the core. A page fault's handler is no more than its time. Private to core-model; core.h has the users' side. */
#ifndef CORE_MODEL_INTERRUPT_H
#define CORE_MODEL_INTERRUPT_H

#include "core-model/core.h"

struct interrupt {
    core_handler *handler; /* NULL: nothing is connected to the line */
    void *ctx;
    uint64_t due;   /* the core takes it in this cycle or as soon after it as it can; UINT64_MAX: the line is low */
    uint64_t from, until; /* a handler occupies the core from the one cycle up to, not including, the other */
};

static inline void interrupt_init(struct interrupt *q) { *q = (struct interrupt){.due = UINT64_MAX}; }

/* Raised as of `cycle`, with that many cycles to the core. */
static inline void interrupt_raise(struct interrupt *q, uint64_t cycle, uint64_t delay)
{
    if (q->handler == NULL || q->due != UINT64_MAX)
        return;
    q->due = cycle + delay > q->until ? cycle + delay : q->until;
}

static inline bool interrupt_due(const struct interrupt *q, uint64_t now) { return q->due <= now; }

static inline bool interrupt_handled_at(const struct interrupt *q, uint64_t now) { return q->from <= now && now < q->until; }

/* A handler that nobody is asked about. The line waits until it is over. */
static inline void interrupt_occupy(struct interrupt *q, uint64_t from, uint64_t cycles)
{
    q->from = from;
    q->until = from + cycles;
    if (q->due < q->until)
        q->due = q->until;
}

/* Taken in cycle `now`: the line falls, and the handler is called, which may raise it again. Returns for how many cycles it runs. */
static inline uint64_t interrupt_take(struct interrupt *q, uint64_t now)
{
    q->due = UINT64_MAX;
    uint64_t cycles = q->handler(q->ctx, now);
    return cycles > 0 ? cycles : 1;
}

/* The next cycle after now in which the core must look here. */
static inline uint64_t interrupt_next(const struct interrupt *q, uint64_t now)
{
    uint64_t next = q->due > now ? q->due : UINT64_MAX, edge = q->from > now ? q->from : q->until;
    return edge > now && edge < next ? edge : next;
}

#endif
