/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log of effects, as the stages use it, and the functions that perform effects. See effects.h. Private to
 * core-model/pipe. */
#ifndef CORE_MODEL_PIPE_MEMO_LOGGING_H
#define CORE_MODEL_PIPE_MEMO_LOGGING_H

#include "core-model/pipe/pipe.h"

/* effect_replayed and log_effect if effects are logged (memo.c). BUG() if the replay performed another effect. */
bool effects_take(struct ooo *c, enum effect kind, uint32_t at, uint32_t arg, uint64_t *result);
void effects_log(struct ooo *c, enum effect kind, uint32_t at, uint32_t arg, uint64_t result);

/* Returns whether the replay of this cycle performed the effect, and its result in *result. */
static inline bool effect_replayed(struct ooo *c, enum effect kind, uint32_t at, uint32_t arg, uint64_t *result)
{
    return EFFECTS_LOGGED && effects_take(c, kind, at, arg, result);
}

/* Logs an effect that has been performed now. */
static inline void log_effect(struct ooo *c, enum effect kind, uint32_t at, uint32_t arg, uint64_t result)
{
    if (EFFECTS_LOGGED)
        effects_log(c, kind, at, arg, result);
}

/* Returns whether the replay performed the next effect, and its kind is this one. */
static inline bool effect_comes(const struct ooo *c, enum effect kind)
{
    return EFFECTS_LOGGED && c->log.next < c->log.replayed && c->log.entry[c->log.next].kind == kind;
}

/* Marks the log as incomplete: the cycle is not memoised. */
static inline void effects_end(struct ooo *c)
{
    if (EFFECTS_LOGGED)
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
    if (effect_replayed(c, EFFECT_EVENT, at, events, &none))
        return;
    probe_event(c, s, events);
    log_effect(c, EFFECT_EVENT, at, events, 0);
}

/* Outstanding misses: adds that of instruction i, which is filled in cycle `done`; performs or repeats the fills of
 * this cycle; removes those of instructions from `position` on. */
void misses_add(struct ooo *c, uint32_t i, uint64_t done);
void misses_fill(struct ooo *c);
void misses_squash(struct ooo *c, uint64_t position);

/* The effects, whose results they return. Instruction i is in the pipeline; `at` is a number of a store. */
void commit_perform(struct ooo *c, uint32_t what);
uint64_t fill_perform(struct ooo *c, uint64_t head); /* the position of number 0 */
uint64_t length_perform(const struct ooo *c, uint32_t inner, bool store);
void squash_perform(struct ooo *c, uint64_t position, uint32_t stores);
uint64_t translate_perform(struct ooo *c, uint32_t i, uint64_t when);
uint64_t wait_bit_perform(struct ooo *c, uint32_t i);
uint64_t search_perform(struct ooo *c, uint32_t i, uint32_t mark);
uint64_t covers_perform(struct ooo *c, uint32_t i, uint32_t at);
uint64_t access_perform(struct ooo *c, uint32_t i, uint64_t when, bool is_write);
/* A load's effects from translation to access, up to the first one by which it has an obstacle: their number, and the
 * result of the last. The store queue has entries up to `mark`; `when` is relative to now. */
enum { LOAD_EFFECTS = 4 };
struct load_effects {
    uint64_t result;
    uint32_t count;
};
struct load_effects load_perform(struct ooo *c, uint32_t i, uint32_t when, uint32_t mark);
uint64_t send_perform(struct ooo *c, bool asked);
uint64_t store_done_perform(const struct ooo *c, uint32_t at);
void set_wait_perform(struct ooo *c, uint32_t i);
void enter_store_perform(struct ooo *c, uint32_t i);
uint32_t free_stores_perform(struct ooo *c);
uint64_t port_perform(struct ooo *c, uint64_t pc);
uint64_t follow_perform(struct ooo *c, uint32_t i, uint64_t position);

#endif
