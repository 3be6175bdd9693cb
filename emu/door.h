/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The door of the sample buffer: samples that have come are admitted or dropped, in their order, each as the buffer is in its cycle. Inline, as it
 * is done for each sample. */
#ifndef EMU_DOOR_H
#define EMU_DOOR_H

#include <stddef.h>
#include <string.h>

#include "emu/cop_state.h"

/* Decides about a sample that has come in that cycle, which the co-processor has got to. If it is dropped, `why` says why. */
static inline bool door_admits(struct cop *c, uint64_t cycle, enum cop_drop *why)
{
    const struct buffer *b = &c->buffer;
    bool halted = c->state == BUS_HALTED, full = b->count == b->slots;
    bool taken = !halted && (b->count < b->calm || (!full && !buffer_drops_early(&c->buffer)));
    uint64_t start = c->first_cycle << c->clock_shift; /* can be some core cycles ahead */
    c->delivered++;
    use_delivered(&c->use, cycle > start ? cycle - start : 0, !taken);
    if (taken)
        return true;
    *why = halted ? COP_DROP_HALTED : full ? COP_DROP_FULL : COP_DROP_EARLY;
    c->dropped[*why]++;
    return false;
}

/* A record that stands behind the last in the buffer sets out for it. */
static inline void door_enter(struct cop *c, struct record *r)
{
    struct buffer *b = &c->buffer;
    uint64_t start = b->path_free > r->delivered ? b->path_free : r->delivered;
    b->path_free = start + b->beats;
    r->readable = start + b->beats + c->config.path_cycles;
    c->use.occupancy -= r->delivered;
    if (++b->count > c->use.peak)
        c->use.peak = b->count;
}

/* The first at the door is admitted or dropped. */
static inline void door_decide(struct cop *c)
{
    struct buffer *b = &c->buffer;
    struct record *r = buffer_first_at_door(b), *place = buffer_at(b, b->count);
    enum cop_drop why;
    b->first++;
    b->door--;
    if (!door_admits(c, r->delivered, &why))
        return;
    if (place != r) /* others before it have been dropped */
        memcpy(place, r, offsetof(struct record, field) + b->fields * sizeof r->field[0]);
    door_enter(c, place);
}

#endif
