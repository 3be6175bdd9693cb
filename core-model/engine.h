/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface between core.c and a core model (engine). Private to core-model. */
#ifndef CORE_MODEL_ENGINE_H
#define CORE_MODEL_ENGINE_H

#include "core-model/core.h"
#include "core-model/front/front.h"
#include "core-model/front/miss_events.h"
#include "core-model/probe/probe_port.h"

/* The parts of a core that core.c and functional warming access directly. All are borrowed from the engine. */
struct engine_parts {
    struct guest *guest;
    struct front *front; /* NULL: the core fetches nothing */
    struct hierarchy *mem;
    struct bpred *bpred;
    struct bpred_history *history;
    struct probe_port *port;
    struct interrupt *interrupt;
    const struct core_config *config;
};

/* What core_clock, core_cycle and core_retired return. */
struct engine_counts {
    uint64_t clock, cycle, retired;
};

struct engine {
    void *(*make)(const struct core_config *config, struct guest *guest);
    void (*release)(void *self);
    struct engine_parts (*parts)(void *self);
    /* core_run: called between `start` and `stop`, which gets the trap of the last call. The first, `advance`, also
     * returns RV_TRAP_STOP when cycle `until` is reached; with UINT64_MAX, when the hart's stop flag is set. */
    void (*start)(void *self);
    enum rv_trap (*advance)(void *self, uint64_t max_insts, uint64_t until);
    void (*stop)(void *self, enum rv_trap trap);
    /* With several harts, between two calls of `advance`: squashes the instructions in flight that have had no effect
     * on other harts, and performs the stores of the others. */
    void (*quiesce)(void *self);
    /* Between two calls of core_run: squashes the instructions in flight, so that the hart's state is that behind the
     * last retired one. With several harts, those that have had an effect on other harts complete. */
    void (*empty)(void *self);
    /* Whether a store of a retired instruction is still to be sent to the cache, or to be performed. */
    bool (*has_stores)(const void *self);
    void (*attach)(
        void *self); /* an observer will be attached: it counts nothing earlier; NULL: nothing is to be done */
    /* Flushes the pipeline, and resets core_cycle, core_retired and the statistics to 0. */
    void (*begin)(void *self);
    struct engine_counts (*counts)(const void *self);
    struct core_stats (*stats)(const void *self);
    void (*memoise)(void *self, uint64_t bytes, bool checks); /* NULL: the engine does not memoise */
    void (*idealise)(void *self, const struct ideal *ideal);  /* NULL: the engine cannot */
    struct memo_counts (*memo_counts)(const void *self);
    void (*check)(const void *self);
    void (*print)(const void *self, FILE *out); /* textual view: see core_inspect.h */
};

extern const struct engine ooo_engine, inorder_engine;

struct core {
    const struct engine *engine;
    void *self;
    bool warmed; /* core_warm has run: the engine begins anew at core_run */
};

/* The parts of core_run before and behind the engine's `advance`. */
void core_start(struct core *c);
void core_stop(struct core *c, enum rv_trap trap);

/* Makes a core of another engine. The core releases `self` through the engine in core_free. */
struct core *core_of_engine(const struct engine *engine, void *self);

#endif
