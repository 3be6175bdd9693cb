/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/exact/recent_stores.h"

void recent_stores_count(struct recent_stores *s)
{
    s->number++;
    while (s->oldest != s->next && s->number - recent_stores_at(s, s->oldest)->number > RECENT_DISTANCE)
        s->oldest++;
}

void recent_stores_add(struct recent_stores *s, const struct probe_insn *in)
{
    const struct rv_outcome *o = in->outcome;
    if (s->next - s->oldest == RECENT_DISTANCE) /* the oldest store is at the maximum distance */
        s->oldest++;
    *recent_stores_at(s, s->next++) = (struct recent_store){
        .pc = in->pc,
        .ea = o->ea,
        .number = s->number,
        .bytes = o->mem_bytes,
        .visible = (uint8_t)((1u << o->mem_bytes) - 1),
    };
}

uint8_t recent_store_overlap(const struct recent_store *st, const struct rv_outcome *access)
{
    uint64_t ahead = access->ea - st->ea, behind = st->ea - access->ea;
    unsigned bytes = (1u << access->mem_bytes) - 1;
    if (ahead < st->bytes)
        bytes <<= ahead;
    else if (behind < access->mem_bytes)
        bytes >>= behind;
    else
        bytes = 0;
    return (uint8_t)(bytes & ((1u << st->bytes) - 1));
}
