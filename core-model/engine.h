/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a core model is to core.c: its functions. Private to core-model. */
#ifndef CORE_MODEL_ENGINE_H
#define CORE_MODEL_ENGINE_H

#include "core-model/core.h"
#include "core-model/front/front.h"
#include "core-model/front/miss_events.h"
#include "core-model/probe_port.h"

/* Pointers into a core of which functional warming, observers and the interrupt line need no more. */
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
    /* Empties the pipeline by a flush, and counts from 0 what core_cycle, core_retired and the statistics report. */
    void (*begin)(void *self);
    uint64_t (*clock)(const void *self);
    uint64_t (*cycle)(const void *self);
    uint64_t (*retired)(const void *self);
    struct core_stats (*stats)(const void *self);
    void (*check)(const void *self);
    void (*print)(const void *self, FILE *out); /* for people */
};

extern const struct engine ooo_engine, inorder_engine;

/* A core of another engine, whose `self` is borrowed by the core until the engine releases it. */
struct core *core_of_engine(const struct engine *engine, void *self);

#endif
