/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effects, as the stages note them, and the functions that have them. See effects.h. Private to core-model/pipe. */
#ifndef CORE_MODEL_PIPE_NOTING_H
#define CORE_MODEL_PIPE_NOTING_H

#include "core-model/pipe/pipe.h"

/* effect_was_had and effect_note with notes (memo.c). BUG() if the next effect that has been had is another. */
bool effects_take(struct ooo *c, enum effect kind, uint32_t at, uint32_t arg, uint64_t *result);
void effects_add(struct ooo *c, enum effect kind, uint32_t at, uint32_t arg, uint64_t result);

/* Whether this effect has been had by a replay of the cycle; then *result is its result. */
static inline bool effect_was_had(struct ooo *c, enum effect kind, uint32_t at, uint32_t arg, uint64_t *result)
{
    return EFFECTS_NOTED && effects_take(c, kind, at, arg, result);
}

/* The effect has been had now. */
static inline void effect_note(struct ooo *c, enum effect kind, uint32_t at, uint32_t arg, uint64_t result)
{
    if (EFFECTS_NOTED)
        effects_add(c, kind, at, arg, result);
}

/* Whether the next effect has been had, and is of this kind. */
static inline bool effect_comes(const struct ooo *c, enum effect kind)
{
    return EFFECTS_NOTED && c->log.next < c->log.had && c->log.entry[c->log.next].kind == kind;
}

/* More happens in this cycle than is noted: it is not memoised. */
static inline void effects_end(struct ooo *c)
{
    if (EFFECTS_NOTED)
        c->log.opaque = true;
}

/* The number of instruction i in the pipeline at the beginning of the cycle. */
static inline uint32_t effect_place(const struct ooo *c, uint32_t i)
{
    return (i - (uint32_t)c->log.head) & c->ring_mask;
}

/* probe_event for an event that follows from the pipeline's state, not from the result of an effect. */
static inline void stage_event(struct ooo *c, struct slot *s, uint32_t events)
{
    uint64_t none;
    const uint32_t at = effect_place(c, (uint32_t)(s - c->slot));
    if (effect_was_had(c, EFFECT_EVENT, at, events, &none))
        return;
    probe_event(c, s, events);
    effect_note(c, EFFECT_EVENT, at, events, 0);
}

/* Far accesses: instruction i makes one, which is done in cycle `done`; those that are done in this cycle have their
 * effect; those of instructions from `position` on are squashed. */
void far_add(struct ooo *c, uint32_t i, uint64_t done);
void far_arrive(struct ooo *c);
void far_forget(struct ooo *c, uint64_t position);

/* The effects, whose results they return. Instruction i is in the pipeline; `at` is a number of a store. */
void commit_perform(struct ooo *c, uint32_t count);
uint64_t arrive_perform(struct ooo *c);
uint64_t length_perform(const struct ooo *c, uint32_t inner, bool store);
void squash_perform(struct ooo *c, uint64_t position, uint32_t stores);
void mapped_perform(struct ooo *c, uint64_t position, uint32_t count);
uint64_t translate_perform(struct ooo *c, uint32_t i, uint64_t when);
uint64_t wait_bit_perform(struct ooo *c, uint32_t i);
uint64_t search_perform(struct ooo *c, uint32_t i, uint32_t mark);
uint64_t covers_perform(struct ooo *c, uint32_t i, uint32_t at);
uint64_t access_perform(struct ooo *c, uint32_t i, uint64_t when, bool is_write);
uint64_t send_perform(struct ooo *c, bool asked);
uint64_t store_done_perform(const struct ooo *c, uint32_t at);
void set_wait_perform(struct ooo *c, uint32_t i);
void enter_store_perform(struct ooo *c, uint32_t i);
uint32_t free_stores_perform(struct ooo *c);
uint64_t port_perform(struct ooo *c, uint64_t pc);
uint64_t follow_perform(struct ooo *c, uint32_t i, uint64_t position);

#endif
