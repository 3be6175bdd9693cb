/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Admission to the sample buffer: each delivered sample is admitted or dropped, in order, by the state of the buffer in its cycle. A sample that is
 * admitted whatever the co-processor does until then enters at once. The others wait in the admission queue while the co-processor lags behind.
 * Inline, since it runs for each sample. */
#ifndef EMU_ADMISSION_H
#define EMU_ADMISSION_H

#include "emu/cop_state.h"

static inline void admission_count(struct cop *c, uint64_t cycle, bool dropped)
{
    uint64_t start = c->counts.first_cycle << c->clock_shift; /* can be some core cycles ahead */
    c->counts.delivered++;
    use_delivered(&c->use, cycle > start ? cycle - start : 0, dropped);
}

/* Decides about a sample that has come in that cycle, which the co-processor has got to. If it is dropped, `why` says why. */
static inline bool admission_decide(struct cop *c, uint64_t cycle, enum cop_drop *why)
{
    const struct buffer *b = &c->buffer;
    bool halted = c->state == BUS_HALTED, full = b->count == b->slots;
    bool taken = !halted && (b->count < b->calm || (!full && !buffer_drops_early(&c->buffer)));
    admission_count(c, cycle, !taken);
    if (taken)
        return true;
    *why = halted ? COP_DROP_HALTED : full ? COP_DROP_FULL : COP_DROP_EARLY;
    c->counts.dropped[*why]++;
    return false;
}

/* Is one that comes now admitted, though the co-processor may lag behind? The buffer can only be emptier than it seems. */
static inline bool admission_is_certain(const struct cop *c)
{
    return c->buffer.queued == 0 && c->buffer.count < c->buffer.calm && c->state != BUS_HALTED;
}

/* A record that stands behind the last in the buffer sets out for it. */
static inline void admission_enter(struct cop *c, struct record *r)
{
    struct buffer *b = &c->buffer;
    uint64_t start = b->path_free > r->delivered ? b->path_free : r->delivered;
    b->path_free = start + b->beats;
    r->readable = start + b->beats + c->config.path_cycles;
    c->use.occupancy -= r->delivered;
    b->count++;
}

#endif
