/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell commands, for the debugger. */
#ifndef TOOLS_PCEMU_SHELL_H
#define TOOLS_PCEMU_SHELL_H

#include <stdio.h>

#include "base/status.h"

/* The service `shell` of the debugger (emu/debug/debug.h). Waits for the command to end; prints its exit status if it
 * failed. */
enum status shell_run(void *ctx, const char *command, FILE *out, struct errmsg *err);

#endif
