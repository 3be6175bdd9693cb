/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiled regions: random loops of all rows have the same results compiled and interpreted, after any number of
 * instructions; and regions end with the code or the permissions that they were made for. */
#include <limits.h>
#include <unistd.h>

#include "core-model/riscv/compile/region.h"
#include "isa/support/random.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

enum {
    CODE = 0x10000,
    DATA = 0x20000,
    DATA_BYTES = 2 * MEM_PAGE_BYTES,
    BODY = 100, /* instructions of a loop */
    PASSES = 1500,
    TURN = 512, /* instructions, so that everything is soon compiled */
    PROGRAMS = REPETITIONS(12),
    RA = 1,
    DATA_1 = 8, /* registers: addresses in the data */
    DATA_2 = 9,
    COUNTER = 31,
};

/* The code generator, next to this program in the build. */
static const char *compiler_path(void)
{
    static char path[PATH_MAX];
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    ck_assert_int_gt(n, 0);
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    snprintf(path, sizeof path, "%.4000s/../../lib/pcemu/compile-llvm.so", self);
    ck_assert_msg(access(path, R_OK) == 0, "%s", path);
    return path;
}

static void start(struct hart *h, bool compiles)
{
    struct errmsg err;
    ck_assert_msg(hart_init(h, &err) == ST_OK, "%s", err.text);
    ck_assert_int_eq(memory_map(&h->mem, CODE, MEM_PAGE_BYTES, MEM_R | MEM_X), ST_OK);
    ck_assert_int_eq(memory_map(&h->mem, DATA, DATA_BYTES, MEM_R | MEM_W), ST_OK);
    h->pc = CODE;
    if (compiles)
        rv_compile(h, compiler_path(), TURN);
}

static bool is_transfer(enum rv_kind kind)
{
    return kind == RV_KIND_BR || kind == RV_KIND_JAL || kind == RV_KIND_JALR || kind == RV_KIND_ECALL ||
           kind == RV_KIND_EBREAK;
}

static bool is_kept(unsigned reg) { return reg == RA || reg == DATA_1 || reg == DATA_2 || reg == COUNTER; }

/* What is not compiled is to be rare. */
static bool is_rare(const struct rv_insn *in)
{
    const enum rv_kind kind = (enum rv_kind)rv_rows[in->op].kind;
    return kind == RV_KIND_LR || kind == RV_KIND_SC || kind == RV_KIND_AMO || kind == RV_KIND_CSR ||
           kind == RV_KIND_FENCE_I || (in->rm != FP_RNE && in->rm != FP_DYN);
}

/* A random instruction that goes straight on. Accesses to memory are to the data, and mostly aligned; CSRs are the
 * floating-point flags. */
static uint32_t random_insn(struct random *state)
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
            word = (word & ~UINT32_C(0xf8000)) | (uint32_t)(bits >> 62 & 1 ? DATA_1 : DATA_2) << 15;
        if (accesses && (bits >> 57 & 31) != 0 && kind == RV_KIND_LOAD)
            word &= ~((uint32_t)(row->mem_bytes - 1) << 20);
        if (accesses && (bits >> 57 & 31) != 0 && kind == RV_KIND_STORE)
            word &= ~((uint32_t)(row->mem_bytes - 1) << 7);
        if (rv_decode(word, &in) && !is_kept(in.dst) && in.rm != FP_RMM + 1 && in.rm != FP_RMM + 2 &&
            (!is_rare(&in) || (bits >> 56 & 31) == 0))
            return word;
    }
}

static uint32_t branch(uint32_t match, int32_t distance)
{
    const uint32_t d = (uint32_t)distance;
    return match | (d >> 12 & 1) << 31 | (d >> 5 & 0x3f) << 25 | (d >> 1 & 0xf) << 8 | (d >> 11 & 1) << 7;
}

/* A loop with branches forward over one to four instructions, and a call of what stands behind it. */
static void put_loop(struct hart *h, struct random *state)
{
    uint32_t code[BODY + 8];
    for (int i = 0; i < BODY; i++) {
        const uint64_t bits = random_bits(state);
        const uint32_t compare = (uint32_t)(bits >> 8 & 0x1ff) << 15; /* rs2, rs1 */
        code[i] = bits % 8 == 0 && i < BODY - 5 ? branch(0x00001063 | compare, 4 * (int32_t)(2 + bits % 4))
                                                : random_insn(state);
    }
    code[BODY] = 0x010000ef;                                              /* jal ra, .+16 */
    code[BODY + 1] = 0xffff8f93;                                          /* addi t6, t6, -1 */
    code[BODY + 2] = branch(0x00001063 | COUNTER << 15, -4 * (BODY + 2)); /* bnez t6, the start */
    code[BODY + 3] = 0x00000073;                                          /* ecall */
    code[BODY + 4] = random_insn(state);
    code[BODY + 5] = random_insn(state);
    code[BODY + 6] = 0x00008067; /* ret */
    code[BODY + 7] = 0x00000073;
    memcpy(memory_at(&h->mem, CODE), code, sizeof code);
}

