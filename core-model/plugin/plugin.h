/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plug-ins: shared objects with the interface of share/pcemu/include/pcemu/plugin.h. A plug-in is opened and checked;
 * then it makes states, one for each hart, which an adapter of its kind joins to the model: plugin_predictor.h,
 * plugin_prefetcher.h, and core-model/prof/plugin/ for observers. */
#ifndef CORE_MODEL_PLUGIN_PLUGIN_H
#define CORE_MODEL_PLUGIN_PLUGIN_H

#include "base/sha1.h"
#include "base/status.h"
#include "core-model/config/config.h"
#include "share/pcemu/include/pcemu/plugin.h"

struct plugin {
    const struct pcemu_plugin *symbol; /* of the shared object */
    void *object;                      /* of dlopen */
    char *text;                        /* as given: FILE[:OPTIONS]; owned, like the next two */
    char *file, *options;
    char hash[SHA1_TEXT]; /* of the file */
    /* What the plug-in has done against its interface first; empty: nothing. The adapters write it, and the caller
     * reads it after the run. */
    struct errmsg complaint;
};

/* Opens "FILE[:OPTIONS]": loads the shared object and checks what it defines. */
enum status plugin_open(struct plugin **out, const char *text, struct errmsg *err) MUST_USE;
/* To be called after the release of all states. NULL is allowed. */
void plugin_close(struct plugin *p);
/* The checks of plugin_open of what the object in `file` defines. */
enum status plugin_check(const struct pcemu_plugin *symbol, const char *file, struct errmsg *err) MUST_USE;

/* "observer", ... */
const char *plugin_kind_name(const struct plugin *p);

/* The state of one hart. */
struct plugin_state {
    struct plugin *plugin; /* borrowed; NULL: there is no state */
    void *state;
};

/* The machine and the hart of a state. */
struct plugin_place {
    const struct core_config *config;
    unsigned hart, harts;
    uint64_t seed; /* of the run */
};
enum status plugin_state_init(struct plugin_state *s, struct plugin *p, const struct plugin_place *at,
                              struct errmsg *err) MUST_USE;
void plugin_state_fini(struct plugin_state *s);

/* Records what the plug-in has done against its interface, unless there is an earlier complaint. */
void plugin_complain(struct plugin *p, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Calls of a plug-in's functions are between these two: a fault meanwhile is reported as the plug-in's. */
void plugin_enter(const struct plugin *p, const char *function);
void plugin_leave(void);

#endif
