/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The far accesses in flight, while effects are noted. See effects.h. */
#define NOTED
#include "core-model/pipe/noting.h"

void far_add(struct ooo *c, uint32_t i, uint64_t done)
{
    c->far.position[c->far.count++] = c->head + ((i - (uint32_t)c->head) & c->ring_mask);
    c->far.done[i] = done;
    if (done < c->far.next)
        c->far.next = done;
}

static void look_for_next(struct ooo *c)
{
    c->far.next = UINT64_MAX;
    for (uint32_t n = 0; n < c->far.count; n++) {
        const uint64_t due = c->far.done[c->far.position[n] & c->ring_mask];
        if (due < c->far.next)
            c->far.next = due;
    }
}

uint64_t arrive_perform(struct ooo *c)
{
    uint64_t result = 0;
    uint32_t kept = 0;
    if (c->far.next > c->now)
        return 0;
    for (uint32_t n = 0; n < c->far.count; n++) {
        const uint64_t position = c->far.position[n];
        if (c->far.done[position & c->ring_mask] > c->now)
            c->far.position[kept++] = position;
        else
            result = result << 16 | (position - c->log.head + 1);
    }
    if (c->far.count - kept > EFFECT_ARRIVALS)
        result = EFFECT_MANY;
    c->far.count = kept;
    look_for_next(c);
    return result;
}

void far_arrive(struct ooo *c)
{
    uint64_t arrived = 0;
    if (effect_comes(c, EFFECT_ARRIVE)) {
        (void)effect_was_had(c, EFFECT_ARRIVE, 0, 0, &arrived);
    } else if (c->log.next >= c->log.had && c->far.count != 0) {
        arrived = arrive_perform(c);
        effect_note(c, EFFECT_ARRIVE, 0, 0, arrived);
    }
    if (arrived == EFFECT_MANY)
        effects_end(c);
}

void far_forget(struct ooo *c, uint64_t from)
{
    uint32_t kept = 0;
    for (uint32_t n = 0; n < c->far.count; n++)
        if (c->far.position[n] < from)
            c->far.position[kept++] = c->far.position[n];
    if (kept == c->far.count)
        return;
    c->far.count = kept;
    look_for_next(c);
}
