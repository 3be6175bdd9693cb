/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The door of the sample buffer: samples that have come are admitted or dropped, in their order, each as the buffer is in its cycle. One that is
 * admitted whatever the co-processor does until then goes in at once; others wait at the door while it lags behind. Inline, as it is done for each
 * sample. */
#ifndef EMU_DOOR_H
#define EMU_DOOR_H

#include "emu/cop_state.h"

static inline void door_count(struct cop *c, uint64_t cycle, bool dropped)
{
    uint64_t start = c->first_cycle << c->clock_shift; /* can be some core cycles ahead */
    c->delivered++;
    use_delivered(&c->use, cycle > start ? cycle - start : 0, dropped);
}

/* Decides about a sample that has come in that cycle, which the co-processor has got to. If it is dropped, `why` says why. */
static inline bool door_admits(struct cop *c, uint64_t cycle, enum cop_drop *why)
{
    const struct buffer *b = &c->buffer;
    bool halted = c->state == BUS_HALTED, full = b->count == b->slots;
    bool taken = !halted && (b->count < b->calm || (!full && !buffer_drops_early(&c->buffer)));
    door_count(c, cycle, !taken);
    if (taken)
        return true;
    *why = halted ? COP_DROP_HALTED : full ? COP_DROP_FULL : COP_DROP_EARLY;
    c->dropped[*why]++;
    return false;
}

/* Is one that comes now admitted, though the co-processor may lag behind? The buffer can only be emptier than it seems. */
static inline bool door_stands_open(const struct cop *c)
{
    return c->buffer.door == 0 && c->buffer.count < c->buffer.calm && c->state != BUS_HALTED;
}

/* A record that stands behind the last in the buffer sets out for it. */
static inline void door_enter(struct cop *c, struct record *r)
{
    struct buffer *b = &c->buffer;
    uint64_t start = b->path_free > r->delivered ? b->path_free : r->delivered;
    b->path_free = start + b->beats;
    r->readable = start + b->beats + c->config.path_cycles;
    c->use.occupancy -= r->delivered;
    b->count++;
}

#endif
