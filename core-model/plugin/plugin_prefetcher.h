/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plug-in that prefetches, as a prefetcher outside the model (core-model/mem/hierarchy.h). */
#ifndef CORE_MODEL_PLUGIN_PLUGIN_PREFETCHER_H
#define CORE_MODEL_PLUGIN_PLUGIN_PREFETCHER_H

#include "core-model/mem/hierarchy.h"
#include "core-model/plugin/plugin.h"

struct plugin_prefetcher {
    struct plugin_state of;
    const struct pcemu_prefetcher *functions;
    struct prefetcher prefetcher; /* for core_set_prefetcher */
};

/* The plug-in is a prefetcher. */
enum status plugin_prefetcher_init(struct plugin_prefetcher *p, struct plugin *plugin, const struct plugin_place *at,
                                   struct errmsg *err) MUST_USE;

#endif
