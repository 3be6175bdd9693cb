/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Terminals that a tool prints on. */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

#include "base/status.h"

/* The columns of the terminal behind a descriptor: COLUMNS of the environment, if that is a number from 1 on, as
 * POSIX has it; else the size of the window; else 80. 0: it is no terminal, and COLUMNS does not count. */
unsigned terminal_width(int fd);
/* The lines of the terminal behind a descriptor: those of the window, or 24. 0: it is no terminal. */
unsigned terminal_height(int fd);

/* Refuses an output that goes to standard output if that is a terminal: for binary files and others that a terminal
 * does not show. `what` is the content, `option` the one that names the file; `output` NULL: not given. */
enum status terminal_refuse(const char *output, const char *option, const char *what, struct errmsg *err) MUST_USE;

#endif
