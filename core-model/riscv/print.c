/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Disassembly in the format of binutils' objdump, with its aliases: rv_print. 16-bit instructions are printed as their
 * expansions. */
#include "core-model/riscv/csr.h"
#include "core-model/riscv/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const reg_names[64] = {
    "zero", "ra",  "sp",  "gp",  "tp",  "t0",  "t1",  "t2",  "s0",  "s1",  "a0",   "a1",   "a2",  "a3",  "a4",   "a5",
    "a6",   "a7",  "s2",  "s3",  "s4",  "s5",  "s6",  "s7",  "s8",  "s9",  "s10",  "s11",  "t3",  "t4",  "t5",   "t6",
    "ft0",  "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
    "fa6",  "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11",
};

enum { REG_ZERO = 0, REG_RA = 1, CSR_HPMCOUNTER = 0xc03, CSR_HPMCOUNTER_END = 0xc20 };

/* unimp: a write to a read-only CSR, which always traps. */
#define WORD_UNIMP UINT32_C(0xc0001073)
#define WORD_NOP UINT32_C(0x13)
#define WORD_C_NOP UINT32_C(1)
#define WORD_FENCE_TSO UINT32_C(0x8330000f)

struct text {
    char *buf;
    size_t size_bytes;
    const struct rv_insn *in;
    uint64_t pc;
};

#define SAY(...) snprintf(t->buf, t->size_bytes, __VA_ARGS__)
#define D reg_names[in->dst]
#define A reg_names[in->src[0]]
#define B reg_names[in->src[1]]
#define C reg_names[in->src[2]]

static bool is_short(const struct rv_insn *in) { return in->length_bytes == 2; }

/* A 16-bit instruction that writes x0. */
static bool is_hint(const struct rv_insn *in) { return is_short(in) && in->dst == 0; }

/* Returns whether fields that hardware ignores are not 0, for which objdump has no mnemonic. */
static bool is_unnamed(const struct rv_insn *in)
{
    switch (in->op) {
    case RV_FENCE:
        return in->word != WORD_FENCE_TSO && (in->word & 0xf00fff80) != 0;
    case RV_FENCE_I:
        return in->word != rv_rows[RV_FENCE_I].match;
    case RV_FCVT_D_S:
    case RV_FCVT_D_W:
    case RV_FCVT_D_WU:
        return in->rm != 0; /* conversions that cannot round */
    default:
        return false;
    }
}

static int print_move(const struct text *t)
{
    const struct rv_insn *in = t->in;
    if (is_short(in) && in->dst != 0 && in->imm == 0 && in->src[0] == in->dst)
        return SAY("add\t%s,%s,%d", D, A, in->imm);
    return SAY("mv\t%s,%s", D, A);
}

/* Prints the alias of a register-immediate instruction; 0: none. */
static int print_immediate_alias(const struct text *t)
{
    const struct rv_insn *in = t->in;
    switch (in->op) {
    case RV_ADDI:
        if (in->word == WORD_NOP || in->word == WORD_C_NOP)
            return SAY("nop");
        if (is_hint(in) && (in->word & 0xe003) == WORD_C_NOP)
            return SAY("c.nop\t%d", in->imm);
        if (in->src[0] == 0)
            return SAY("%s\t%s,%d", is_hint(in) ? "c.li" : "li", D, in->imm);
        return in->imm == 0 && in->src[0] != 0 ? print_move(t) : 0;
    case RV_ADDIW:
        return in->imm == 0 ? SAY("sext.w\t%s,%s", D, A) : 0;
    case RV_XORI:
        return in->imm == -1 ? SAY("not\t%s,%s", D, A) : 0;
    case RV_SLTIU:
        return in->imm == 1 ? SAY("seqz\t%s,%s", D, A) : 0;
    case RV_ANDI:
        return in->imm == 255 ? SAY("zext.b\t%s,%s", D, A) : 0;
    default:
        return 0;
    }
}

/* Name of the register form, which objdump also prints for immediate operands: addi as "add", slliw as "sllw". */
static void name_without_i(const struct rv_insn *in, char name[8])
{
    const char *full = rv_op_name((enum rv_op)in->op), *i = strrchr(full, 'i');
    snprintf(name, 8, "%.*s%s", (int)(i - full), full, i + 1);
}

