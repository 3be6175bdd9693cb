/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface between core.c and a core model (engine). Private to core-model. */
#ifndef CORE_MODEL_ENGINE_H
#define CORE_MODEL_ENGINE_H

#include "core-model/core.h"
#include "core-model/front/front.h"
#include "core-model/front/miss_events.h"
#include "core-model/probe_port.h"

/* The parts of a core that core.c and functional warming access directly. All are borrowed from the engine. */
struct engine_parts {
    struct guest *guest;
    struct hierarchy *mem;
    struct bpred *bpred;
    struct bpred_history *history;
    struct probe_port *port;
    struct interrupt *interrupt;
    const struct core_config *config;
};

struct engine {
    void *(*make)(const struct core_config *config, struct guest *guest);
    void (*release)(void *self);
    struct engine_parts (*parts)(void *self);
    enum rv_trap (*run)(void *self, uint64_t max_insts);
    /* Flushes the pipeline, and resets core_cycle, core_retired and the statistics to 0. */
    void (*begin)(void *self);
    uint64_t (*clock)(const void *self);
    uint64_t (*cycle)(const void *self);
    uint64_t (*retired)(const void *self);
    struct core_stats (*stats)(const void *self);
    void (*check)(const void *self);
    void (*print)(const void *self, FILE *out); /* textual view: see core_inspect.h */
};

extern const struct engine ooo_engine, inorder_engine;

/* Makes a core of another engine. The core releases `self` through the engine in core_free. */
struct core *core_of_engine(const struct engine *engine, void *self);

#endif
