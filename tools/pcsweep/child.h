/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that pcsweep starts. */
#ifndef TOOLS_PCSWEEP_CHILD_H
#define TOOLS_PCSWEEP_CHILD_H

#include <sys/types.h>

#include "base/status.h"

struct child {
    char *const *argv;  /* argv[0] is the program's path, or its name in PATH */
    const char *folder; /* working folder; NULL: that of pcsweep */
    const char *input;  /* file of standard input; NULL: /dev/null */
    int output, error;  /* descriptors; -1: those of pcsweep */
};

/* Starts a process, which a SIGKILL ends with pcsweep; its signals have their default actions and are not blocked.
 * Returns its number. A program that cannot be executed exits with status 127. */
enum status child_start(const struct child *c, pid_t *process, struct errmsg *err) MUST_USE;
/* Starts a process and waits. Errors name a status that is not 0. */
enum status child_run(const struct child *c, struct errmsg *err) MUST_USE;
/* Runs a program, and returns its standard output. The caller frees it. */
enum status child_text(char *const *argv, char **text, struct errmsg *err) MUST_USE;

#endif
