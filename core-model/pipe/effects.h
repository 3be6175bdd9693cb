/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effects: what the stages of a cycle do outside the pipeline, and learn from there. The pipeline's state after a cycle
 * follows from the state before it and the results of the effects, which makes it possible to memoise (memo.h). Each
 * effect has a function that has it (X_perform), which a stage calls, and a replay too. Private to core-model/pipe.
 *
 * A stage notes its effects in a log. A cycle that was begun by a replay is repeated in the stages from the state
 * before it: the effects that the replay has had are in the log, and are not had a second time (effect_was_had). */
#ifndef CORE_MODEL_PIPE_EFFECTS_H
#define CORE_MODEL_PIPE_EFFECTS_H

#include <stdbool.h>
#include <stdint.h>

/* `at` is the instruction's number in the pipeline at the beginning of the cycle, if an instruction has the effect.
 * Without another description, arg and result are 0. Cycles are relative to the present one. */
enum effect {
    EFFECT_COMMIT,     /* arg instructions retire */
    EFFECT_ARRIVE,     /* result: the far accesses that are done */
    EFFECT_LENGTH,     /* idle cycles up to arg at the latest, `at` 1: or up to the oldest store's. result: cycles */
    EFFECT_EVENT,      /* has the events arg (enum probe_event) */
    EFFECT_SQUASH,     /* squashed from here on, arg stores in the store queue; fetch goes on behind the one before */
    EFFECT_MAPPED,     /* arg instructions are renamed, and may be tagged */
    EFFECT_TRANSLATE,  /* arg: cycle. result: cycle with the translation, times 2, plus 1 if the page is absent */
    EFFECT_WAIT_BIT,   /* result: 1 if the load must wait for the addresses of older stores */
    EFFECT_SEARCH,     /* the arg entries from the head of the store queue. result: bit n: the n-th youngest overlaps */
    EFFECT_COVERS,     /* arg: entry from the head of the store queue. result: 1 if it covers the load */
    EFFECT_ACCESS,     /* arg: cycle, times 2, plus 1 for a write. result: cycle or EFFECT_FAR, times 256, plus level */
    EFFECT_SEND,       /* of the oldest retired store. result if arg is 1: cycle in which it is in the cache */
    EFFECT_STORE_DONE, /* arg: entry from the head of the store queue. result: cycle in which it is in the cache */
    EFFECT_SET_WAIT,   /* the load will wait for the addresses of older stores */
    EFFECT_ENTER_STORE, /* enters the store queue */
    EFFECT_FREE_STORES, /* result: number of stores that leave the store queue */
    EFFECT_FETCH,       /* result: address of the next instruction */
    EFFECT_PORT,        /* result: 0 if it can be fetched, else see port_perform */
    EFFECT_EXECUTE,     /* result: 0, or 1 + enum rv_trap if fetch stops behind it */
    EFFECT_FOLLOW,      /* result: enum front_follow */
    EFFECT_COUNT
};

enum { EFFECT_FAR = 0xffffff };
/* Of EFFECT_ARRIVE: up to 4 numbers of instructions, plus 1, or that there are more: the cycle is not memoised. */
enum { EFFECT_ARRIVALS = 4 };
#define EFFECT_MANY UINT64_MAX

struct effect_entry {
    uint8_t kind; /* enum effect */
    uint16_t at;
    uint32_t arg;
    uint64_t result;
};

enum { EFFECTS_MAX = 512, EFFECTS_MORE = 16 /* of a replay, behind those of a cycle that was memoised */ };

struct effect_log {
    uint64_t head;             /* position of the oldest instruction at the beginning of the cycle */
    uint32_t had, next, count; /* effects that have been had before; the next one; all */
    bool opaque;               /* more happens in this cycle than is noted */
    bool tags;                 /* instructions may be tagged when they are renamed */
    struct effect_entry entry[EFFECTS_MAX + EFFECTS_MORE];
};

/* Accesses in flight whose latency is not that of a hit in the L1 cache. When they are done is not a part of the
 * pipeline's state but an effect, or that state would seldom occur twice. */
enum { FAR_MAX = 1024 };
struct far_accesses {
    uint32_t count;
    uint64_t next;              /* first cycle in which one is done; UINT64_MAX: none */
    uint64_t position[FAR_MAX]; /* in the order in which they were issued */
    uint64_t done[FAR_MAX];     /* by ring index */
    bool is_far[FAR_MAX];       /* by ring index: the instruction's event is that of a far access */
};

#endif