static int print_immediate(const struct text *t)
{
    const struct rv_insn *in = t->in;
    int n = print_immediate_alias(t);
    if (n != 0)
        return n;
    char name[8];
    if (in->op == RV_SLTI || in->op == RV_SLTIU)
        snprintf(name, sizeof name, "%s", rv_op_name((enum rv_op)in->op));
    else
        name_without_i(in, name);
    return SAY("%s\t%s,%s,%d", name, D, A, in->imm);
}

static int print_shift(const struct text *t)
{
    const struct rv_insn *in = t->in;
    char name[8];
    /* 16-bit shifts by 0 are hints (RV128). */
    if (is_short(in) && in->imm == 0)
        return SAY("c.%s64\t%s", rv_op_name((enum rv_op)in->op), D);
    if (is_hint(in) || in->op == RV_SLLI_UW)
        snprintf(name, sizeof name, "%s%s", is_hint(in) ? "c." : "", rv_op_name((enum rv_op)in->op));
    else
        name_without_i(in, name);
    if (is_hint(in))
        return SAY("%s\t%s,0x%x", name, D, (unsigned)in->imm);
    return SAY("%s\t%s,%s,0x%x", name, D, A, (unsigned)in->imm);
}

static int print_register_alias(const struct text *t)
{
    const struct rv_insn *in = t->in;
    switch (in->op) {
    case RV_ADD:
        if (is_hint(in))
            return SAY("%s\t%s,%s", in->word & 0x1000 ? "c.add" : "c.mv", D, B);
        return is_short(in) && in->src[0] == REG_ZERO ? SAY("mv\t%s,%s", D, B) : 0;
    case RV_ADD_UW:
        return in->src[1] == REG_ZERO ? SAY("zext.w\t%s,%s", D, A) : 0;
    case RV_SUB:
        return in->src[0] == REG_ZERO ? SAY("neg\t%s,%s", D, B) : 0;
    case RV_SUBW:
        return in->src[0] == REG_ZERO ? SAY("negw\t%s,%s", D, B) : 0;
    case RV_SLTU:
        return in->src[0] == REG_ZERO ? SAY("snez\t%s,%s", D, B) : 0;
    case RV_SLT:
        return in->src[1] == REG_ZERO   ? SAY("sltz\t%s,%s", D, A)
               : in->src[0] == REG_ZERO ? SAY("sgtz\t%s,%s", D, B)
                                        : 0;
    default:
        return 0;
    }
}

static int print_row_registers(const struct text *t)
{
    const struct rv_insn *in = t->in;
    int n = print_register_alias(t);
    return n != 0 ? n : SAY("%s\t%s,%s,%s", rv_op_name((enum rv_op)in->op), D, A, B);
}

static int print_row_branch(const struct text *t)
{
    const struct rv_insn *in = t->in;
    const char *name = rv_op_name((enum rv_op)in->op);
    uint64_t target = t->pc + (uint64_t)(int64_t)in->imm;
    bool is_signed = in->op != RV_BLTU && in->op != RV_BGEU;
    if (in->src[1] == REG_ZERO && is_signed && (in->op != RV_BGE || in->src[0] != REG_ZERO))
        return SAY("%sz\t%s,%" PRIx64, name, A, target);
    if (in->src[0] == REG_ZERO && (in->op == RV_BLT || in->op == RV_BGE))
        return SAY("%s\t%s,%" PRIx64, in->op == RV_BLT ? "bgtz" : "blez", B, target);
    return SAY("%s\t%s,%s,%" PRIx64, name, A, B, target);
}

static int print_jump(const struct text *t)
{
    const struct rv_insn *in = t->in;
    uint64_t target = t->pc + (uint64_t)(int64_t)in->imm;
    if (in->dst == REG_ZERO)
        return SAY("j\t%" PRIx64, target);
    if (in->dst == REG_RA)
        return SAY("jal\t%" PRIx64, target);
    return SAY("jal\t%s,%" PRIx64, D, target);
}

static int print_jump_register(const struct text *t)
{
    const struct rv_insn *in = t->in;
    if (in->dst == REG_ZERO && in->src[0] == REG_RA && in->imm == 0)
        return SAY("ret");
    if (in->dst == REG_ZERO || in->dst == REG_RA) {
        const char *name = in->dst == REG_ZERO ? "jr" : "jalr";
        return in->imm == 0 ? SAY("%s\t%s", name, A) : SAY("%s\t%d(%s)", name, in->imm, A);
    }
    return in->imm == 0 ? SAY("jalr\t%s,%s", D, A) : SAY("jalr\t%s,%d(%s)", D, in->imm, A);
}

