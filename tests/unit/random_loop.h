/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random loops of all rows, for what translates code. */
#ifndef TESTS_UNIT_RANDOM_LOOP_H
#define TESTS_UNIT_RANDOM_LOOP_H

#include "base/random.h"
#include "core-model/riscv/code.h"
#include "core-model/riscv/format.h"
#include "core-model/riscv/fp.h"

#include <string.h>

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

enum {
    LOOP_BODY = 100, /* instructions of a loop */
    LOOP_WORDS = LOOP_BODY + 8,
    LOOP_RA = 1,
    LOOP_DATA_1 = 8, /* registers: addresses in the data */
    LOOP_DATA_2 = 9,
    LOOP_FLAG = 30,
    LOOP_COUNTER = 31,
};

static inline bool is_transfer(enum rv_kind kind)
{
    return kind == RV_KIND_BR || kind == RV_KIND_JAL || kind == RV_KIND_JALR || kind == RV_KIND_ECALL ||
           kind == RV_KIND_EBREAK;
}

static inline bool is_kept(unsigned reg)
{
    return reg == LOOP_RA || reg == LOOP_DATA_1 || reg == LOOP_DATA_2 || reg == LOOP_FLAG || reg == LOOP_COUNTER;
}

/* Instructions that have no stencil are rare. */
static inline bool is_rare(const struct rv_insn *in)
{
    const enum rv_kind kind = (enum rv_kind)rv_rows[in->op].kind;
    return kind == RV_KIND_LR || kind == RV_KIND_SC || kind == RV_KIND_AMO || kind == RV_KIND_CSR ||
           kind == RV_KIND_FENCE_I || (in->rm != FP_RNE && in->rm != FP_DYN);
}

/* A random instruction that goes straight on. Accesses to memory are to the data, and mostly aligned; CSRs are the
 * floating-point flags. */
static inline uint32_t random_insn(struct random *state)
{
    for (;;) {
        const uint64_t bits = random_bits(state);
        const unsigned op = (unsigned)(bits >> 32) % RV_OP_COUNT;
        const struct rv_row *row = &rv_rows[op];
        const enum rv_kind kind = (enum rv_kind)row->kind;
        const bool accesses = row->mem_bytes != 0;
        uint32_t word = row->match | ((uint32_t)bits & ~row->mask);
        struct rv_insn in;
        if (is_transfer(kind))
            continue;
        if (kind == RV_KIND_CSR)
            word = 0x00102073 | (word & 0xf80); /* frflags */
        if (accesses)                           /* rs1 */
            word = (word & ~UINT32_C(0xf8000)) | (uint32_t)(bits >> 62 & 1 ? LOOP_DATA_1 : LOOP_DATA_2) << 15;
        if (accesses && (bits >> 57 & 31) != 0 && kind == RV_KIND_LOAD)
            word &= ~((uint32_t)(row->mem_bytes - 1) << 20);
        if (accesses && (bits >> 57 & 31) != 0 && kind == RV_KIND_STORE)
            word &= ~((uint32_t)(row->mem_bytes - 1) << 7);
        if (rv_decode(word, &in) && !is_kept(in.dst) && in.rm != FP_RMM + 1 && in.rm != FP_RMM + 2 &&
            (!is_rare(&in) || (bits >> 56 & 31) == 0))
            return word;
    }
}

static inline uint32_t loop_branch(uint32_t match, int32_t distance)
{
    const uint32_t d = (uint32_t)distance;
    return match | (d >> 12 & 1) << 31 | (d >> 5 & 0x3f) << 25 | (d >> 1 & 0xf) << 8 | (d >> 11 & 1) << 7;
}

/* A loop with branches forward over one to 16 instructions, of which half are taken in three of four passes, and a call
 * of what stands behind it. */
static inline void random_loop(uint32_t code[LOOP_WORDS], struct random *state)
{
    code[0] = 0x003fff13; /* andi t5, t6, 3 */
    for (int i = 1; i < LOOP_BODY; i++) {
        const uint64_t bits = random_bits(state);
        const uint32_t same = (uint32_t)(bits >> 9 & 31), any = (uint32_t)(bits >> 9 & 0x1ff);
        const uint32_t registers = bits >> 8 & 1 ? LOOP_FLAG : bits >> 18 & 1 ? same << 5 | same : any; /* rs2, rs1 */
        const uint32_t any_kind = (uint32_t)(bits >> 20) % 8;
        const uint32_t kind = bits >> 8 & 1 ? 1 : any_kind | any_kind / 2 % 2 << 2; /* none is 2, 3 */
        const uint32_t compare = registers << 15 | kind << 12;
        const int32_t over = (int32_t)(bits >> 4 & 15);
        code[i] = bits % 8 == 0 && i + over + 1 < LOOP_BODY ? loop_branch(0x00000063 | compare, 4 * (2 + over))
                                                            : random_insn(state);
    }
    code[LOOP_BODY] = 0x010000ef;                                                             /* jal ra, .+16 */
    code[LOOP_BODY + 1] = 0xffff8f93;                                                         /* addi t6, t6, -1 */
    code[LOOP_BODY + 2] = loop_branch(0x00001063 | LOOP_COUNTER << 15, -4 * (LOOP_BODY + 2)); /* bnez t6, the start */
    code[LOOP_BODY + 3] = 0x00000073;                                                         /* ecall */
    code[LOOP_BODY + 4] = random_insn(state);
    code[LOOP_BODY + 5] = random_insn(state);
    code[LOOP_BODY + 6] = 0x00008067; /* ret */
    code[LOOP_BODY + 7] = 0x00000073;
}

/* Random registers, but for the addresses in the two pages of data and the number of passes. */
static inline void loop_registers(struct hart *h, struct random *state, uint64_t data, uint64_t passes)
{
    for (int r = 1; r < 64; r++) {
        const uint64_t v = random_bits(state);
        h->reg[r] = v % 4 == 0 ? v >> 60 : v % 4 == 1 ? v | UINT64_C(0xffffffff00000000) : v;
    }
    h->reg[LOOP_DATA_1] = data + MEM_PAGE_BYTES / 2;
    h->reg[LOOP_DATA_2] = data + MEM_PAGE_BYTES;
    h->reg[LOOP_COUNTER] = passes;
}

#endif
