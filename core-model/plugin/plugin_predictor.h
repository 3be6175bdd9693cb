/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plug-in that predicts branches, as a predictor outside the model (core-model/bpred/bpred.h). */
#ifndef CORE_MODEL_PLUGIN_PLUGIN_PREDICTOR_H
#define CORE_MODEL_PLUGIN_PLUGIN_PREDICTOR_H

#include "core-model/bpred/bpred.h"
#include "core-model/plugin/plugin.h"

struct plugin_predictor {
    struct plugin_state of;
    const struct pcemu_predictor *functions;
    struct bpred_external external; /* for core_set_predictor */
};

/* The plug-in is a predictor. */
enum status plugin_predictor_init(struct plugin_predictor *p, struct plugin *plugin, const struct plugin_place *at,
                                  struct errmsg *err) MUST_USE;

#endif
