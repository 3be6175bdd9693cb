/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine of a run: the configuration that --config, --set and --core choose. */
#ifndef EMU_PCEMU_MACHINE_H
#define EMU_PCEMU_MACHINE_H

#include "core-model/config.h"
#include "emu/pcemu/options.h"
#include "host/cost.h"

struct machine_config {
    struct core_config config;
    char *name; /* in words: the configuration's name, and what --set changed; owned */
};

/* Loads what the options name, or ends pcemu. */
void machine_load(struct machine_config *m, const struct options *o);
/* Prints a line "NAME\t" for each shipped configuration. */
void machine_print_words(FILE *out);
void machine_release(struct machine_config *m);
/* What the host's part of profiling takes, by the configuration's host_ keys. */
struct host_cost machine_host_cost(const struct machine_config *m);

#endif
