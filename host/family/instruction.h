/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions and functions in tables. */
#ifndef HOST_FAMILY_INSTRUCTION_H
#define HOST_FAMILY_INSTRUCTION_H

#include "contract/code.h"
#include "contract/report.h"
#include "host/symbols/symbols.h"

/* The columns of an instruction: the place, at `at` + 1 of the text form, where `no_place` stands for address 0, and
 * the disassembly, at `at`, absent where there is no instruction. The target of a jump is the address in its file, as
 * it is of a place and as objdump prints it. `symbols` may be NULL. */
void instruction_columns(struct report_table *t, const struct code *code, const struct symbols *symbols, uint64_t pc,
                         unsigned at, const char *no_place);
/* The columns of a function, by the address of its start: its name, its file, the address. */
void function_columns(struct report_table *t, const struct symbols *symbols, uint64_t start, unsigned at,
                      const char *no_place);

#endif
