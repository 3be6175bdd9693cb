/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --plugin: the plug-ins of a run, with a state for each hart. */
#ifndef TOOLS_PCEMU_PLUGINS_H
#define TOOLS_PCEMU_PLUGINS_H

#include "core-model/plugin/plugin_predictor.h"
#include "core-model/plugin/plugin_prefetcher.h"
#include "core-model/prof/observers.h"
#include "tools/pcemu/machine.h"
#include "tools/pcemu/options.h"

enum { PLUGINS_MOST = 8 };

struct plugins {
    struct plugin *plugin[PLUGINS_MOST];
    unsigned count;
    struct plugin *predictor, *prefetcher; /* of these; NULL: none */
    /* By hart; `of.plugin` is NULL where there is none. */
    struct plugin_predictor predictor_of[GUEST_HARTS_MAX];
    struct plugin_prefetcher prefetcher_of[GUEST_HARTS_MAX];
};

/* Opens the plug-ins that the options name; exits on error. */
void plugins_open(struct plugins *p, const struct options *o);
/* Adds those on which the timing depends to the machine's name; exits if the machine cannot have them. */
void plugins_name(const struct plugins *p, struct machine_config *m);
/* Prints the observers for --profile help. */
void plugins_print_help(const struct plugins *p, FILE *out);
/* Adds the observers of a hart to its set. */
void plugins_observe(const struct plugins *p, struct observers *set, const struct options *o,
                     const struct machine_config *m, unsigned hart);
/* Joins predictor and prefetcher to a hart's new core, with new states. */
void plugins_join(struct plugins *p, struct core *core, const struct options *o, unsigned hart);
/* Adds the plug-ins other than observers to the report. */
void plugins_report(const struct plugins *p, struct report *r);
/* Exits if a plug-in has done something against the interface. */
void plugins_check(const struct plugins *p);
/* To be called after the release of cores and observers. */
void plugins_release(struct plugins *p);

/* Prints the names that --plugin-skeleton takes; prints the file of one, with the command that builds it, or exits. */
void plugins_print_words(FILE *out);
void plugins_print_skeleton(const char *name, FILE *out);

#endif
