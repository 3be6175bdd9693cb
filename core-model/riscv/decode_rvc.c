/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes 16-bit instructions by rvc.def into the row they expand to: rv_decode_compressed.
 * Source: the unprivileged manual, chapter "C". Hints expand into instructions that write x0. */
#include "core-model/riscv/format.h"

enum rvc_format {
    RVC_CIW,
    RVC_CL4,
    RVC_CL8,
    RVC_CS4,
    RVC_CS8,
    RVC_CI,
    RVC_CLI,
    RVC_C16SP,
    RVC_CLUI,
    RVC_CBSH,
    RVC_CBI,
    RVC_CA,
    RVC_CJ,
    RVC_CB,
    RVC_CSLLI,
    RVC_CLWSP,
    RVC_CLDSP,
    RVC_CJR,
    RVC_CJALR,
    RVC_CMV,
    RVC_CADD,
    RVC_CNONE,
    RVC_CSWSP,
    RVC_CSDSP,
};

enum rvc_constraint { RVC_ANY, RVC_IMM, RVC_RD };

struct rvc_row {
    uint16_t match, mask;
    uint8_t format, constraint;
    uint16_t base;
};

static const struct rvc_row rvc_rows[] = {
#define RVC(sym, name, match, mask, format, constraint, base) {match, mask, RVC_##format, RVC_##constraint, RV_##base},
#include "core-model/riscv/rvc.def"
#undef RVC
};

enum { RVC_ROWS = sizeof rvc_rows / sizeof rvc_rows[0], REG_SP = 2, REG_RA = 1 };

static uint32_t decode_rvc_bits(uint32_t w, unsigned low, unsigned count) { return (w >> low) & ((1u << count) - 1); }

/* Moves bits [low, low + count) of the instruction to position `to`, as the manual specifies scattered immediates. */
static uint32_t decode_rvc_move(uint32_t w, unsigned low, unsigned count, unsigned to)
{
    return decode_rvc_bits(w, low, count) << to;
}

static int32_t decode_rvc_sign_extend(uint32_t value, unsigned width)
{
    uint32_t sign = 1u << (width - 1);
    return (int32_t)((value ^ sign) - sign);
}

static uint32_t offset_word(uint32_t w)
{
    return decode_rvc_move(w, 10, 3, 3) | decode_rvc_move(w, 6, 1, 2) | decode_rvc_move(w, 5, 1, 6);
}
static uint32_t offset_double(uint32_t w) { return decode_rvc_move(w, 10, 3, 3) | decode_rvc_move(w, 5, 2, 6); }
static uint32_t shift_amount(uint32_t w) { return decode_rvc_move(w, 12, 1, 5) | decode_rvc_bits(w, 2, 5); }

static int32_t offset_jump(uint32_t w)
{
    return decode_rvc_sign_extend(decode_rvc_move(w, 12, 1, 11) | decode_rvc_move(w, 11, 1, 4) |
                                      decode_rvc_move(w, 9, 2, 8) | decode_rvc_move(w, 8, 1, 10) |
                                      decode_rvc_move(w, 7, 1, 6) | decode_rvc_move(w, 6, 1, 7) |
                                      decode_rvc_move(w, 3, 3, 1) | decode_rvc_move(w, 2, 1, 5),
                                  12);
}

static int32_t offset_branch(uint32_t w)
{
    return decode_rvc_sign_extend(decode_rvc_move(w, 12, 1, 8) | decode_rvc_move(w, 10, 2, 3) |
                                      decode_rvc_move(w, 5, 2, 6) | decode_rvc_move(w, 3, 2, 1) |
                                      decode_rvc_move(w, 2, 1, 5),
                                  9);
}

static int32_t stack_adjustment(uint32_t w)
{
    return decode_rvc_sign_extend(decode_rvc_move(w, 12, 1, 9) | decode_rvc_move(w, 6, 1, 4) |
                                      decode_rvc_move(w, 5, 1, 6) | decode_rvc_move(w, 3, 2, 7) |
                                      decode_rvc_move(w, 2, 1, 5),
                                  10);
}

