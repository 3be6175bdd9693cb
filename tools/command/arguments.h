/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of a tool that has commands, before a command's own. */
#ifndef TOOLS_COMMAND_ARGUMENTS_H
#define TOOLS_COMMAND_ARGUMENTS_H

#include "base/options.h"

struct command_arguments {
#define OPTION(...) OPTION_MEMBER(__VA_ARGS__)
#include "tools/command/options.def"
};

#endif
