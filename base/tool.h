/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Common start of every tool. */
#ifndef BASE_TOOL_H
#define BASE_TOOL_H

/* To be called at the start of main. Signals end the tool as in ending.h; a write beyond the limit of file sizes is an
 * error, and not the signal SIGXFSZ. Standard streams that are closed get a descriptor that can neither be read nor
 * written, so that no file of the tool has its number. An exit with status 0 after a failed write to standard output
 * becomes a message and EXIT_BAD_INPUT. `tool` is its name, borrowed for the life of the process. */
void tool_start(const char *tool);

#endif
