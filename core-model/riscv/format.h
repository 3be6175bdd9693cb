/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operand formats of rv.def's rows: register file of each field, and position of the immediate. Private to decode.c,
 * decode_rvc.c, print.c and the tests. */
#ifndef CORE_MODEL_RISCV_FORMAT_H
#define CORE_MODEL_RISCV_FORMAT_H

#include "core-model/riscv/insn.h"

enum rv_format {
#define FORMAT(name, ...) RV_FORMAT_##name,
#include "core-model/riscv/format.def"
#undef FORMAT
    RV_FORMAT_COUNT
};

enum rv_field { RV_FIELD_NONE, RV_FIELD_X, RV_FIELD_F };

enum rv_immediate { RV_IMM_NONE, RV_IMM_I, RV_IMM_S, RV_IMM_B, RV_IMM_U, RV_IMM_J, RV_IMM_SHIFT, RV_IMM_CSR };

/* Calling convention of a row's semantics (sem.h). */
enum rv_kind {
    RV_KIND_OPR,
    RV_KIND_OPI,
    RV_KIND_LUI,
    RV_KIND_AUIPC,
    RV_KIND_BR,
    RV_KIND_JAL,
    RV_KIND_JALR,
    RV_KIND_LOAD,
    RV_KIND_STORE,
    RV_KIND_LR,
    RV_KIND_SC,
    RV_KIND_AMO,
    RV_KIND_FENCE,
    RV_KIND_FENCE_I,
    RV_KIND_ECALL,
    RV_KIND_EBREAK,
    RV_KIND_CSR,
    RV_KIND_F1R,
    RV_KIND_F2R,
    RV_KIND_F3R,
    RV_KIND_F1X,
    RV_KIND_F2X,
    RV_KIND_FCI,
};

struct rv_format_info {
    uint8_t rd, rs1, rs2, rs3; /* enum rv_field */
    uint8_t imm;               /* enum rv_immediate */
    uint8_t has_rm;            /* bits 14:12 are a rounding mode */
};

struct rv_row {
    const char *name;
    uint32_t match, mask;
    uint8_t format, kind, opclass, unit;
    uint8_t mem_bytes;
    uint16_t flags;
};

/* Raw fields of an instruction, before the format selects integer or floating-point registers. */
struct rv_fields {
    uint8_t rd, rs1, rs2, rs3;
    int32_t imm;
};

extern const struct rv_row rv_rows[RV_OP_COUNT];
extern const struct rv_format_info rv_formats[RV_FORMAT_COUNT];

/* Completes the decoded instruction of row `op` from its fields. Word and length in `out` are set by the caller. */
void rv_finish_decode(enum rv_op op, const struct rv_fields *f, struct rv_insn *out);
/* Decodes a 16-bit instruction; returns false if it is illegal. */
bool rv_decode_compressed(uint32_t word, struct rv_insn *out);

#endif
