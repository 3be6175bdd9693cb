/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A pager for reports that are longer than the terminal. */
#ifndef TOOLS_COMMAND_PAGER_H
#define TOOLS_COMMAND_PAGER_H

#include <stdbool.h>
#include <stddef.h>

/* The command of the pager for a text on standard output: PCPROF_PAGER, or else PAGER, of the environment, or else
 * less. NULL: there is none, as the output is no terminal, the variable is empty or cat, or the text fits the terminal.
 */
const char *pager_choose(const char *text);
/* Shows the text in the pager, and waits until that has ended, also early; false: it could not be started. */
bool pager_show(const char *command, const char *text, size_t size_bytes);

#endif