/* CSRs of other modes and extensions are printed as numbers. */
static const char *csr_text(unsigned number, char buf[16])
{
    const char *name = csr_name(number);
    if (name == NULL && number >= CSR_HPMCOUNTER && number < CSR_HPMCOUNTER_END)
        snprintf(buf, 16, "hpmcounter%u", number - CSR_CYCLE);
    else if (name == NULL)
        snprintf(buf, 16, "0x%x", number);
    return name != NULL ? name : buf;
}

/* Prints short forms for the three floating-point CSRs: frcsr, fsrm a0, fsflagsi 3; 0: none. */
static int print_float_csr(const struct text *t)
{
    static const char *const names[] = {"", "flags", "rm", "csr"};
    const struct rv_insn *in = t->in;
    unsigned field = in->word >> 15 & 31;
    if (in->imm > CSR_FCSR || in->imm < CSR_FFLAGS)
        return 0;
    const char *name = names[in->imm];
    if (in->op == RV_CSRRS && field == 0)
        return SAY("fr%s\t%s", name, D);
    if (in->op == RV_CSRRW)
        return in->dst == 0 ? SAY("fs%s\t%s", name, A) : SAY("fs%s\t%s,%s", name, D, A);
    if (in->op == RV_CSRRWI && in->imm != CSR_FCSR)
        return SAY("fs%si\t%s,%u", name, D, field);
    return 0;
}

static int print_csr(const struct text *t)
{
    const struct rv_insn *in = t->in;
    const char *name = rv_op_name((enum rv_op)in->op);
    bool immediate = rv_rows[in->op].format == RV_FORMAT_CSRI;
    unsigned field = in->word >> 15 & 31;
    char number[16], operand[8];
    const char *csr = csr_text((unsigned)in->imm, number);
    if (in->word == WORD_UNIMP)
        return SAY("unimp");
    int n = print_float_csr(t);
    if (n != 0)
        return n;
    if (in->op == RV_CSRRS && field == 0 && in->imm >= CSR_CYCLE && in->imm <= CSR_INSTRET)
        return SAY("rd%s\t%s", csr, D);
    if (in->op == RV_CSRRS && field == 0)
        return SAY("csrr\t%s,%s", D, csr);
    snprintf(operand, sizeof operand, "%u", field);
    const char *source = immediate ? operand : A;
    if (in->dst == REG_ZERO)
        return SAY("csr%c\t%s,%s", name[4], csr, source);
    return SAY("%.5s\t%s,%s,%s", name, D, csr, source);
}

static int print_fence(const struct text *t)
{
    static const char letters[] = "iorw";
    const struct rv_insn *in = t->in;
    char set[2][8];
    if (in->word == WORD_FENCE_TSO)
        return SAY("fence.tso");
    if (in->word == 0x0ff0000f)
        return SAY("fence");
    for (int i = 0; i < 2; i++) {
        unsigned bits = in->word >> (24 - 4 * i) & 15, n = 0;
        for (unsigned k = 0; k < 4; k++)
            if (bits & 8u >> k)
                set[i][n++] = letters[k];
        if (n == 0)
            set[i][n++] = '0';
        set[i][n] = '\0';
        if (bits == 0)
            snprintf(set[i], sizeof set[i], "unknown");
    }
    return SAY("fence\t%s,%s", set[0], set[1]);
}

static const char *atomic_order(const struct rv_insn *in)
{
    static const char *const orders[] = {"", ".rl", ".aq", ".aqrl"};
    return orders[in->word >> 25 & 3];
}

/* Rounding-mode operand; omitted for the dynamic mode and for conversions that cannot round. */
static const char *rounding(const struct rv_insn *in)
{
    static const char *const modes[] = {",rne", ",rtz", ",rdn", ",rup", ",rmm", ",unknown", ",unknown", ""};
    if (in->op == RV_FCVT_D_S || in->op == RV_FCVT_D_W || in->op == RV_FCVT_D_WU)
        return "";
    return modes[in->rm & 7];
}

