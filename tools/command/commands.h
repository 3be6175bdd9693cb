/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tools that have commands, as `pcprof prof`. A tool has a table commands.def of rows COMMAND(name, help), a file for
 * each command (command.inc), and the options of options.def before the command. */
#ifndef TOOLS_COMMAND_COMMANDS_H
#define TOOLS_COMMAND_COMMANDS_H

#include <stddef.h>
#include <stdio.h>

#include "base/options.h"

struct command_row {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is "TOOL NAME"; returns the exit status */
    const char *help;
};

struct command_table {
    const char *tool;
    const struct command_row *row;
    size_t rows;
    const struct option_syntax *syntax; /* of the tool, before the command's name */
};

/* Prints a line "NAME\tHELP" for each command, and one for `help`. */
void commands_print(const struct command_table *t, FILE *out);
/* Runs the command that words[0] names with the words after it, `count` in all, or `help [COMMAND]`; returns the exit
 * status. The error for an unknown name lists the commands, and exits with EXIT_BAD_INPUT. */
int commands_run(const struct command_table *t, int count, char **words);

#endif
