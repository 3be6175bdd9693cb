/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a random riscv64 assembly program that exercises every row of rv.def and rvc.def:
 *   rvgen SEED BLOCKS ITERATIONS [BLOCK]
 * A block is straight random code with a few skips. It is executed ITERATIONS times (SHORT_RUN times where the program
 * is given an argument), each time with all registers from tables of corner values at random places and with another
 * rounding mode, now and then an illegal one. After each time a digest of all registers, fcsr and the number of illegal
 * instructions is noted, after each block the digests and one of the memory are written out. For BLOCK, the registers
 * themselves are written out. run_riscv.sh compares the output of two machines. On standard error: how many random
 * instructions one iteration executes. x3 points into the memory that instructions use, x2 to more of it; x4 makes
 * addresses. */
#include "base/random.h"
#include "core-model/riscv/format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    INSNS_PER_BLOCK = 48,
    BASE = 3,
    SP = 2,
    ADDRESS = 4,
    BASE_SHORT = 8,
    TRIES = 1000,
    MODES = 8,
    TABLE_ENTRIES = 2048,
    WINDOW = 32,
    SHORT_RUN = 2,
};

struct generator {
    struct random random;
    unsigned long executed; /* random instructions that are certainly executed */
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

static uint64_t draw(struct generator *g) { return random_bits(&g->random); }

static unsigned below(struct generator *g, unsigned n) { return (unsigned)(draw(g) % n); }

static uint64_t integer_value(struct generator *g)
{
    static const uint64_t corners[] = {
        0,
        1,
        2,
        UINT64_MAX,
        UINT64_MAX - 1,
        INT64_MAX,
        UINT64_C(1) << 63,
        (UINT64_C(1) << 63) + 1,
        INT32_MAX,
        0x80000000,
        0xffffffff,
        0x100000000,
        0xffffffff80000000,
        0xffffffff7fffffff,
        0x7fff,
        0x8000,
        0xff,
        0x80,
        63,
        64,
        31,
        32,
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
        0,          0x80000000, 1,          0x80000001, 0x007fffff, 0x00800000, 0x00800001, 0x3f800000,
        0xbf800000, 0x3f800001, 0x3f7fffff, 0x3f000000, 0x3fc00000, 0x40200000, 0x7f7fffff, 0xff7fffff,
        0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xffbfffff, 0x7fffffff, 0x4f000000,
        0xcf000000, 0x4effffff, 0x4f800000, 0x4f7fffff, 0x5f000000, 0x5effffff, 0x5f800000, 0xdf000000,
        0x34000000, 0x33800000, 0x33800001, 0x00400000, 0x20000000, 0x1fffffff, 0xbf000000,
    };
    uint32_t bits = below(g, 3) == 0 ? (uint32_t)draw(g) : corners[below(g, sizeof corners / sizeof corners[0])];
    if (below(g, 4) == 0) /* near one another, so that sums cancel and products tie */
        bits = 0x3f800000 + (uint32_t)(int32_t)(below(g, 64) - 32) + (below(g, 8) << 23);
    return below(g, 12) == 0 ? bits : bits | UINT64_C(0xffffffff00000000);
}

static uint64_t double_value(struct generator *g)
{
    static const uint64_t corners[] = {
        0,
        UINT64_C(0x8000000000000000),
        1,
        UINT64_C(0x8000000000000001),
        UINT64_C(0x000fffffffffffff),
        UINT64_C(0x0010000000000000),
        UINT64_C(0x0010000000000001),
        UINT64_C(0x3ff0000000000000),
        UINT64_C(0xbff0000000000000),
        UINT64_C(0x3ff0000000000001),
        UINT64_C(0x3fefffffffffffff),
        UINT64_C(0x3fe0000000000000),
        UINT64_C(0x3ff8000000000000),
        UINT64_C(0x4004000000000000),
        UINT64_C(0x7fefffffffffffff),
        UINT64_C(0xffefffffffffffff),
        UINT64_C(0x7ff0000000000000),
        UINT64_C(0xfff0000000000000),
        UINT64_C(0x7ff8000000000000),
        UINT64_C(0xfff8000000000001),
        UINT64_C(0x7ff0000000000001),
        UINT64_C(0x41dfffffffc00000),
        UINT64_C(0x41e0000000000000),
        UINT64_C(0xc1e0000000000000),
        UINT64_C(0xc1e0000000200000),
        UINT64_C(0x41efffffffe00000),
        UINT64_C(0x41f0000000000000),
        UINT64_C(0x43e0000000000000),
        UINT64_C(0x43dfffffffffffff),
        UINT64_C(0xc3e0000000000000),
        UINT64_C(0x43f0000000000000),
        UINT64_C(0x43efffffffffffff),
        UINT64_C(0x3ca0000000000000),
        UINT64_C(0x3690000000000000),
        UINT64_C(0x380fffffffffffff),
        UINT64_C(0x3810000000000000),
        UINT64_C(0x36a0000000000000),
        UINT64_C(0x47efffffefffffff),
        UINT64_C(0x47efffffe0000000),
        UINT64_C(0x47effffff0000000),
        UINT64_C(0x1ff0000000000000),
    };
    unsigned kind = below(g, 4);
    if (kind == 0)
        return draw(g);
    if (kind == 1)
        return UINT64_C(0x3ff0000000000000) + (uint64_t)((int64_t)below(g, 64) - 32) + ((uint64_t)below(g, 8) << 52);
    return corners[below(g, sizeof corners / sizeof corners[0])];
}

static void emit_word(struct generator *g, const struct rv_insn *in)
{
    g->executed++;
    /* QEMU before 8.0 looks at all 64 bits where the manual has ctzw give 32 for a zero word: no such operand. */
    if (in->op == RV_CTZW && in->src[0] != 0)
        printf("\tsext.w x%u, x%u\n", in->src[0], in->src[0]);
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
    do
        draw_full(g, op, &in);
    while (in.dst == SP);
    emit_word(g, &in);
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
    g->executed -= 1; /* it may have been skipped; the jump counts */
    fputs("1:\n", stdout);
}

/* A rounding mode that does not exist: the signal handler goes on behind it. */
static void emit_illegal(struct generator *g)
{
    enum rv_op op;
    do
        op = (enum rv_op)below(g, RV_OP_COUNT);
    while (!rv_formats[rv_rows[op].format].has_rm);
    uint32_t word = rv_rows[op].match | ((uint32_t)draw(g) & ~rv_rows[op].mask);
    printf("\t.4byte 0x%08" PRIx32 "\t/* illegal: %s */\n", with_field(word, 12, 3, 5 + below(g, 2)), rv_op_name(op));
    g->executed++;
}

/* The effect of a store-conditional after a load-reserved of another width or before a system call is open: none of
 * that. */
static void emit_unreserve(void) { fputs("\tla x4, unreserved\n\tsc.w x0, x0, (x4)\n", stdout); }

static void emit_atomic_address(struct generator *g) { printf("\taddi x4, x3, %d\n", (int)(below(g, 256) * 8) - 1024); }

static void emit_insn(struct generator *g)
{
    struct rv_insn in;
    enum rv_op op = (enum rv_op)below(g, RV_OP_COUNT);
    bool is_short = below(g, 4) == 0;
    if (below(g, 400) == 0)
        emit_illegal(g);
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
    emit_word(g, &in);
    if (in.dst == SP)
        fputs("\tla sp, second\n", stdout);
    if ((in.flags & RV_FLUSH) && below(g, 8) != 0) /* an invalid rounding mode makes what follows illegal: not always */
        printf("\tfsrmi %u\n", below(g, MODES - 3));
}

static void emit_block(struct generator *g, unsigned number, bool is_shown)
{
    printf("block_%u:\n\tjal x4, setup\n", number);
    for (int i = 0; i < INSNS_PER_BLOCK; i++)
        emit_insn(g);
    printf("\tjal x4, %s\n\tla x5, iteration\n\tld x6, 0(x5)\n\tld x7, 8(x5)\n", is_shown ? "show" : "digest");
    printf("\tbgeu x6, x7, 1f\n\tj block_%u\n1:\tjal x4, flush\n", number);
}

/* To the next pseudo-random number, in x6; x5 and x7 are lost. */
static void emit_next_random(void)
{
    fputs("\tla x5, seed\n\tld x6, 0(x5)\n\tslli x7, x6, 13\n\txor x6, x6, x7\n\tsrli x7, x6, 7\n\txor x6, x6, x7\n"
          "\tslli x7, x6, 17\n\txor x6, x6, x7\n\tsd x6, 0(x5)\n",
          stdout);
}

/* Three random places in a table, in registers `first` and on. Registers are then loaded from these in turn, so that
 * each pair of them meets in many combinations. */
static void emit_windows(const char *table, unsigned first)
{
    emit_next_random();
    printf("\tla x5, %s\n\tli x7, %d\n", table, (TABLE_ENTRIES - 1) * 8);
    for (unsigned i = 0; i < 3; i++)
        printf("\tsrli x%u, x6, %u\n\tand x%u, x%u, x7\n\tadd x%u, x%u, x5\n", first + i, 2 + 19 * i, first + i,
               first + i, first + i, first + i);
}

static void emit_setup(void)
{
    fputs("setup:\n", stdout);
    emit_windows("floats", 8);
    for (unsigned r = 0; r < 32; r++)
        printf("\tfld f%u, %u(x%u)\n", r, 8 * r, 8 + r % 3);
    fputs("\tsrli x6, x6, 59\n\tla x5, modes\n\tadd x5, x5, x6\n\tlbu x5, 0(x5)\n\tslli x5, x5, 5\n\tfscsr x5\n",
          stdout);
    emit_windows("integers", 29);
    fputs("\tla sp, second\n\tla x3, first\n", stdout);
    for (unsigned r = 1; r < 32; r++)
        if (r != SP && r != BASE && r != ADDRESS)
            printf("\tld x%u, %u(x%u)\n", r, 8 * r, r < 29 ? 29 + r % 3 : r);
    fputs("\tjr x4\n", stdout);
}

/* Registers to the room behind x2, fcsr in the place of x0. */
static void emit_spill(void)
{
    for (unsigned r = 1; r < 32; r++)
        printf("\tsd x%u, %u(sp)\n", r, 512 + 8 * r);
    for (unsigned r = 0; r < 32; r++)
        printf("\tfsd f%u, %u(sp)\n", r, 768 + 8 * r);
    fputs("\tfrcsr a0\n\tsd a0, 512(sp)\n", stdout);
}

/* Digest of the doublewords from a0 to a1, on top of a2. */
static void emit_fold(void)
{
    fputs(
        "fold:\n\tli a4, 0x9e3779b97f4a7c15\n1:\tld a3, 0(a0)\n\txor a2, a2, a3\n\tmul a2, a2, a4\n\tsrli a3, a2, 29\n"
        "\txor a2, a2, a3\n\taddi a0, a0, 8\n\tbltu a0, a1, 1b\n\tjr t0\n",
        stdout);
}

static void emit_write(const char *start, const char *size)
{
    printf("\tli a0, 1\n\t%s\n\t%s\n\tli a7, 64\n\tecall\n", start, size);
}

static void emit_ends(void)
{
    fputs("digest:\n", stdout);
    emit_spill();
    fputs("\taddi a0, sp, 512\n\taddi a1, sp, 1024\n\tla a5, illegal\n\tld a2, 0(a5)\n\tjal t0, fold\n", stdout);
    fputs("\tla a5, iteration\n\tld a0, 0(a5)\n\taddi a1, a0, 1\n\tsd a1, 0(a5)\n\tslli a0, a0, 3\n\tla a1, digests\n"
          "\tadd a0, a0, a1\n\tsd a2, 0(a0)\n\tjr x4\nshow:\n",
          stdout);
    emit_spill();
    emit_write("addi a1, sp, 512", "li a2, 512");
    fputs("\tla a5, iteration\n\tld a0, 0(a5)\n\taddi a0, a0, 1\n\tsd a0, 0(a5)\n\tjr x4\nflush:\n"
          "\tla a0, memory\n\tla a1, second\n\tli a2, 0\n\tjal t0, fold\n\tla a5, iteration\n\tld a3, 0(a5)\n\tsd x0, "
          "0(a5)\n"
          "\tslli a3, a3, 3\n\tla a1, digests\n\tadd a0, a1, a3\n\tsd a2, 0(a0)\n",
          stdout);
    emit_write("", "addi a2, a3, 8");
    fputs("\tjr x4\n", stdout);
    /* The handler: counts, and goes on behind the instruction, whose pc is first in the machine context. */
    fputs("handler:\n\tla t0, illegal\n\tld t1, 0(t0)\n\taddi t1, t1, 1\n\tsd t1, 0(t0)\n"
          "\tld t0, 176(a2)\n\taddi t0, t0, 4\n\tsd t0, 176(a2)\n\tret\n",
          stdout);
}

static void emit_start(unsigned iterations)
{
    fputs("\t.option norvc\n\t.option norelax\n\t.text\n\t.globl _start\n_start:\n", stdout);
    printf("\tld a0, 0(sp)\n\tli a1, %u\n\tli a2, 2\n\tbltu a0, a2, 1f\n\tli a1, %d\n1:\tla a0, iteration\n\tsd a1, "
           "8(a0)\n",
           iterations, SHORT_RUN);
    fputs("\tla a0, alternate\n\tli a1, 0\n\tli a7, 132\n\tecall\n\tli a0, 4\n\tla a1, action\n\tli a2, 0\n\tli a3, 8\n"
          "\tli a7, 134\n\tecall\n",
          stdout); /* sigaltstack, rt_sigaction of SIGILL */
}

static void emit_data(struct generator *g, unsigned iterations)
{
    fputs("\t.section .rodata\n\t.balign 8\nintegers:\n", stdout);
    for (int i = 0; i < TABLE_ENTRIES + WINDOW; i++)
        printf("\t.dword 0x%" PRIx64 "\n", integer_value(g));
    fputs("floats:\n", stdout);
    for (int i = 0; i < TABLE_ENTRIES + WINDOW; i++)
        printf("\t.dword 0x%" PRIx64 "\n", below(g, 2) ? single_value(g) : double_value(g));
    fputs("modes:\n", stdout);
    for (unsigned i = 0; i < 32; i++)
        printf("\t.byte %u\n", i < 8 ? 0 : i < 31 ? i % 5 : 5 + below(g, 3));
    fputs("\t.balign 8\nalternate:\n\t.dword signals, 0, 65536\naction:\n\t.dword handler, 0x08000004, 0\n", stdout);
    printf("\t.data\n\t.balign 8\nseed:\n\t.dword 0x%" PRIx64 "\n", draw(g) | 1);
    fputs("iteration:\n\t.dword 0, 0\nillegal:\n\t.dword 0\n\t.bss\n\t.balign 4096\nmemory:\n\t.skip "
          "2560\nfirst:\n\t.skip 2560\n"
          "second:\n\t.skip 3072\nunreserved:\n\t.skip 8\n\t.balign 4096\nsignals:\n\t.skip 65536\n",
          stdout);
    printf("digests:\n\t.skip %u\n", iterations * 8 + 64);
}

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5) {
        fputs("usage: rvgen SEED BLOCKS ITERATIONS [BLOCK]\n", stderr);
        return 2;
    }
    struct generator g = {.random = {.state = strtoull(argv[1], NULL, 0)}};
    unsigned blocks = (unsigned)strtoul(argv[2], NULL, 0), iterations = (unsigned)strtoul(argv[3], NULL, 0);
    unsigned shown = argc == 5 ? (unsigned)strtoul(argv[4], NULL, 0) : blocks;
    emit_start(iterations);
    for (unsigned i = 0; i < blocks; i++)
        emit_block(&g, i, i == shown);
    fputs("\tli a0, 0\n\tli a7, 93\n\tecall\n", stdout);
    emit_setup();
    emit_fold();
    emit_ends();
    emit_data(&g, iterations);
    fprintf(stderr, "%lu\n", g.executed);
    return 0;
}