/* Sign injection of a register with itself is a move. */
static int print_sign_alias(const struct text *t)
{
    const struct rv_insn *in = t->in;
    if (in->src[0] != in->src[1])
        return 0;
    switch (in->op) {
    case RV_FSGNJ_S:
        return SAY("fmv.s\t%s,%s", D, A);
    case RV_FSGNJ_D:
        return SAY("fmv.d\t%s,%s", D, A);
    case RV_FSGNJN_S:
        return SAY("fneg.s\t%s,%s", D, A);
    case RV_FSGNJN_D:
        return SAY("fneg.d\t%s,%s", D, A);
    case RV_FSGNJX_S:
        return SAY("fabs.s\t%s,%s", D, A);
    case RV_FSGNJX_D:
        return SAY("fabs.d\t%s,%s", D, A);
    default:
        return 0;
    }
}

static int print_float(const struct text *t, const char *name)
{
    const struct rv_insn *in = t->in;
    switch ((enum rv_format)rv_rows[in->op].format) {
    case RV_FORMAT_FFF: {
        int n = print_sign_alias(t);
        return n != 0 ? n : SAY("%s\t%s,%s,%s", name, D, A, B);
    }
    case RV_FORMAT_FFF_RM:
        return SAY("%s\t%s,%s,%s%s", name, D, A, B, rounding(in));
    case RV_FORMAT_FFFF_RM:
        return SAY("%s\t%s,%s,%s,%s%s", name, D, A, B, C, rounding(in));
    case RV_FORMAT_XFF:
        return SAY("%s\t%s,%s,%s", name, D, A, B);
    case RV_FORMAT_XF:
    case RV_FORMAT_FX:
        return SAY("%s\t%s,%s", name, D, A);
    default:
        return SAY("%s\t%s,%s%s", name, D, A, rounding(in));
    }
}

static int print_row_text(const struct text *t)
{
    const struct rv_insn *in = t->in;
    const char *name = rv_op_name((enum rv_op)in->op);
    if (is_unnamed(in))
        return SAY(".4byte\t0x%" PRIx32, in->word);
    switch ((enum rv_format)rv_rows[in->op].format) {
    case RV_FORMAT_R:
        return print_row_registers(t);
    case RV_FORMAT_R1:
        return SAY("%s\t%s,%s", name, D, A);
    case RV_FORMAT_I:
        return print_immediate(t);
    case RV_FORMAT_SH:
        return print_shift(t);
    case RV_FORMAT_U:
        return SAY("%s%s\t%s,0x%x", is_hint(in) ? "c." : "", name, D, (unsigned)in->imm >> 12);
    case RV_FORMAT_J:
        return print_jump(t);
    case RV_FORMAT_JR:
        return print_jump_register(t);
    case RV_FORMAT_B:
        return print_row_branch(t);
    case RV_FORMAT_L:
    case RV_FORMAT_FL:
        return SAY("%s\t%s,%d(%s)", name, D, in->imm, A);
    case RV_FORMAT_S:
    case RV_FORMAT_FS:
        return SAY("%s\t%s,%d(%s)", name, B, in->imm, A);
    case RV_FORMAT_LR:
        return SAY("%s%s\t%s,(%s)", name, atomic_order(in), D, A);
    case RV_FORMAT_AMO:
        return SAY("%s%s\t%s,%s,(%s)", name, atomic_order(in), D, B, A);
    case RV_FORMAT_FENCE:
        return print_fence(t);
    case RV_FORMAT_NONE:
        return SAY("%s", name);
    case RV_FORMAT_CSR:
    case RV_FORMAT_CSRI:
        return print_csr(t);
    default:
        return print_float(t, name);
    }
}

int rv_print(char *buf, size_t size_bytes, const struct rv_insn *in, uint64_t pc)
{
    const struct text t = {buf, size_bytes, in, pc};
    return print_row_text(&t);
}

int rv_print_flat(char *buf, size_t size_bytes, const struct rv_insn *in, uint64_t pc)
{
    int n = rv_print(buf, size_bytes, in, pc);
    char *tab = size_bytes > 0 ? strchr(buf, '\t') : NULL;
    if (tab != NULL)
        *tab = ' ';
    return n;
}

const char *rv_reg_name(unsigned reg) { return reg < sizeof reg_names / sizeof reg_names[0] ? reg_names[reg] : "?"; }
