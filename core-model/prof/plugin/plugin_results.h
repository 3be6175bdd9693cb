/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results that a plug-in adds to the report: the functions of struct pcemu_host, which check their arguments. */
#ifndef CORE_MODEL_PROF_PLUGIN_PLUGIN_RESULTS_H
#define CORE_MODEL_PROF_PLUGIN_PLUGIN_RESULTS_H

#include "core-model/plugin/plugin.h"

struct report;

/* Is the struct pcemu_report of the plug-in. */
struct plugin_results;
struct plugin_results *plugin_results_new(struct plugin *p, struct report *section);
/* Completes the last table, and releases the results. */
void plugin_results_end(struct plugin_results *results);

extern const struct pcemu_host plugin_host;

#endif
