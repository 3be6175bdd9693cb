/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the files of pcprof whatif. */
#ifndef TOOLS_PCPROF_WHATIF_H
#define TOOLS_PCPROF_WHATIF_H

#include "tools/pcprof/input.h"

/* whatif_place.c: the place of an instruction as pcemu --gain finds it again, for the caller to free: FUNCTION+BYTES,
 * or the address of a program that is always at the same place; NULL: it has none. */
char *whatif_place(const struct profile *p, uint32_t image, uint64_t address, bool is_program);

/* whatif_command.c: the command line of a run with `--gain FILE` in place of its own --gain, for the caller to free. */
char *whatif_command_line(const struct store_run_info *run, const char *file);
/* Whether the run knows the functions of libraries when it reads the questions: behind a part that is skipped. */
bool whatif_knows_libraries(const struct store_run_info *run);

#endif