static void set_registers(struct hart *h, struct random *state)
{
    for (int r = 1; r < 64; r++) {
        const uint64_t v = random_bits(state);
        h->reg[r] = v % 4 == 0 ? v >> 60 : v % 4 == 1 ? v | UINT64_C(0xffffffff00000000) : v;
    }
    h->reg[DATA_1] = DATA + MEM_PAGE_BYTES / 2;
    h->reg[DATA_2] = DATA + MEM_PAGE_BYTES;
    h->reg[COUNTER] = PASSES;
}

static void assert_same(const struct hart *a, const struct hart *b)
{
    ck_assert_uint_eq(a->instret, b->instret);
    ck_assert_uint_eq(a->pc, b->pc);
    ck_assert_uint_eq(a->fcsr, b->fcsr);
    for (int r = 0; r < 64; r++)
        ck_assert_msg(a->reg[r] == b->reg[r], "%s after %llu instructions", rv_reg_name((unsigned)r),
                      (unsigned long long)a->instret);
    ck_assert_mem_eq(memory_at(&a->mem, DATA), memory_at(&b->mem, DATA), DATA_BYTES);
}

static uint64_t executed_compiled(const struct hart *h)
{
    uint64_t sum = h->code->regions->executed;
    for (size_t i = 0; i < h->code->regions->count; i++)
        sum += h->code->regions->region[i]->executed;
    return sum;
}

/* _i: of a program. In every fourth the dynamic rounding mode is not to nearest. */
START_TEST(random_loops)
{
    struct hart interpreted, compiled;
    struct random state = {.state = (uint64_t)_i + 1}, same;
    start(&interpreted, false);
    start(&compiled, true);
    same = state;
    put_loop(&interpreted, &state), set_registers(&interpreted, &state);
    put_loop(&compiled, &same), set_registers(&compiled, &same);
    interpreted.fcsr = compiled.fcsr = _i % 4 == 3 ? FP_RUP << FCSR_FRM_SHIFT : 0;
    enum rv_trap trap = RV_TRAP_LIMIT;
    for (uint64_t budget = 1; trap == RV_TRAP_LIMIT; budget = budget * 3 % 100003) {
        trap = rv_run(&interpreted, budget + 5000);
        ck_assert_int_eq(rv_run(&compiled, budget + 5000), trap);
        assert_same(&interpreted, &compiled);
    }
    ck_assert_int_eq(trap, RV_TRAP_ECALL);
    if (_i % 4 != 3)
        ck_assert_uint_gt(executed_compiled(&compiled), 10000);
    hart_fini(&interpreted);
    hart_fini(&compiled);
}
END_TEST

/* for (;;) { a0 += 1; a1 = load from a2 } */
static void put_endless(struct hart *h, uint32_t first)
{
    const uint32_t code[] = {first, 0x00063583, 0xff9ff06f};
    memcpy(memory_at(&h->mem, CODE), code, sizeof code);
    h->reg[12] = DATA;
}

START_TEST(code_is_replaced)
{
    struct hart h;
    start(&h, true);
    put_endless(&h, 0x00150513); /* addi a0, a0, 1 */
    ck_assert_int_eq(rv_run(&h, 300000), RV_TRAP_LIMIT);
    ck_assert_uint_eq(h.reg[10], 100000);
    ck_assert_uint_gt(executed_compiled(&h), 200000);
    put_endless(&h, 0x00250513); /* addi a0, a0, 2 */
    rv_discard_code(&h, CODE, 4);
    ck_assert_uint_eq(h.code->regions->count, 0);
    h.reg[10] = 0;
    ck_assert_int_eq(rv_run(&h, 300000), RV_TRAP_LIMIT);
    ck_assert_uint_eq(h.reg[10], 200000);
    hart_fini(&h);
}
END_TEST

START_TEST(permissions_end)
{
    struct hart h;
    start(&h, true);
    put_endless(&h, 0x00150513);
    ck_assert_int_eq(rv_run(&h, 300000), RV_TRAP_LIMIT);
    ck_assert(memory_protect(&h.mem, DATA, MEM_PAGE_BYTES, 0));
    ck_assert_int_eq(rv_run(&h, 300000), RV_TRAP_LOAD);
    ck_assert_uint_eq(h.pc, CODE + 4);
    ck_assert_uint_eq(h.fault_addr, DATA);
    ck_assert_uint_eq(h.instret, 300001);
    h.reg[12] = UINT64_C(1) << 63; /* out of space */
    ck_assert_int_eq(rv_run(&h, 300000), RV_TRAP_LOAD);
    hart_fini(&h);
}
END_TEST

START_TEST(no_compiler)
{
    struct hart h;
    start(&h, false);
    rv_compile(&h, "/nonexistent.so", TURN);
    put_endless(&h, 0x00150513);
    ck_assert_int_eq(rv_run(&h, 300000), RV_TRAP_LIMIT);
    ck_assert_uint_eq(h.reg[10], 100000);
    ck_assert_ptr_null(h.code->regions);
    hart_fini(&h);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("regions");
    TCase *tc = tcase_create("regions");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, random_loops, 0, PROGRAMS);
    tcase_add_test(tc, code_is_replaced);
    tcase_add_test(tc, permissions_end);
    tcase_add_test(tc, no_compiler);
    suite_add_tcase(s, tc);
    return run_suite(s);
}
