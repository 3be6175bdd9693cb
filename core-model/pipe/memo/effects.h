/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effects: operations of a cycle outside the pipeline, such as execution, prediction, accesses to memory and calls of
 * observers. The pipeline's state after a cycle is a function of its state before the cycle and of the results of the
 * effects, which is the condition of memoisation (memo.h). For each effect a function X_perform performs it; a stage
 * and the replay call the same function.
 *
 * The stages log their effects. If a replay reaches an unknown result, the stages repeat the cycle from the state
 * before it. The log then begins with the effects that the replay performed; the stages read their results from the log
 * (effect_replayed) and perform the later ones. Private to core-model/pipe. */
#ifndef CORE_MODEL_PIPE_MEMO_EFFECTS_H
#define CORE_MODEL_PIPE_MEMO_EFFECTS_H

#include <stdbool.h>
#include <stdint.h>

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
    EFFECT_PORT,        /* result: 0 if it can be fetched, else see port_perform */
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
    uint32_t replayed, next, count; /* effects that the replay performed; the next one; all */
    bool opaque;                    /* the log of this cycle is not complete */
    struct effect_entry entry[EFFECTS_MAX + EFFECTS_MORE];
};

/* Outstanding misses: data accesses in flight whose latency is not that of a hit in the L1 cache. The fill is an
 * effect; the cycle of the fill is not part of the pipeline's state, because each latency would make another state. */
enum { MISSES_MAX = 1024 };
struct outstanding_misses {
    uint32_t count;
    uint64_t next;                 /* first cycle in which one is done; UINT64_MAX: none */
    uint64_t position[MISSES_MAX]; /* in the order in which they were issued */
    uint64_t done[MISSES_MAX];     /* by ring index */
    bool is_miss[MISSES_MAX];      /* by ring index: the instruction's event is a fill */
};

#endif
