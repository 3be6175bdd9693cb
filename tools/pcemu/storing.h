/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --collect: adds the run to a profile store. */
#ifndef TOOLS_PCEMU_STORING_H
#define TOOLS_PCEMU_STORING_H

#include "host/store/store.h"

/* Where the run goes. */
struct storing {
    struct store_selection to; /* path NULL: the run is not collected */
    char *command;             /* command line of pcemu, as a shell takes it; set by the caller */
};

/* The arguments as a command line, the caller's to free. To be called before the options are parsed. */
char *storing_command(int argc, char **argv);
/* The guest and its arguments, up to NULL, likewise. */
char *storing_guest(char **words);
/* Checks before the run that the store can be written, and creates it if it is new; exits on error. `to` NULL: the run
 * is not collected. */
void storing_open(struct storing *c, const char *to);
void storing_release(struct storing *c);

/* Adds a run, whose epoch, command and time are set here. If the store cannot be written, the run goes to a new store
 * beside it. Returns false, with a message printed, if the run is not in the store that was asked for. */
bool storing_add(const struct storing *c, struct store_run *run);

#endif
