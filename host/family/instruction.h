/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions in tables. */
#ifndef HOST_FAMILY_INSTRUCTION_H
#define HOST_FAMILY_INSTRUCTION_H

#include "contract/code.h"
#include "contract/report.h"
#include "host/symbols/symbols.h"

/* The row's next two cells: the place, and the disassembly, absent where there is no instruction. The target of a jump
 * is the address in its file, as it is of a place and as objdump prints it. `symbols` may be NULL. */
void instruction_add_cells(struct report_table *t, const struct code *code, const struct symbols *symbols, uint64_t pc);

#endif
