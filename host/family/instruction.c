/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/family/instruction.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The disassembly of a jump ends in its target. */
static void move_target(struct code_insn *in, const struct symbols *symbols)
{
    char target[20];
    int digits = snprintf(target, sizeof target, "%" PRIx64, in->target);
    size_t length = strlen(in->text), at = length - (size_t)digits;
    if (length < (size_t)digits || strcmp(in->text + at, target) != 0)
        return;
    snprintf(in->text + at, sizeof in->text - at, "%" PRIx64, symbols_find(symbols, in->target).address);
}

void instruction_add_cells(struct report_table *t, const struct code *code, const struct symbols *symbols, uint64_t pc)
{
    struct code_insn in;
    bool known = code->describe != NULL && code->describe(code->ctx, pc, &in);
    if (known && in.target != 0 && symbols != NULL)
        move_target(&in, symbols);
    report_cell_address(t, pc);
    report_cell_text(t, known ? in.text : NULL);
}
