/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/family/instruction.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

void instruction_columns(struct report_table *t, const struct code *code, const struct symbols *symbols, uint64_t pc,
                         unsigned at, const char *no_place)
{
    struct code_insn in;
    bool known = !report_declares(t) && code->describe != NULL && code->describe(code->ctx, pc, &in);
    if (known && in.target != 0 && symbols != NULL)
        move_target(&in, symbols);
    REPORT_COLUMN(t, ADDRESS, pc, .title = "place", .at = at + 1, .zero = no_place);
    REPORT_COLUMN_IF(t, known, TEXT, in.text, .member = "assembly", .title = "instruction", .at = at, .kept = true);
}

void function_columns(struct report_table *t, const struct symbols *symbols, uint64_t start, unsigned at,
                      const char *no_place)
{
    const char *library = NULL;
    char *function = report_declares(t) ? NULL : symbols_function(symbols, start, &library);
    const char *shown = start == 0 && no_place != NULL && symbols != NULL ? no_place : function;
    REPORT_COLUMN(t, TEXT, shown, .member = "function", .title = "function", .at = at, .function = true,
                  .suffix = " in ", .suffix_of = "library");
    REPORT_COLUMN(t, TEXT, library, .member = "library");
    REPORT_COLUMN(t, HEX, start, .member = "start");
    free(function);
}
