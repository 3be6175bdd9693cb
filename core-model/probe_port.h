/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probe port's sending side, which the cores share: per-stage lists of those who want the stage. See probe.h. */
#ifndef CORE_MODEL_PROBE_PORT_H
#define CORE_MODEL_PROBE_PORT_H

#include "core-model/core.h"

/* Those who want one stage. */
struct observer_list {
    int count;
    struct {
        void (*call)(void *ctx, const struct probe_insn *in, uint64_t cycle);
        void *ctx;
    } to[CORE_MAX_OBSERVERS];
};

struct token_list {
    int count;
    struct {
        void (*call)(void *ctx, const struct probe_token *t);
        void *ctx;
    } to[CORE_MAX_OBSERVERS];
};

struct probe_port {
    uint32_t stages_wanted; /* bit per enum probe_stage: somebody wants it */
    struct observer_list stage_list[PROBE_STAGE_COUNT];
    struct token_list token_list;
};

void probe_port_attach(struct probe_port *p, const struct probe_observer *o);
void probe_port_stage(const struct probe_port *p, const struct probe_insn *in, enum probe_stage stage, uint64_t cycle);
void probe_port_token(const struct probe_port *p, const struct probe_token *t);

#endif
