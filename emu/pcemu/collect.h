/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --collect: adds the run to a profile store. */
#ifndef EMU_PCEMU_COLLECT_H
#define EMU_PCEMU_COLLECT_H

#include "host/store/store.h"

/* Where the run goes. */
struct collection {
    struct store_selection to; /* path NULL: the run is not collected */
    char *command;             /* command line of pcemu, as a shell takes it; set by the caller */
};

/* The arguments as a command line, the caller's to free. To be called before the options are parsed. */
char *collect_command(int argc, char **argv);
/* Checks before the run that the store can be written, and creates it if it is new; exits on error. `to` NULL: the run
 * is not collected. */
void collect_open(struct collection *c, const char *to);
void collect_release(struct collection *c);

/* Adds a run, whose epoch, command and time are set here. If the store cannot be written, the run goes to a new store
 * beside it. Returns false, with a message printed, if the run is not in the store that was asked for. */
bool collect_add(const struct collection *c, struct store_run *run);

#endif
