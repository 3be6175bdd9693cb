/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of pcprof, which pcprof_main.c looks up in commands.def. They print errors, and exit with
 * EXIT_BAD_INPUT. */
#ifndef TOOLS_PCPROF_PCPROF_H
#define TOOLS_PCPROF_PCPROF_H

#define COMMAND(name, help) int pcprof_##name(int argc, char **argv);
#include "tools/pcprof/commands.def"

#endif
