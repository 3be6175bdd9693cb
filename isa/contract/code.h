/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program's instructions by address, for reports and for analyses of control flow. The core side decodes them; the
 * host side reads them. */
#ifndef ISA_CONTRACT_CODE_H
#define ISA_CONTRACT_CODE_H

#include <stdbool.h>
#include <stdint.h>

/* What an instruction does to control flow. */
enum code_kind {
    CODE_PLAIN,         /* control goes on to the next instruction */
    CODE_BRANCH,        /* conditional branch */
    CODE_JUMP,          /* direct jump */
    CODE_CALL,          /* direct call: jal to a link register */
    CODE_INDIRECT_JUMP, /* jalr that neither links nor returns: jump tables, tail calls through a pointer */
    CODE_INDIRECT_CALL, /* jalr to a link register */
    CODE_RETURN,        /* jalr x0 through a link register */
    CODE_TRAP           /* ecall: the operating system goes on at the next instruction */
};

struct code_insn {
    uint8_t length_bytes;
    enum code_kind kind;
    uint64_t target; /* of BRANCH, JUMP and CALL; 0: none */
    char text[96];   /* disassembly, without tabs */
};

struct code {
    void *ctx;
    /* Describes the instruction at pc. Returns false where there is none. NULL: no instruction is known. */
    bool (*describe)(void *ctx, uint64_t pc, struct code_insn *out);
};

/* Does a basic block end behind an instruction of that kind? */
static inline bool code_ends_block(enum code_kind kind) { return kind != CODE_PLAIN; }

#endif
