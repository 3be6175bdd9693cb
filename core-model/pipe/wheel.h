/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intrusive doubly linked lists of in-flight instructions, and the event wheel (a calendar of WHEEL_CYCLES buckets)
 * made of them. An instruction is in at most one list: a bucket, or the loads that wait for a store. A squash unlinks
 * it in constant time. Events of the next cycle, which most are, have an array instead of a bucket (soon): a squash
 * clears slot.list, and the entry is skipped. An entry is processed before its ring index is fetched again. */
#ifndef CORE_MODEL_PIPE_WHEEL_H
#define CORE_MODEL_PIPE_WHEEL_H

#include "core-model/pipe/pipe.h"

static inline void list_add(struct ooo *c, uint32_t list, uint32_t i)
{
    struct slot *s = &c->slot[i];
    uint16_t old = c->list_head[list];
    s->list = (uint16_t)list;
    s->prev = NIL;
    s->next = old;
    if (old != NIL)
        c->slot[old].prev = (uint16_t)i;
    c->list_head[list] = (uint16_t)i;
}

static inline void list_remove(struct ooo *c, uint32_t i)
{
    struct slot *s = &c->slot[i];
    if (s->list == SOON) {
        s->list = NIL;
        return;
    }
    if (s->next != NIL)
        c->slot[s->next].prev = s->prev;
    if (s->prev != NIL) {
        c->slot[s->prev].next = s->next;
    } else {
        c->list_head[s->list] = s->next;
        if (s->next == NIL && s->list < WHEEL_CYCLES)
            c->wheel_map[s->list / 64] &= ~(UINT64_C(1) << (s->list % 64));
    }
    s->list = NIL;
}

/* List of the loads that wait for the store in entry `at` of the store queue. */
static inline uint32_t wheel_store_list(const struct ooo *c, uint32_t at)
{
    return WHEEL_CYCLES + (at & c->store_mask);
}

/* Schedules an event for instruction i at `cycle`, which is later than now. An event beyond the wheel's horizon is
 * rescheduled at the horizon. */
static inline void wheel_add(struct ooo *c, uint32_t i, uint64_t cycle)
{
    c->due[i] = cycle;
    if (cycle - c->now == 1) {
        c->slot[i].list = SOON;
        c->soon[0][c->soon_count++] = (uint16_t)i;
        return;
    }
    uint64_t bucket = cycle - c->now < WHEEL_CYCLES ? cycle : c->now + WHEEL_CYCLES - 1;
    bucket %= WHEEL_CYCLES;
    list_add(c, (uint32_t)bucket, i);
    c->wheel_map[bucket / 64] |= UINT64_C(1) << (bucket % 64);
}

/* Removes s, the first instruction in the current cycle's bucket. */
static inline void wheel_pop(struct ooo *c, uint16_t *bucket, struct slot *s)
{
    s->list = NIL;
    *bucket = s->next;
    if (s->next != NIL)
        c->slot[s->next].prev = NIL;
    else
        c->wheel_map[c->now % WHEEL_CYCLES / 64] &= ~(UINT64_C(1) << (c->now % 64));
}

/* The next cycle after now with an event, or UINT64_MAX. */
static inline uint64_t wheel_next(const struct ooo *c)
{
    enum { WORDS = WHEEL_CYCLES / 64 };
    if (c->soon_count != 0)
        return c->now + 1;
    uint32_t start = (uint32_t)((c->now + 1) % WHEEL_CYCLES), word = start / 64;
    uint64_t bits = c->wheel_map[word] >> (start % 64);
    if (bits != 0)
        return c->now + 1 + (uint32_t)__builtin_ctzll(bits);
    for (uint32_t n = 1; n <= WORDS; n++) {
        uint32_t w = (word + n) % WORDS;
        if (c->wheel_map[w] != 0)
            return c->now + 1 + n * 64 - start % 64 + (uint32_t)__builtin_ctzll(c->wheel_map[w]);
    }
    return UINT64_MAX;
}

#endif
