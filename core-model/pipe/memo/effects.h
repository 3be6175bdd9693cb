/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effects: the operations of core-model/pipe/outside.h in a cycle that is recorded or replayed, with their results as
 * numbers. The stages log their effects. If a replay reaches an unknown result, the stages repeat the cycle from the
 * state before it. The log then begins with the effects that the replay performed; the stages take their results from
 * the log and perform the later ones. Private to core-model/pipe/memo. */
#ifndef CORE_MODEL_PIPE_MEMO_EFFECTS_H
#define CORE_MODEL_PIPE_MEMO_EFFECTS_H

#include "core-model/pipe/outside.h"

/* `at` is the instruction's number in the pipeline at the beginning of the cycle, if an instruction has the effect.
 * Without another description, arg and result are 0. Cycles are relative to the present one. */
enum effect {
    EFFECT_COMMIT,    /* instructions retire; arg: see commit_perform */
    EFFECT_FILL,      /* result: the misses whose data arrive */
    EFFECT_LENGTH,    /* idle cycles up to arg at the latest, `at` 1: or up to the oldest store's. result: cycles */
    EFFECT_EVENT,     /* has the events arg (enum probe_event) */
    EFFECT_SQUASH,    /* squashed from here on, arg stores in the store queue; fetch goes on behind the one before */
    EFFECT_TRANSLATE, /* arg: cycle. result: cycle with the translation, times 2, plus 1 if the page is absent */
    EFFECT_WAIT_BIT,  /* result: 1 if the load must wait for the addresses of older stores */
    EFFECT_SEARCH,    /* the arg entries from the head of the store queue. result: bit n: the n-th youngest overlaps */
    EFFECT_COVERS,    /* arg: entry from the head of the store queue. result: 1 if it covers the load */
    EFFECT_ACCESS,    /* arg: cycle, times 2, plus 1 for a write. result: cycle or EFFECT_MISS, times 256, plus level */
    EFFECT_SEND,      /* of the oldest retired store. result if arg is 1: cycle in which it is in the cache */
    EFFECT_STORE_DONE,  /* arg: entry from the head of the store queue. result: cycle in which it is in the cache */
    EFFECT_SET_WAIT,    /* the load will wait for the addresses of older stores */
    EFFECT_ENTER_STORE, /* enters the store queue */
    EFFECT_FREE_STORES, /* result: number of stores that leave the store queue */
    EFFECT_FETCH,       /* result: address of the next instruction */
    EFFECT_PORT,        /* result: 0 if it can be fetched, else see effect_port */
    EFFECT_EXECUTE,     /* result: 0, or 1 + enum rv_trap if fetch stops behind it */
    EFFECT_FOLLOW,      /* result: enum front_follow */
    EFFECT_COUNT
};

enum { EFFECT_MISS = 0xffffff };
/* Of EFFECT_FILL: up to 4 numbers of instructions, plus 1, or that there are more: the cycle is not memoised. */
enum { EFFECT_FILLS = 4 };
#define EFFECT_MANY UINT64_MAX

struct effect_entry {
    uint8_t kind; /* enum effect */
    uint16_t at;
    uint32_t arg;
    uint64_t result;
};

enum { EFFECTS_MAX = 512, EFFECTS_MORE = 16 /* of a replay, behind those of a cycle that was memoised */ };

struct effect_log {
    uint64_t head;                  /* position of the oldest instruction at the beginning of the cycle */
    uint32_t replayed, next, count; /* number of effects that the replay performed; the next one; number of all */
    bool opaque;                    /* the log of this cycle is not complete */
    struct effect_entry entry[EFFECTS_MAX + EFFECTS_MORE];
};

/* Outstanding misses: data accesses in flight whose latency is not that of a hit in the L1 cache. The fill is an
 * effect; the cycle of the fill is not part of the pipeline's state, because each latency would make another state. */
struct outstanding_misses {
    uint32_t count;
    uint64_t next;               /* first cycle in which one is done; UINT64_MAX: none */
    uint64_t position[RING_MAX]; /* in the order in which they were issued */
    uint64_t done[RING_MAX];     /* by ring index */
    bool is_miss[RING_MAX];      /* by ring index: the instruction's event is a fill */
};

