/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interrupt line of a core, and the time its handler takes. The handler is a function of the host's, not code of the guest's: it says
 * for how many cycles it would occupy the core. Private to core-model; core.h has the users' side. */
#ifndef CORE_MODEL_INTERRUPT_H
#define CORE_MODEL_INTERRUPT_H

#include "core-model/core.h"

struct interrupt {
    core_handler *handler; /* NULL: nothing is connected to the line */
    void *ctx;
    uint64_t due;   /* the core takes it in this cycle or as soon after it as it can; UINT64_MAX: the line is low */
    uint64_t until; /* the handler occupies the core in the cycles before this one */
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

static inline bool interrupt_handled_at(const struct interrupt *q, uint64_t now) { return now < q->until; }

/* Taken in cycle `now`: the line falls, and the handler runs from the next cycle on. It may raise the line again. */
static inline void interrupt_take(struct interrupt *q, uint64_t now)
{
    q->due = UINT64_MAX;
    q->until = now + 1; /* for who asks meanwhile */
    uint64_t cycles = q->handler(q->ctx, now);
    q->until += cycles > 0 ? cycles : 1;
    if (q->due < q->until)
        q->due = q->until;
}

/* The next cycle after now in which the core must look here. */
static inline uint64_t interrupt_next(const struct interrupt *q, uint64_t now)
{
    uint64_t next = q->due > now ? q->due : UINT64_MAX;
    return q->until > now && q->until < next ? q->until : next;
}

#endif
