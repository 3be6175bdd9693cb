/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's instructions by address, for reports and control-flow analyses. The core model decodes them; the host
 * side reads them. */
#ifndef CONTRACT_CODE_H
#define CONTRACT_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Effect of an instruction on control flow. */
enum code_kind {
    CODE_PLAIN,         /* falls through to the next instruction */
    CODE_BRANCH,        /* conditional branch */
    CODE_JUMP,          /* direct jump */
    CODE_CALL,          /* direct call: jal to a link register */
    CODE_INDIRECT_JUMP, /* jalr that is neither a call nor a return: jump tables, indirect tail calls */
    CODE_INDIRECT_CALL, /* jalr to a link register */
    CODE_RETURN,        /* jalr x0 through a link register */
    CODE_TRAP           /* ecall: execution resumes at the next instruction */
};

/* Computation of an instruction, as far as analyses of code follow values and conditions. */
enum code_op {
    CODE_OP_OTHER,
    CODE_OP_CONSTANT,    /* dst = value */
    CODE_OP_ADD_VALUE,   /* dst = src[0] + value */
    CODE_OP_ADD,         /* dst = src[0] + src[1] */
    CODE_OP_SHIFT_ADD,   /* dst = (src[0] << value) + src[1]; src[0] may be zero-extended from 32 bits first */
    CODE_OP_SHIFT_LEFT,  /* dst = src[0] << value */
    CODE_OP_SHIFT_RIGHT, /* dst = src[0] >> value, logical */
    CODE_OP_EXTEND,      /* dst = src[0], extended from its lower 32 bits */
    CODE_OP_AND_VALUE,   /* dst = src[0] & value */
    CODE_OP_LOAD,        /* dst = memory at src[0] + value */
    CODE_OP_IF_LESS,     /* branch, taken if src[0] < src[1], unsigned */
    CODE_OP_IF_NOT_LESS  /* branch, taken if src[0] >= src[1], unsigned */
};

enum code_flag {
    CODE_LOADS = 1 << 0,  /* reads memory */
    CODE_STORES = 1 << 1, /* writes memory */
    CODE_MUL = 1 << 2,    /* integer multiplication or division */
    CODE_FDIV = 1 << 3,   /* floating-point division or square root */
    CODE_SERIAL = 1 << 4, /* executes alone in the pipeline */
    CODE_SIGNED = 1 << 5, /* a load that extends the sign */
    CODE_ALONE = 1 << 6   /* serial, and cannot but be: it has effects outside the hart, or reads its counters */
};

struct code_insn {
    uint8_t length_bytes;
    enum code_kind kind;
    uint64_t target; /* of BRANCH, JUMP and CALL; 0: none */
    enum code_op op;
    uint8_t flags;       /* enum code_flag */
    uint8_t dst, src[3]; /* registers: 0..31 integer, 32..63 floating-point; 0: none */
    uint8_t bytes;       /* of a load's or store's access */
    int64_t value;
    char text[96]; /* disassembly, without tabs */
};

struct code {
    void *ctx;
    /* Describes the instruction at pc; returns false if there is none. NULL: no code is known. */
    bool (*describe)(void *ctx, uint64_t pc, struct code_insn *out);
    /* Copies `bytes` bytes of memory that the program does not write; returns false if they are not all known. NULL: no
     * such memory is known. */
    bool (*constant)(void *ctx, uint64_t address, void *out, size_t bytes);
};

/* Returns whether an instruction of this kind ends a basic block. */
static inline bool code_ends_block(enum code_kind kind) { return kind != CODE_PLAIN; }

#endif
