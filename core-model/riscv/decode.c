/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes 32-bit instructions by rv.def: rv_decode. decode_rvc.c decodes 16-bit instructions. Source: the unprivileged
 * manual, "RV32/64G Instruction Set Listings" and the immediate variants of chapter "RV32I".
 */
#include "core-model/riscv/format.h"

#include "contract/opclass.h"

const struct rv_row rv_rows[RV_OP_COUNT] = {
#define RV(sym, name, match, mask, format, kind, bytes, cls, unit, flags, ...) \
    [RV_##sym] = {name, match, mask, RV_FORMAT_##format, RV_KIND_##kind, OPCLASS_##cls, RV_UNIT_##unit, bytes, flags},
#include "core-model/riscv/rv.def"
#undef RV
};

const struct rv_format_info rv_formats[RV_FORMAT_COUNT] = {
#define FORMAT(name, rd, rs1, rs2, rs3, imm, rm) \
    [RV_FORMAT_##name] = {RV_FIELD_##rd, RV_FIELD_##rs1, RV_FIELD_##rs2, RV_FIELD_##rs3, RV_IMM_##imm, rm},
#include "core-model/riscv/format.def"
#undef FORMAT
};

enum { OPCODE_GROUPS = 32, ROUNDING_DYNAMIC = 7, ROUNDING_LAST = 4, CSR_FCSR = 3 };

/* For each major opcode (bits 6:2), 1 + its first row; 0: no such opcode. */
static const uint8_t first_row[OPCODE_GROUPS] = {
    [0x00] = RV_LB + 1,      [0x01] = RV_FLW + 1,     [0x03] = RV_FENCE + 1,    [0x04] = RV_ADDI + 1,
    [0x05] = RV_AUIPC + 1,   [0x06] = RV_ADDIW + 1,   [0x08] = RV_SB + 1,       [0x09] = RV_FSW + 1,
    [0x0b] = RV_LR_W + 1,    [0x0c] = RV_ADD + 1,     [0x0d] = RV_LUI + 1,      [0x0e] = RV_ADDW + 1,
    [0x10] = RV_FMADD_S + 1, [0x11] = RV_FMSUB_S + 1, [0x12] = RV_FNMSUB_S + 1, [0x13] = RV_FNMADD_S + 1,
    [0x14] = RV_FADD_S + 1,  [0x18] = RV_BEQ + 1,     [0x19] = RV_JALR + 1,     [0x1b] = RV_JAL + 1,
    [0x1c] = RV_SCALL + 1,
};

static uint32_t decode_bits(uint32_t word, unsigned low, unsigned count) { return (word >> low) & ((1u << count) - 1); }

static int32_t decode_sign_extend(uint32_t value, unsigned width)
{
    uint32_t sign = 1u << (width - 1);
    return (int32_t)((value ^ sign) - sign);
}

static int32_t immediate(uint32_t w, enum rv_immediate kind)
{
    switch (kind) {
    case RV_IMM_I:
        return decode_sign_extend(w >> 20, 12);
    case RV_IMM_S:
        return decode_sign_extend(decode_bits(w, 25, 7) << 5 | decode_bits(w, 7, 5), 12);
    case RV_IMM_B:
        return decode_sign_extend(decode_bits(w, 31, 1) << 12 | decode_bits(w, 7, 1) << 11 |
                                      decode_bits(w, 25, 6) << 5 | decode_bits(w, 8, 4) << 1,
                                  13);
    case RV_IMM_U:
        return (int32_t)(w & 0xfffff000);
    case RV_IMM_J:
        return decode_sign_extend(decode_bits(w, 31, 1) << 20 | decode_bits(w, 12, 8) << 12 |
                                      decode_bits(w, 20, 1) << 11 | decode_bits(w, 21, 10) << 1,
                                  21);
    case RV_IMM_SHIFT:
        return (int32_t)decode_bits(w, 20, 6);
    case RV_IMM_CSR:
        return (int32_t)(w >> 20);
    case RV_IMM_NONE:
        break;
    }
    return 0;
}

static bool is_link(unsigned reg) { return reg == 1 || reg == 5; }

/* Opcode class of a jump, from the return-address-stack hints of chapter "RV32I", section "Unconditional Jumps". */
static enum opclass jump_class(bool indirect, unsigned rd, unsigned rs1)
{
    if (rd == 0)
        return !indirect ? OPCLASS_JUMP : is_link(rs1) ? OPCLASS_RET : OPCLASS_IJUMP;
    if (!is_link(rd))
        return OPCLASS_LJUMP;
    if (!indirect)
        return OPCLASS_CALL;
    return is_link(rs1) && rs1 != rd ? OPCLASS_SWAP : OPCLASS_ICALL;
}

/* Returns whether the instruction writes the CSR: csrrw (bits 13:12 are 01) always, csrrs and csrrc unless x0 or 0. */
static bool writes_csr(uint32_t word) { return decode_bits(word, 12, 2) == 1 || decode_bits(word, 15, 5) != 0; }

static uint8_t unify(enum rv_field field, unsigned number)
{
    return (uint8_t)(field == RV_FIELD_NONE ? 0 : field == RV_FIELD_F ? number + 32 : number);
}

void rv_finish_decode(enum rv_op op, const struct rv_fields *f, struct rv_insn *out)
{
    const struct rv_row *row = &rv_rows[op];
    const struct rv_format_info *format = &rv_formats[row->format];
    out->op = (uint16_t)op;
    out->flags = row->flags;
    out->dst = unify(format->rd, f->rd);
    out->src[0] = unify(format->rs1, f->rs1);
    out->src[1] = unify(format->rs2, f->rs2);
    out->src[2] = unify(format->rs3, f->rs3);
    out->opclass = row->opclass;
    out->unit = row->unit;
    out->rm = format->has_rm ? (uint8_t)decode_bits(out->word, 12, 3) : 0;
    out->imm = f->imm;
    if (row->flags & RV_JUMP)
        out->opclass = (uint8_t)jump_class((row->flags & RV_INDIRECT) != 0, out->dst, out->src[0]);
    if (format->imm == RV_IMM_CSR && f->imm <= CSR_FCSR && writes_csr(out->word))
        out->flags |= RV_FLUSH;
}

static bool decode_full(uint32_t word, struct rv_insn *out)
{
    unsigned first = first_row[decode_bits(word, 2, 5)];
    if (first == 0)
        return false;
    uint32_t opcode = word & 0x7f;
    unsigned op = first - 1;
    while ((word & rv_rows[op].mask) != rv_rows[op].match)
        if (++op == RV_OP_COUNT || (rv_rows[op].match & 0x7f) != opcode)
            return false;
    const struct rv_format_info *format = &rv_formats[rv_rows[op].format];
    unsigned rm = decode_bits(word, 12, 3);
    if (format->has_rm && rm > ROUNDING_LAST && rm != ROUNDING_DYNAMIC)
        return false;
    const struct rv_fields fields = {
        .rd = (uint8_t)decode_bits(word, 7, 5),
        .rs1 = (uint8_t)decode_bits(word, 15, 5),
        .rs2 = (uint8_t)decode_bits(word, 20, 5),
        .rs3 = (uint8_t)decode_bits(word, 27, 5),
        .imm = immediate(word, (enum rv_immediate)format->imm),
    };
    out->word = word;
    out->length_bytes = 4;
    rv_finish_decode((enum rv_op)op, &fields, out);
    return true;
}

bool rv_decode(uint32_t word, struct rv_insn *out)
{
    return (word & 3) == 3 ? decode_full(word, out) : rv_decode_compressed(word & 0xffff, out);
}

unsigned rv_access_bytes(const struct rv_insn *in) { return rv_rows[in->op].mem_bytes; }

const char *rv_op_name(enum rv_op op) { return (unsigned)op < RV_OP_COUNT ? rv_rows[op].name : "?"; }
