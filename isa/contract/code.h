/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's instructions by address, for reports and control-flow analyses. The core model decodes them; the host
 * side reads them. */
#ifndef ISA_CONTRACT_CODE_H
#define ISA_CONTRACT_CODE_H

#include <stdbool.h>
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

struct code_insn {
    uint8_t length_bytes;
    enum code_kind kind;
    uint64_t target; /* of BRANCH, JUMP and CALL; 0: none */
    char text[96];   /* disassembly, without tabs */
};

struct code {
    void *ctx;
    /* Describes the instruction at pc; returns false if there is none. NULL: no code is known. */
    bool (*describe)(void *ctx, uint64_t pc, struct code_insn *out);
};

/* Returns whether an instruction of this kind ends a basic block. */
static inline bool code_ends_block(enum code_kind kind) { return kind != CODE_PLAIN; }

#endif
