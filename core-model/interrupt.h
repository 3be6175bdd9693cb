/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interrupt lines of a core, one for each source, and the execution time of handlers. A handler is a function of
 * the simulator, not guest code: it returns the number of cycles for which it occupies the core. Of a page-fault
 * handler only the time is modelled. Private to core-model; the public interface is in core.h. */
#ifndef CORE_MODEL_INTERRUPT_H
#define CORE_MODEL_INTERRUPT_H

#include "core-model/core.h"

struct interrupt_line {
    core_handler *handler;
    void *ctx;
    uint64_t due; /* first cycle in which the core may take the interrupt; UINT64_MAX: the line is low */
};

struct interrupt {
    uint64_t due;                                         /* minimum over all lines */
    uint64_t from, until;                                 /* a handler occupies the core in cycles [from, until) */
    struct interrupt_line line[CORE_INTERRUPT_LINES + 1]; /* with the guest's alarm */
    unsigned lines;
};

static inline void interrupt_init(struct interrupt *q) { *q = (struct interrupt){.due = UINT64_MAX}; }

/* Connects a handler to a new line; returns the line's number. */
static inline unsigned interrupt_connect(struct interrupt *q, core_handler *handler, void *ctx)
{
    if (q->lines == CORE_INTERRUPT_LINES + 1)
        BUG("more than %d interrupt lines", CORE_INTERRUPT_LINES);
    q->line[q->lines] = (struct interrupt_line){.handler = handler, .ctx = ctx, .due = UINT64_MAX};
    return q->lines++;
}

/* Raises a line as of `cycle`; the signal reaches the core `delay` cycles later. */
static inline void interrupt_raise(struct interrupt *q, unsigned line, uint64_t cycle, uint64_t delay)
{
    if (line >= q->lines)
        BUG("interrupt line %u of %u", line, q->lines);
    struct interrupt_line *l = &q->line[line];
    if (l->due != UINT64_MAX)
        return;
    l->due = cycle + delay > q->until ? cycle + delay : q->until;
    if (l->due < q->due)
        q->due = l->due;
}

/* Sets the cycle in which the line becomes due, whatever it was; UINT64_MAX: lowers it. */
static inline void interrupt_set(struct interrupt *q, unsigned line, uint64_t cycle)
{
    q->line[line].due = cycle > q->until ? cycle : q->until;
    q->due = UINT64_MAX;
    for (unsigned n = 0; n < q->lines; n++)
        if (q->line[n].due < q->due)
            q->due = q->line[n].due;
}

static inline bool interrupt_due(const struct interrupt *q, uint64_t now) { return q->due <= now; }

static inline bool interrupt_handled_at(const struct interrupt *q, uint64_t now)
{
    return q->from <= now && now < q->until;
}

/* A handler occupies the core for `cycles` cycles from `from` on. Lines that are due earlier become due at its end. */
static inline void interrupt_occupy(struct interrupt *q, uint64_t from, uint64_t cycles)
{
    q->from = from;
    q->until = from + cycles;
    for (unsigned n = 0; n < q->lines; n++)
        if (q->line[n].due < q->until)
            q->line[n].due = q->until;
    if (q->due < q->until)
        q->due = q->until;
}

/* The line that is due first; among equal ones, the one connected first. */
static inline struct interrupt_line *interrupt_first(struct interrupt *q)
{
    struct interrupt_line *first = &q->line[0];
    for (unsigned n = 1; n < q->lines; n++)
        if (q->line[n].due < first->due)
            first = &q->line[n];
    return first;
}

/* The core takes the due interrupt in cycle `now`, before the instruction at pc: lowers the line and calls its
 * handler, which may raise the line again. Returns the handler's time in cycles, at least 1. */
static inline uint64_t interrupt_take(struct interrupt *q, uint64_t now, uint64_t pc)
{
    struct interrupt_line *taken = interrupt_first(q);
    taken->due = UINT64_MAX;
    q->due = interrupt_first(q)->due;
    uint64_t cycles = taken->handler(taken->ctx, now, pc);
    return cycles > 0 ? cycles : 1;
}

/* The next cycle after `now` in which a line becomes due or a handler begins or ends; UINT64_MAX: none is known. */
static inline uint64_t interrupt_next(const struct interrupt *q, uint64_t now)
{
    uint64_t next = q->due > now ? q->due : UINT64_MAX, edge = q->from > now ? q->from : q->until;
    return edge > now && edge < next ? edge : next;
}

#endif
