/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of pcemu in the words of a command, and in the command line of a run, as the store keeps it. */
#ifndef TOOLS_COMMAND_COMMAND_OPTIONS_H
#define TOOLS_COMMAND_COMMAND_OPTIONS_H

#include <stdbool.h>

#include "host/store/store.h"

struct command_option {
    const char *name;    /* in full, without dashes, also if it is abbreviated in the command; NULL: unknown */
    const char *written; /* its words in the command; of short options in one word, those of the last */
    size_t length;
};

/* Calls `see` with each option. Returns what follows the options: the guest and its arguments. */
const char *command_options_each(const struct store_run_info *run,
                                 void (*see)(void *ctx, const struct command_option *o), void *ctx);
/* Whether the run has the option of this name. */
bool command_options_have(const struct store_run_info *run, const char *name);

/* Number of the words of options before the guest's name; words end with NULL and lack the name of pcemu. */
size_t command_options_count(char *const *words);

#endif
