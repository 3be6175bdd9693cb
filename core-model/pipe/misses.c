/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outstanding misses, while effects are logged. See effects.h. */
#define LOGGED
#include "core-model/pipe/memo/logging.h"

void misses_add(struct ooo *c, uint32_t i, uint64_t done)
{
    c->misses.position[c->misses.count++] = c->head + ((i - (uint32_t)c->head) & c->ring_mask);
    c->misses.done[i] = done;
    if (done < c->misses.next)
        c->misses.next = done;
}

static void look_for_next(struct ooo *c)
{
    c->misses.next = UINT64_MAX;
    for (uint32_t n = 0; n < c->misses.count; n++) {
        const uint64_t due = c->misses.done[c->misses.position[n] & c->ring_mask];
        if (due < c->misses.next)
            c->misses.next = due;
    }
}

uint64_t fill_perform(struct ooo *c, uint64_t head)
{
    uint64_t result = 0;
    uint32_t kept = 0;
    if (c->misses.next > c->now)
        return 0;
    for (uint32_t n = 0; n < c->misses.count; n++) {
        const uint64_t position = c->misses.position[n];
        if (c->misses.done[position & c->ring_mask] > c->now)
            c->misses.position[kept++] = position;
        else
            result = result << 16 | (position - head + 1);
    }
    if (c->misses.count - kept > EFFECT_FILLS)
        result = EFFECT_MANY;
    c->misses.count = kept;
    look_for_next(c);
    return result;
}

void misses_fill(struct ooo *c)
{
    uint64_t arrived = 0;
    if (effect_comes(c, EFFECT_FILL)) {
        (void)effect_replayed(c, EFFECT_FILL, 0, 0, &arrived);
    } else if (c->log.next >= c->log.replayed && c->misses.count != 0) {
        arrived = fill_perform(c, c->log.head);
        log_effect(c, EFFECT_FILL, 0, 0, arrived);
    }
    if (arrived == EFFECT_MANY)
        effects_end(c);
}

void misses_squash(struct ooo *c, uint64_t from)
{
    uint32_t kept = 0;
    for (uint32_t n = 0; n < c->misses.count; n++)
        if (c->misses.position[n] < from)
            c->misses.position[kept++] = c->misses.position[n];
    if (kept == c->misses.count)
        return;
    c->misses.count = kept;
    look_for_next(c);
}