/* Formats with three-bit register fields, x8 to x15. */
static bool short_fields(enum rvc_format format, uint32_t w, struct rv_fields *f)
{
    uint8_t low = (uint8_t)(8 + decode_rvc_bits(w, 2, 3)), high = (uint8_t)(8 + decode_rvc_bits(w, 7, 3));
    switch (format) {
    case RVC_CIW:
        *f = (struct rv_fields){.rd = low,
                                .rs1 = REG_SP,
                                .imm = (int32_t)(decode_rvc_move(w, 11, 2, 4) | decode_rvc_move(w, 7, 4, 6) |
                                                 decode_rvc_move(w, 6, 1, 2) | decode_rvc_move(w, 5, 1, 3))};
        return true;
    case RVC_CL4:
    case RVC_CS4:
        *f = (struct rv_fields){.rd = low, .rs1 = high, .rs2 = low, .imm = (int32_t)offset_word(w)};
        return true;
    case RVC_CL8:
    case RVC_CS8:
        *f = (struct rv_fields){.rd = low, .rs1 = high, .rs2 = low, .imm = (int32_t)offset_double(w)};
        return true;
    case RVC_CBSH:
        *f = (struct rv_fields){.rd = high, .rs1 = high, .imm = (int32_t)shift_amount(w)};
        return true;
    case RVC_CBI:
        *f = (struct rv_fields){.rd = high, .rs1 = high, .imm = decode_rvc_sign_extend(shift_amount(w), 6)};
        return true;
    case RVC_CA:
        *f = (struct rv_fields){.rd = high, .rs1 = high, .rs2 = low};
        return true;
    case RVC_CB:
        *f = (struct rv_fields){.rs1 = high, .imm = offset_branch(w)};
        return true;
    default:
        return false;
    }
}

static void long_fields(enum rvc_format format, uint32_t w, struct rv_fields *f)
{
    uint8_t rd = (uint8_t)decode_rvc_bits(w, 7, 5), rs2 = (uint8_t)decode_rvc_bits(w, 2, 5);
    int32_t imm6 = decode_rvc_sign_extend(shift_amount(w), 6);
    *f = (struct rv_fields){.rd = rd, .rs1 = rd, .rs2 = rs2};
    switch (format) {
    case RVC_CI:
        f->imm = imm6;
        break;
    case RVC_CLI:
        f->rs1 = 0;
        f->imm = imm6;
        break;
    case RVC_CLUI:
        f->imm = imm6 * 4096;
        break;
    case RVC_C16SP:
        f->imm = stack_adjustment(w);
        break;
    case RVC_CJ:
        f->rd = 0;
        f->imm = offset_jump(w);
        break;
    case RVC_CSLLI:
        f->imm = (int32_t)shift_amount(w);
        break;
    case RVC_CLWSP:
        f->rs1 = REG_SP;
        f->imm = (int32_t)(decode_rvc_move(w, 12, 1, 5) | decode_rvc_move(w, 4, 3, 2) | decode_rvc_move(w, 2, 2, 6));
        break;
    case RVC_CLDSP:
        f->rs1 = REG_SP;
        f->imm = (int32_t)(decode_rvc_move(w, 12, 1, 5) | decode_rvc_move(w, 5, 2, 3) | decode_rvc_move(w, 2, 3, 6));
        break;
    case RVC_CSWSP:
        f->rs1 = REG_SP;
        f->imm = (int32_t)(decode_rvc_move(w, 9, 4, 2) | decode_rvc_move(w, 7, 2, 6));
        break;
    case RVC_CSDSP:
        f->rs1 = REG_SP;
        f->imm = (int32_t)(decode_rvc_move(w, 10, 3, 3) | decode_rvc_move(w, 7, 3, 6));
        break;
    case RVC_CJR:
        f->rd = 0;
        break;
    case RVC_CJALR:
        f->rd = REG_RA;
        break;
    case RVC_CMV:
        f->rs1 = 0;
        break;
    default:
        break;
    }
}

/* The constraint applies to the field in bits 11:7, independent of its role in the expansion. */
static bool satisfies(const struct rvc_row *row, uint32_t word, const struct rv_fields *f)
{
    return row->constraint == RVC_ANY || (row->constraint == RVC_IMM ? f->imm != 0 : decode_rvc_bits(word, 7, 5) != 0);
}

bool rv_decode_compressed(uint32_t word, struct rv_insn *out)
{
    const struct rvc_row *row = rvc_rows;
    while ((word & row->mask) != row->match)
        if (++row == rvc_rows + RVC_ROWS)
            return false;
    struct rv_fields fields;
    if (!short_fields((enum rvc_format)row->format, word, &fields))
        long_fields((enum rvc_format)row->format, word, &fields);
    if (!satisfies(row, word, &fields))
        return false;
    out->word = word;
    out->length_bytes = 2;
    rv_finish_decode((enum rv_op)row->base, &fields, out);
    return true;
}
