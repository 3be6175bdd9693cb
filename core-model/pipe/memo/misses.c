/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outstanding misses. See effects.h. */
#include "core-model/pipe/memo/table.h"

void misses_add(struct ooo *c, uint32_t i, uint64_t done)
{
    struct outstanding_misses *m = &c->memo->misses;
    m->position[m->count++] = c->head + ((i - (uint32_t)c->head) & c->ring_mask);
    m->done[i] = done;
    if (done < m->next)
        m->next = done;
}

static void look_for_next(const struct ooo *c, struct outstanding_misses *m)
{
    m->next = UINT64_MAX;
    for (uint32_t n = 0; n < m->count; n++) {
        const uint64_t due = m->done[m->position[n] & c->ring_mask];
        if (due < m->next)
            m->next = due;
    }
}

uint64_t effect_fill(struct ooo *c, uint64_t head)
{
    struct outstanding_misses *m = &c->memo->misses;
    uint64_t result = 0;
    uint32_t kept = 0;
    if (m->next > c->now)
        return 0;
    for (uint32_t n = 0; n < m->count; n++) {
        const uint64_t position = m->position[n];
        if (m->done[position & c->ring_mask] > c->now)
            m->position[kept++] = position;
        else
            result = result << 16 | (position - head + 1);
    }
    if (m->count - kept > EFFECT_FILLS)
        result = EFFECT_MANY;
    m->count = kept;
    look_for_next(c, m);
    return result;
}

void memo_fill_misses(struct ooo *c)
{
    const struct effect_log *l = &c->memo->log;
    const bool again = memo_is_repeating(c);
    if (again ? l->entry[l->next].kind != EFFECT_FILL : c->memo->misses.count == 0)
        return;
    if (effects_result(c, EFFECT_FILL, 0, 0) == EFFECT_MANY)
        memo_end_log(c);
}

void misses_squash(struct ooo *c, uint64_t from)
{
    struct outstanding_misses *m = &c->memo->misses;
    uint32_t kept = 0;
    for (uint32_t n = 0; n < m->count; n++)
        if (m->position[n] < from)
            m->position[kept++] = m->position[n];
    if (kept == m->count)
        return;
    m->count = kept;
    look_for_next(c, m);
}
