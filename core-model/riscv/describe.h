/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's instructions through the interface contract/code.h. */
#ifndef CORE_MODEL_RISCV_DESCRIBE_H
#define CORE_MODEL_RISCV_DESCRIBE_H

#include "contract/code.h"
#include "core-model/riscv/hart.h"

enum code_kind rv_code_kind(const struct rv_insn *in);
/* The instructions in the hart's memory. The hart is borrowed; NULL: no code is known. Constant memory is all of it
 * that the program may read and not write. */
struct code rv_code(struct hart *hart);

/* Parts of a program's image at their addresses, in ascending order of start. */
struct rv_part {
    uint64_t start;
    size_t size_bytes;
    const uint8_t *bytes;
};
struct rv_parts {
    const struct rv_part *code; /* executable sections */
    size_t codes;
    const struct rv_part *constant; /* sections that are not written, the executable ones excepted */
    size_t constants;
};
/* The instructions in these parts, which are borrowed. */
struct code rv_code_of_parts(struct rv_parts *parts);

/* Decodes the instruction at pc; returns false if there is none. */
typedef bool rv_decode_at(void *ctx, uint64_t pc, struct rv_insn *out);
rv_decode_at rv_decode_in_hart, rv_decode_in_parts; /* ctx: struct hart, struct rv_parts */

#endif
