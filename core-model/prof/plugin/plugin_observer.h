/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plug-in that observes the run. */
#ifndef CORE_MODEL_PROF_PLUGIN_PLUGIN_OBSERVER_H
#define CORE_MODEL_PROF_PLUGIN_PLUGIN_OBSERVER_H

#include "core-model/plugin/plugin.h"
#include "core-model/prof/observer.h"

/* Makes an observer of the plug-in, which is one, with a state of its own. Its section of the report is an element of
 * the list `plugins` (plugin_report_head). */
enum status plugin_observer_new(struct observer **out, struct plugin *plugin, const struct plugin_place *at,
                                struct errmsg *err) MUST_USE;

/* Adds the element of a plug-in to the list, with what names it, and returns it. `hart`: of several; else negative. */
struct report *plugin_report_head(struct report *r, const struct plugin *p, int hart);

#endif
