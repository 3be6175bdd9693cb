/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal: GNU readline, its history across runs, and completion. The only file that knows readline. */
#ifndef EMU_DEBUG_TERMINAL_H
#define EMU_DEBUG_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include "isa/support/status.h"

struct terminal;

/* Calls `see` for each name that can stand where `text` does, at `start` in the line; returns false where that is a
 * file's name. */
typedef bool terminal_complete(void *ctx, const char *line, int start, const char *text,
                               void (*see)(void *ctx, const char *name), void *see_ctx);

/* Opens standard input and output where both are a terminal, else the controlling one. ST_IO where there is none.
 * `pressed` tells whether the owner's handler of SIGINT has been called. */
enum status terminal_open(struct terminal **t, terminal_complete *complete, bool (*pressed)(void), void *ctx,
                          struct errmsg *err) MUST_USE;
/* Writes the history file. */
void terminal_close(struct terminal *t);
/* Where output goes. */
FILE *terminal_out(const struct terminal *t);
/* The next line, for free(); NULL at its end. *given_up: Ctrl-C has been pressed instead. */
char *terminal_read(struct terminal *t, const char *prompt, bool *given_up);
/* Adds a line to the history. */
void terminal_remember(struct terminal *t, const char *line);

#endif