/* Logs an effect that has been performed. */
void effects_log(struct ooo *c, enum effect kind, uint32_t at, uint32_t arg, uint64_t result);
/* The result of the next effect in a cycle that is recorded: from the log if the replay of this cycle has performed it,
 * else it is performed and logged. BUG() if the replay has performed another effect. */
uint64_t effects_result(struct ooo *c, enum effect kind, uint32_t at, uint32_t arg);

/* Outstanding misses: adds that of instruction i, which is filled in cycle `done`; removes those of instructions from
 * `position` on. */
void misses_add(struct ooo *c, uint32_t i, uint64_t done);
void misses_squash(struct ooo *c, uint64_t position);

/* Single effects, whose results they return. Instruction i is in the pipeline. */
uint64_t effect_fill(struct ooo *c, uint64_t head); /* the position of number 0 */
uint64_t effect_length(struct ooo *c, uint32_t inner, bool store);
uint64_t effect_translate(struct ooo *c, uint32_t i, uint64_t when);
uint64_t effect_search(struct ooo *c, uint32_t i, uint32_t mark); /* of the store queue's entries before `mark` */
uint64_t effect_access(struct ooo *c, uint32_t i, uint64_t when, bool is_write);
uint64_t effect_send(struct ooo *c, bool asked);
uint64_t effect_store_done(struct ooo *c, uint32_t entry);
uint64_t effect_port(struct ooo *c, uint64_t pc);
void effect_squash(struct ooo *c, uint64_t position, uint32_t stores, uint64_t pc, struct bpred_history history);
/* A load's effects from translation to access, up to the first one by which it has an obstacle: their number, and the
 * result of the last. `when` is relative to now. */
enum { LOAD_EFFECTS = 4 };
struct load_effects {
    uint64_t result;
    uint32_t count;
};
struct load_effects effect_load(struct ooo *c, uint32_t i, uint32_t when, uint32_t mark);

_Static_assert(EFFECT_COUNT == 19, "effect_perform has a case for each effect but EFFECT_SQUASH and EFFECT_EXECUTE");

/* Performs an effect of a cycle that began with `head`. Returns its result. For a `kind` that is constant. */
static inline __attribute__((always_inline)) uint64_t effect_perform(struct ooo *c, uint32_t kind, uint64_t head,
                                                                     uint32_t at, uint32_t arg)
{
    const uint32_t i = (uint32_t)(head + at) & c->ring_mask;
    switch (kind) {
    case EFFECT_COMMIT:
        commit_perform(c, arg);
        return 0;
    case EFFECT_FILL:
        return effect_fill(c, head);
    case EFFECT_LENGTH:
        return effect_length(c, arg, at);
    case EFFECT_EVENT:
        stage_event_perform(c, &c->slot[i], arg);
        return 0;
    case EFFECT_TRANSLATE:
        return effect_translate(c, i, c->now + arg);
    case EFFECT_WAIT_BIT:
        return *store_wait_bit(c, c->slot[i].pc);
    case EFFECT_SEARCH:
        return effect_search(c, i, c->store_head + arg);
    case EFFECT_COVERS:
        return covers_perform(c, i, c->store_head + arg);
    case EFFECT_ACCESS:
        return effect_access(c, i, c->now + (arg >> 1), arg & 1);
    case EFFECT_SEND:
        return effect_send(c, arg);
    case EFFECT_STORE_DONE:
        return effect_store_done(c, c->store_head + arg);
    case EFFECT_SET_WAIT:
        *store_wait_bit(c, c->slot[i].pc) = 1;
        return 0;
    case EFFECT_ENTER_STORE:
        enter_store_perform(c, i);
        return 0;
    case EFFECT_FREE_STORES:
        return free_stores_perform(c);
    case EFFECT_FETCH:
        return c->front.hart->pc;
    case EFFECT_PORT:
        return effect_port(c, c->front.hart->pc);
    case EFFECT_FOLLOW:
        return predict_perform(c, i, head + at);
    default:
        __builtin_unreachable();
    }
}

#endif
