/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debugger's views of the guest's source: lines, the call stack, variables. */
#ifndef TOOLS_PCEMU_DEBUG_SOURCE_H
#define TOOLS_PCEMU_DEBUG_SOURCE_H

#include "emu/debug/debug.h"
#include "tools/pcemu/target.h"

/* Prints the view; ST_INPUT: the guest has no such information. */
enum status debug_source_show(struct target *t, const struct debug_guest_request *request, FILE *out,
                              struct errmsg *err) MUST_USE;
/* Prints an instruction of the guest with its place. */
void debug_source_instruction(struct target *t, uint64_t pc, FILE *out);

#endif
