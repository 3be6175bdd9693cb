/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A decoded instruction of RV64GC, Zba, Zbb or Zbs, decoded once per program location and read by all engines. Source
 * of the encodings, listed in rv.def: the RISC-V unprivileged manual. */
#ifndef CORE_MODEL_RISCV_INSN_H
#define CORE_MODEL_RISCV_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/opclass.h"

enum rv_op {
#define RV(sym, ...) RV_##sym,
#include "core-model/riscv/rv.def"
#undef RV
    RV_OP_COUNT
};

/* Kind of function unit. Latencies and numbers of units are in the core configuration. */
enum rv_unit {
    RV_UNIT_ALU,
    RV_UNIT_MUL,
    RV_UNIT_DIV,
    RV_UNIT_BRANCH, /* conditional branches and jumps */
    RV_UNIT_LOAD,
    RV_UNIT_STORE,
    RV_UNIT_AMO,  /* reads and writes memory, alone in the pipeline */
    RV_UNIT_FADD, /* from here to FMISC: floating point */
    RV_UNIT_FMUL,
    RV_UNIT_FMA,
    RV_UNIT_FDIV,
    RV_UNIT_FSQRT,
    RV_UNIT_FMISC,  /* moves, comparisons, sign injection, conversions */
    RV_UNIT_SYSTEM, /* CSR accesses, fences, ecall, ebreak: alone in the pipeline */
    RV_UNIT_COUNT
};
static inline bool rv_unit_is_fp(unsigned unit) { return unit >= RV_UNIT_FADD && unit <= RV_UNIT_FMISC; }

enum rv_flag {
    RV_LOAD = 1 << 0,     /* reads memory */
    RV_STORE = 1 << 1,    /* writes memory */
    RV_BRANCH = 1 << 2,   /* conditional branch */
    RV_JUMP = 1 << 3,     /* jal, jalr */
    RV_INDIRECT = 1 << 4, /* jalr */
    RV_SERIAL = 1 << 5,   /* executes alone: all earlier instructions have retired, no later one is fetched */
    RV_FLUSH = 1 << 6,    /* flushes the pipeline after it: fflags/frm/fcsr writes, fence.i */
    RV_FP = 1 << 7,       /* uses the floating-point queue */
    RV_ECALL = 1 << 8,    /* traps to the operating system when it retires */
};

/* Register numbers: 0..31 integer, 32..63 floating-point. 0 (x0) means none: it is never a dependence. */
struct rv_insn {
    uint16_t op;    /* enum rv_op */
    uint16_t flags; /* enum rv_flag */
    uint8_t dst;
    uint8_t src[3];
    uint8_t length_bytes; /* 2 or 4 */
    uint8_t opclass;      /* enum opclass (contract/opclass.h) */
    uint8_t unit;         /* enum rv_unit */
    uint8_t rm;           /* rounding mode field of floating-point instructions */
    int32_t imm;          /* immediate, branch offset, shift amount or CSR number */
    uint32_t word;        /* encoding; a compressed instruction is in the low half */
};

/* Stack and frame pointer of the calling convention. */
enum { RV_REG_SP = 2, RV_REG_FP = 8 };

/* Whether it is an indirect jump whose target the return address stack does not predict. */
static inline bool rv_is_plain_indirect(const struct rv_insn *in)
{
    return (in->flags & RV_INDIRECT) && in->opclass != OPCLASS_RET && in->opclass != OPCLASS_SWAP;
}

/* Whether the instruction must be alone in the pipeline whatever it accesses: it reads counters, makes code visible, or
 * calls the operating system. */
static inline bool rv_is_always_alone(const struct rv_insn *in)
{
    enum { CSR_LAST_FLOAT = 3 }; /* fflags, frm, fcsr: state that rv_undo restores */
    if ((in->flags & RV_SERIAL) == 0 || in->opclass == OPCLASS_ATOMIC)
        return false;
    return in->opclass == OPCLASS_CSR     ? in->imm > CSR_LAST_FLOAT
           : in->opclass == OPCLASS_FENCE ? (in->flags & RV_FLUSH) != 0
                                          : true;
}

/* The instruction behind this one, in an array with an element for each halfword of code. */
static inline const struct rv_insn *rv_behind(const struct rv_insn *in)
{
    /* One multiplication: compilers do not know that lengths are even. */
    return (const struct rv_insn *)((const char *)in + in->length_bytes * (sizeof *in / 2));
}

/* Decodes the instruction whose first halfword is in word's low bits. Returns false if it is illegal. */
bool rv_decode(uint32_t word, struct rv_insn *out);
/* Disassembles in the format of binutils' objdump (`pc` is for branch targets). Returns as snprintf does. */
int rv_print(char *buf, size_t size_bytes, const struct rv_insn *in, uint64_t pc);
/* rv_print with a blank instead of the tab after the mnemonic, for columns. */
int rv_print_flat(char *buf, size_t size_bytes, const struct rv_insn *in, uint64_t pc);
/* The mnemonic of an operation, e.g. "addi". */
const char *rv_op_name(enum rv_op op);
/* The width of the instruction's memory access; 0: it makes none. */
unsigned rv_access_bytes(const struct rv_insn *in);
/* The ABI name of a register, 0..63: "a0", "fs1". */
const char *rv_reg_name(unsigned reg);

#endif
