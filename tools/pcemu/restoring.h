/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs that go on from a checkpoint (--restore). */
#ifndef TOOLS_PCEMU_RESTORING_H
#define TOOLS_PCEMU_RESTORING_H

#include "core-model/linux/checkpoint.h"
#include "tools/pcemu/options.h"

/* Opens the checkpoint of --restore, and completes the options by its run: program, arguments, environment, sysroot.
 * NULL: the option is not given. Exits on error, and if the options name another run. */
struct guest_checkpoint *restoring_open(struct options *o);
/* The program's path, of which relative ones are below the folder that the run was started in. The caller frees it. */
char *restoring_path(const struct guest_checkpoint *c);
/* Changes to that folder; exits on error. */
void restoring_enter(const struct guest_checkpoint *c, const char *name);

#endif
