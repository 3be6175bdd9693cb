/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal: line editing by GNU readline, persistent history, and completion. terminal.c is the only user of
 * readline. */
#ifndef EMU_DEBUG_TERMINAL_H
#define EMU_DEBUG_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

struct terminal;

/* Calls `see` for each completion of `text`, which starts at column `start` of the line; returns false if a file name
 * is expected there. */
typedef bool terminal_complete(void *ctx, const char *line, int start, const char *text,
                               void (*see)(void *ctx, const char *name), void *see_ctx);

/* Opens standard input and output if both are terminals, else the controlling terminal; ST_IO if there is none.
 * `pressed` returns whether the owner's SIGINT handler has been called. */
enum status terminal_open(struct terminal **t, terminal_complete *complete, bool (*pressed)(void), void *ctx,
                          struct errmsg *err) MUST_USE;
/* Writes the history file and closes the terminal. */
void terminal_close(struct terminal *t);
/* The stream for output. */
FILE *terminal_out(const struct terminal *t);
/* Reads a line, which the caller frees; NULL at end of file. *given_up: Ctrl-C cancelled the line. */
char *terminal_read(struct terminal *t, const char *prompt, bool *given_up);
/* Adds a line to the history. */
void terminal_remember(struct terminal *t, const char *line);

#endif
