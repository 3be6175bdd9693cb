/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a random riscv64 assembly program that exercises every row of rv.def and rvc.def: rvgen SEED BLOCKS.
 * Each block loads all registers with corner values, sets a rounding mode, executes random instructions and writes all registers
 * and fcsr to standard output; at the end the memory follows. run_riscv.sh compares the output of two machines.
 * x3 points into the memory that instructions use, x2 to more of it and to where registers are dumped; x4 makes addresses. */
#include "core-model/riscv/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { INSNS_PER_BLOCK = 16, BASE = 3, SP = 2, ADDRESS = 4, BASE_SHORT = 8, TRIES = 1000, MODES = 5 };

struct generator {
    uint64_t state;
    unsigned label;
};

struct short_row {
    uint16_t match, mask;
};

static const struct short_row short_rows[] = {
#define RVC(sym, name, match, mask, ...) {match, mask},
#include "core-model/riscv/rvc.def"
#undef RVC
};
enum { SHORT_ROWS = sizeof short_rows / sizeof short_rows[0] };

static uint64_t draw(struct generator *g)
{
    uint64_t z = g->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static unsigned below(struct generator *g, unsigned n) { return (unsigned)(draw(g) % n); }

static uint64_t integer_value(struct generator *g)
{
    static const uint64_t corners[] = {
        0, 1, 2, UINT64_MAX, UINT64_MAX - 1, INT64_MAX, UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1, INT32_MAX, 0x80000000,
        0xffffffff, 0x100000000, 0xffffffff80000000, 0xffffffff7fffffff, 0x7fff, 0x8000, 0xff, 0x80, 63, 64, 31, 32,
    };
    unsigned kind = below(g, 4);
    if (kind == 0)
        return draw(g);
    if (kind == 1)
        return draw(g) >> below(g, 64);
    return corners[below(g, sizeof corners / sizeof corners[0])];
}

static uint64_t single_value(struct generator *g)
{
    static const uint32_t corners[] = {
        0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x00800001, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff,
        0x3f000000, 0x3fc00000, 0x40200000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001,
        0xffbfffff, 0x7fffffff, 0x4f000000, 0xcf000000, 0x4effffff, 0x4f800000, 0x4f7fffff, 0x5f000000, 0x5effffff,
        0x5f800000, 0xdf000000, 0x34000000, 0x33800000, 0x33800001, 0x00400000, 0x20000000, 0x1fffffff, 0xbf000000,
    };
    uint32_t bits = below(g, 3) == 0 ? (uint32_t)draw(g) : corners[below(g, sizeof corners / sizeof corners[0])];
    if (below(g, 4) == 0) /* near one another, so that sums cancel and products tie */
        bits = 0x3f800000 + (uint32_t)(int32_t)(below(g, 64) - 32) + (below(g, 8) << 23);
    return below(g, 12) == 0 ? bits : bits | UINT64_C(0xffffffff00000000);
}

static uint64_t double_value(struct generator *g)
{
    static const uint64_t corners[] = {
        0, UINT64_C(0x8000000000000000), 1, UINT64_C(0x8000000000000001), UINT64_C(0x000fffffffffffff),
        UINT64_C(0x0010000000000000), UINT64_C(0x0010000000000001), UINT64_C(0x3ff0000000000000), UINT64_C(0xbff0000000000000),
        UINT64_C(0x3ff0000000000001), UINT64_C(0x3fefffffffffffff), UINT64_C(0x3fe0000000000000), UINT64_C(0x3ff8000000000000),
        UINT64_C(0x4004000000000000), UINT64_C(0x7fefffffffffffff), UINT64_C(0xffefffffffffffff), UINT64_C(0x7ff0000000000000),
        UINT64_C(0xfff0000000000000), UINT64_C(0x7ff8000000000000), UINT64_C(0xfff8000000000001), UINT64_C(0x7ff0000000000001),
        UINT64_C(0x41dfffffffc00000), UINT64_C(0x41e0000000000000), UINT64_C(0xc1e0000000000000), UINT64_C(0xc1e0000000200000),
        UINT64_C(0x41efffffffe00000), UINT64_C(0x41f0000000000000), UINT64_C(0x43e0000000000000), UINT64_C(0x43dfffffffffffff),
        UINT64_C(0xc3e0000000000000), UINT64_C(0x43f0000000000000), UINT64_C(0x43efffffffffffff), UINT64_C(0x3ca0000000000000),
        UINT64_C(0x3690000000000000), UINT64_C(0x380fffffffffffff), UINT64_C(0x3810000000000000), UINT64_C(0x36a0000000000000),
        UINT64_C(0x47efffffefffffff), UINT64_C(0x47efffffe0000000), UINT64_C(0x47effffff0000000), UINT64_C(0x1ff0000000000000),
    };
    unsigned kind = below(g, 4);
    if (kind == 0)
        return draw(g);
    if (kind == 1)
        return UINT64_C(0x3ff0000000000000) + (uint64_t)((int64_t)below(g, 64) - 32) + ((uint64_t)below(g, 8) << 52);
    return corners[below(g, sizeof corners / sizeof corners[0])];
}

static void emit_word(const struct rv_insn *in)
{
    char text[96];
    rv_print(text, sizeof text, in, 0);
    for (char *p = text; *p != '\0'; p++)
        if (*p == '\t')
            *p = ' ';
    if (in->length_bytes == 2)
        printf("\t.2byte 0x%04" PRIx32 "\t/* %s */\n", in->word, text);
    else
        printf("\t.4byte 0x%08" PRIx32 "\t/* %s */\n", in->word, text);
}

static uint32_t with_field(uint32_t word, unsigned low, unsigned count, uint32_t value)
{
    uint32_t mask = ((1u << count) - 1) << low;
    return (word & ~mask) | (value << low & mask);
}

/* A random word of the row that decodes to something harmless; false where none is found. */
static bool draw_full(struct generator *g, enum rv_op op, struct rv_insn *in)
{
    static const uint8_t modes[] = {0, 1, 2, 3, 4, 7, 7, 7};
    const struct rv_row *row = &rv_rows[op];
    for (int i = 0; i < TRIES; i++) {
        uint32_t word = row->match | ((uint32_t)draw(g) & ~row->mask);
        if (rv_formats[row->format].has_rm)
            word = with_field(word, 12, 3, modes[below(g, sizeof modes)]);
        if (row->kind == RV_KIND_LOAD || row->kind == RV_KIND_STORE)
            word = with_field(word, 15, 5, BASE);
        if (row->kind == RV_KIND_AMO || row->kind == RV_KIND_LR || row->kind == RV_KIND_SC)
            word = with_field(word, 15, 5, ADDRESS);
        if (row->kind == RV_KIND_CSR)
            word = with_field(word, 20, 12, 1 + below(g, 3));
        if (rv_decode(word, in) && in->op == op && in->dst != BASE)
            return true;
    }
    return false;
}

static bool draw_short(struct generator *g, struct rv_insn *in)
{
    const struct short_row *row = &short_rows[below(g, SHORT_ROWS)];
    for (int i = 0; i < TRIES; i++) {
        uint32_t word = row->match | ((uint32_t)draw(g) & 0xffff & ~(uint32_t)row->mask);
        if (!rv_decode(word, in) || in->dst == BASE || (in->flags & (RV_BRANCH | RV_JUMP)) || in->op == RV_EBREAK)
            continue;
        if (!(in->flags & (RV_LOAD | RV_STORE)) || in->src[0] == SP || in->src[0] == BASE_SHORT)
            return true;
    }
    return false;
}

static void emit_plain(struct generator *g)
{
    struct rv_insn in;
    enum rv_op op;
    do
        op = (enum rv_op)below(g, RV_OP_COUNT);
    while (rv_rows[op].kind != RV_KIND_OPR && rv_rows[op].kind != RV_KIND_OPI);
    if (draw_full(g, op, &in) && in.dst != SP)
        emit_word(&in);
}

/* Jumps over one instruction, or not. */
static void emit_jump(struct generator *g, enum rv_op op)
{
    static const char *const short_text[] = {"c.beqz a%u, 1f", "c.bnez a%u, 1f", "c.j 1f"};
    unsigned rd = 5 + below(g, 27), rs1 = below(g, 32), rs2 = below(g, 32);
    if (rv_rows[op].kind == RV_KIND_BR && below(g, 3) == 0) {
        unsigned which = below(g, 3);
        fputs("\t.option rvc\n\t", stdout);
        printf(short_text[which], below(g, 6));
        fputs("\n\t.option norvc\n", stdout);
    } else if (rv_rows[op].kind == RV_KIND_BR) {
        printf("\t%s x%u, x%u, 1f\n", rv_op_name(op), rs1, rs2);
    } else if (rv_rows[op].kind == RV_KIND_JAL) {
        printf("\tjal x%u, 1f\n", rd);
    } else {
        const char *form = below(g, 3) == 0 ? "\t.option rvc\n\tc.jr x4\n\t.option norvc\n" : NULL;
        fputs("\tla x4, 1f\n", stdout);
        if (form != NULL)
            fputs(form, stdout);
        else
            printf("\tjalr x%u, 0(x4)\n", rd);
    }
    emit_plain(g);
    fputs("1:\n", stdout);
}

/* What a store-conditional does after a load-reserved of another width or before a system call is left open: none of that. */
static void emit_unreserve(void) { fputs("\tla x4, unreserved\n\tsc.w x0, x0, (x4)\n", stdout); }

static void emit_atomic_address(struct generator *g) { printf("\taddi x4, x3, %d\n", (int)(below(g, 256) * 8) - 1024); }

static void emit_insn(struct generator *g)
{
    struct rv_insn in;
    enum rv_op op = (enum rv_op)below(g, RV_OP_COUNT);
    bool is_short = below(g, 4) == 0;
    enum rv_kind kind = (enum rv_kind)rv_rows[op].kind;
    if (is_short ? !draw_short(g, &in) : kind == RV_KIND_ECALL || kind == RV_KIND_EBREAK)
        return;
    if (!is_short && (kind == RV_KIND_BR || kind == RV_KIND_JAL || kind == RV_KIND_JALR)) {
        emit_jump(g, op);
        return;
    }
    if (!is_short && !draw_full(g, op, &in))
        return;
    if (is_short && (in.flags & (RV_LOAD | RV_STORE)) && in.src[0] == BASE_SHORT)
        fputs("\tmv x8, x3\n", stdout);
    if (!is_short && kind == RV_KIND_SC)
        emit_unreserve();
    if (!is_short && rv_rows[op].unit == RV_UNIT_AMO)
        emit_atomic_address(g);
    if (kind == RV_KIND_SC && !is_short && below(g, 4) != 0)
        printf("\tlr.%c x%u, (x4)\n", rv_rows[op].mem_bytes == 4 ? 'w' : 'd', 5 + below(g, 27));
    emit_word(&in);
    if (in.dst == SP)
        fputs("\tla sp, second\n", stdout);
    if (in.flags & RV_FLUSH) /* an invalid rounding mode would make what follows illegal */
        printf("\tfsrmi %u\n", below(g, MODES));
}

static void emit_block(struct generator *g, unsigned number)
{
    printf("/* block %u */\n\tla x4, values_%u\n\tla sp, second\n\tla x3, first\n", number, number);
    for (unsigned r = 0; r < 32; r++)
        printf("\tfld f%u, %u(x4)\n", r, 256 + 8 * r);
    for (unsigned r = 1; r < 32; r++)
        if (r != SP && r != BASE && r != ADDRESS)
            printf("\tld x%u, %u(x4)\n", r, 8 * r);
    printf("\tfscsr x0\n\tfsrmi %u\n", below(g, 3) == 0 ? below(g, MODES) : 0);
    for (int i = 0; i < INSNS_PER_BLOCK; i++)
        emit_insn(g);
    fputs("\tjal x4, dump\n\t.section .rodata\n", stdout);
    printf("values_%u:\n", number);
    for (unsigned r = 0; r < 32; r++)
        printf("\t.dword 0x%" PRIx64 "\n", integer_value(g));
    for (unsigned r = 0; r < 32; r++)
        printf("\t.dword 0x%" PRIx64 "\n", below(g, 2) ? single_value(g) : double_value(g));
    fputs("\t.text\n", stdout);
}

static void emit_dump(void)
{
    fputs("dump:\n", stdout);
    for (unsigned r = 1; r < 32; r++)
        printf("\tsd x%u, %u(sp)\n", r, 512 + 8 * r);
    for (unsigned r = 0; r < 32; r++)
        printf("\tfsd f%u, %u(sp)\n", r, 768 + 8 * r);
    fputs("\tfrcsr a0\n\tsd a0, 512(sp)\n\tli a0, 1\n\taddi a1, sp, 512\n\tli a2, 512\n\tli a7, 64\n\tecall\n\tjr x4\n", stdout);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: rvgen SEED BLOCKS\n", stderr);
        return 2;
    }
    struct generator g = {.state = strtoull(argv[1], NULL, 0)};
    unsigned blocks = (unsigned)strtoul(argv[2], NULL, 0);
    fputs("\t.option norvc\n\t.option norelax\n\t.text\n\t.globl _start\n_start:\n", stdout);
    for (unsigned i = 0; i < blocks; i++)
        emit_block(&g, i);
    fputs("\tli a0, 1\n\tla a1, memory\n\tli a2, 8192\n\tli a7, 64\n\tecall\n\tli a0, 0\n\tli a7, 93\n\tecall\n", stdout);
    emit_dump();
    fputs("\t.bss\n\t.balign 4096\nmemory:\n\t.skip 2560\nfirst:\n\t.skip 2560\nsecond:\n\t.skip 3072\nunreserved:\n\t.skip 8\n", stdout);
    return 0;
}
