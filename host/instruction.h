/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions in tables. */
#ifndef HOST_INSTRUCTION_H
#define HOST_INSTRUCTION_H

#include "host/symbols.h"
#include "isa/contract/code.h"
#include "isa/contract/report.h"

/* The row's next two cells: the place, and the disassembly, absent where there is no instruction. The target of a jump
 * is the address in its file, as it is of a place and as objdump prints it. `symbols` may be NULL. */
void instruction_add_cells(struct report_table *t, const struct code *code, const struct symbols *symbols, uint64_t pc);

#endif
