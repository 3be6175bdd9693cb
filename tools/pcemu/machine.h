/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated machine: the configuration that --config, --set and --core select. */
#ifndef TOOLS_PCEMU_MACHINE_H
#define TOOLS_PCEMU_MACHINE_H

#include "core-model/config/config.h"
#include "host/driver/cost.h"
#include "tools/pcemu/options.h"

struct machine_config {
    struct core_config config;
    char *name; /* description: name of the configuration and the keys of --set; owned */
};

/* Loads the configuration that the options select; exits on error. */
void machine_load(struct machine_config *m, const struct options *o);
/* Takes the configuration of a recorded run, of this name, with the keys of --set; exits on error. */
void machine_adopt(struct machine_config *m, const struct options *o, const struct core_config *config,
                   const char *name);
/* Prints a line "NAME\t" for each shipped configuration, for shell completion. */
void machine_print_words(FILE *out);
void machine_release(struct machine_config *m);
/* Cost of the host's work in profiling, from the configuration's host_ keys. */
struct host_cost machine_host_cost(const struct machine_config *m);

#endif
