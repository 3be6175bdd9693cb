/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of pcsweep, which pcsweep_main.c looks up in commands.def. They print errors, and exit with
 * EXIT_BAD_INPUT. */
#ifndef TOOLS_PCSWEEP_PCSWEEP_H
#define TOOLS_PCSWEEP_PCSWEEP_H

#define COMMAND(name, help) int pcsweep_##name(int argc, char **argv);
#include "tools/pcsweep/commands.def"

#endif
