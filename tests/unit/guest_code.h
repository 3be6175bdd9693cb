/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small guests' code: an assembler of C functions. */
#ifndef TESTS_UNIT_GUEST_CODE_H
#define TESTS_UNIT_GUEST_CODE_H

#include <stdint.h>

#include "tests/unit/assertions.h"

enum { CODE_START = 0x10000, DATA_START = 0x100000, DATA_BYTES = 0x100000, PROGRAM_MAX = 8192 };
enum { ZERO, RA, SP, GP, TP, T0, T1, T2, S0, S1, A0, A1, A2, A3, A4, A5, A6, A7, S2, S3, S4, T3 = 28, T4, T5, T6 };

struct program {
    uint32_t word[PROGRAM_MAX];
    uint32_t count;
};

/* Begins the program of a test, which has one at a time: the same store again, empty. */
static inline struct program *program_begin(void)
{
    static struct program p;
    p.count = 0;
    return &p;
}

static inline void emit(struct program *p, uint32_t w)
{
    if (p->count == PROGRAM_MAX)
        ck_abort_msg("program too long");
    p->word[p->count++] = w;
}
static inline void emit_i(struct program *p, uint32_t op, uint32_t f3, int rd, int rs1, int imm)
{
    emit(p, op | (uint32_t)rd << 7 | f3 << 12 | (uint32_t)rs1 << 15 | (uint32_t)imm << 20);
}
static inline void emit_r(struct program *p, uint32_t f7, uint32_t f3, int rd, int rs1, int rs2)
{
    emit(p, 0x33 | (uint32_t)rd << 7 | f3 << 12 | (uint32_t)rs1 << 15 | (uint32_t)rs2 << 20 | f7 << 25);
}
static inline void addi(struct program *p, int rd, int rs1, int imm) { emit_i(p, 0x13, 0, rd, rs1, imm); }
static inline void andi(struct program *p, int rd, int rs1, int imm) { emit_i(p, 0x13, 7, rd, rs1, imm); }
static inline void srli(struct program *p, int rd, int rs1, int n) { emit_i(p, 0x13, 5, rd, rs1, n); }
static inline void slli(struct program *p, int rd, int rs1, int n) { emit_i(p, 0x13, 1, rd, rs1, n); }
static inline void add(struct program *p, int rd, int a, int b) { emit_r(p, 0, 0, rd, a, b); }
static inline void sub(struct program *p, int rd, int a, int b) { emit_r(p, 32, 0, rd, a, b); }
static inline void xor_(struct program *p, int rd, int a, int b) { emit_r(p, 0, 4, rd, a, b); }
static inline void mul(struct program *p, int rd, int a, int b) { emit_r(p, 1, 0, rd, a, b); }
static inline void div_(struct program *p, int rd, int a, int b) { emit_r(p, 1, 4, rd, a, b); }
static inline void ld(struct program *p, int rd, int base, int imm) { emit_i(p, 0x03, 3, rd, base, imm); }
static inline void lbu(struct program *p, int rd, int base, int imm) { emit_i(p, 0x03, 4, rd, base, imm); }
static inline void store(struct program *p, uint32_t f3, int src, int base, int imm)
{
    emit(p, 0x23 | ((uint32_t)imm & 31) << 7 | f3 << 12 | (uint32_t)base << 15 | (uint32_t)src << 20 |
                (uint32_t)imm >> 5 << 25);
}
static inline void sd(struct program *p, int src, int base, int imm) { store(p, 3, src, base, imm); }
static inline void sb(struct program *p, int src, int base, int imm) { store(p, 0, src, base, imm); }
static inline void lui(struct program *p, int rd, uint32_t value)
{
    emit(p, 0x37 | (uint32_t)rd << 7 | (value & 0xfffff000));
}
static inline void jalr(struct program *p, int rd, int rs1) { emit_i(p, 0x67, 0, rd, rs1, 0); }
static inline void rdcycle(struct program *p, int rd) { emit_i(p, 0x73, 2, rd, ZERO, 0xc00); }
static inline void amoadd(struct program *p, int rd, int src, int base)
{
    emit(p, 0x302f | (uint32_t)rd << 7 | (uint32_t)base << 15 | (uint32_t)src << 20);
}
static inline void fsflags(struct program *p, int rs1) { emit_i(p, 0x73, 1, ZERO, rs1, 1); }

/* Branches and jumps to word `target` (an index); f3: 0 beq, 1 bne, 4 blt, 5 bge. */
static inline uint32_t branch_word(uint32_t f3, int a, int b, int32_t offset)
{
    uint32_t o = (uint32_t)offset;
    return 0x63 | (o >> 11 & 1) << 7 | (o >> 1 & 15) << 8 | f3 << 12 | (uint32_t)a << 15 | (uint32_t)b << 20 |
           (o >> 5 & 63) << 25 | (o >> 12 & 1) << 31;
}
static inline void branch(struct program *p, uint32_t f3, int a, int b, uint32_t target)
{
    emit(p, branch_word(f3, a, b, ((int32_t)target - (int32_t)p->count) * 4));
}
static inline void jal(struct program *p, int rd, uint32_t target)
{
    uint32_t o = (target - p->count) * 4;
    emit(p, 0x6f | (uint32_t)rd << 7 | (o >> 12 & 255) << 12 | (o >> 11 & 1) << 20 | (o >> 1 & 1023) << 21 |
                (o >> 20 & 1) << 31);
}
/* The system call of this number, whose arguments are in A0 to A5. */
static inline void system_call(struct program *p, int number)
{
    addi(p, A7, ZERO, number);
    emit(p, 0x73);
}
static inline void exit_with(struct program *p, int reg)
{
    addi(p, A0, reg, 0);
    system_call(p, 93);
}

#endif
