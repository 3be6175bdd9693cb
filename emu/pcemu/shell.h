/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of the system's shell, for the debugger. */
#ifndef EMU_PCEMU_SHELL_H
#define EMU_PCEMU_SHELL_H

#include <stdio.h>

#include "isa/support/status.h"

/* The debugger's service of that name (emu/debug/debug.h). Returns when the command has ended, and says how if it
 * failed. */
enum status shell_run(void *ctx, const char *command, FILE *out, struct errmsg *err);

#endif
