/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rv_exec and rv_undo: every row with random operands and addresses leaves no trace when undone, traps change nothing,
 * and the corners of the semantics that the comparison with another machine does not reach. */
#include "base/random.h"
#include "core-model/riscv/format.h"
#include "core-model/riscv/hart.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */
#include <stdlib.h>

enum { CODE = 0x10000, DATA = 0x20000, DATA_BYTES = 2 * MEM_PAGE_BYTES, ROUNDS = REPETITIONS(300), REGS = 64 };

struct snapshot {
    uint64_t reg[REGS], pc, reservation, reserved_value;
    uint32_t fcsr;
    uint8_t data[DATA_BYTES];
};

static void start(struct hart *h)
{
    struct errmsg err;
    ck_assert_msg(hart_init(h, &err) == ST_OK, "%s", err.text);
    ck_assert_int_eq(memory_map(&h->mem, CODE, MEM_PAGE_BYTES, MEM_R | MEM_X), ST_OK);
    ck_assert_int_eq(memory_map(&h->mem, DATA, DATA_BYTES, MEM_R | MEM_W), ST_OK);
    h->pc = CODE;
}

static void take(const struct hart *h, struct snapshot *s)
{
    memcpy(s->reg, h->reg, sizeof s->reg);
    s->pc = h->pc;
    s->reservation = h->reservation;
    s->reserved_value = h->reserved_value;
    s->fcsr = h->fcsr;
    memcpy(s->data, memory_at(&h->mem, DATA), DATA_BYTES);
}

static void assert_same(const struct snapshot *a, const struct snapshot *b, const struct rv_insn *in)
{
    char text[96];
    rv_print(text, sizeof text, in, CODE);
    ck_assert_msg(memcmp(a->reg, b->reg, sizeof a->reg) == 0, "%s: registers", text);
    ck_assert_msg(a->pc == b->pc && a->fcsr == b->fcsr, "%s: pc or fcsr", text);
    ck_assert_msg(a->reservation == b->reservation && a->reserved_value == b->reserved_value, "%s: reservation", text);
    ck_assert_msg(memcmp(a->data, b->data, DATA_BYTES) == 0, "%s: memory", text);
}

/* Registers that are now addresses of data, now garbage; floating-point ones mostly boxed. */
static void randomise(struct hart *h, struct random *state)
{
    for (int r = 1; r < REGS; r++) {
        uint64_t v = random_bits(state);
        h->reg[r] = v % 3 == 0 ? DATA + (v >> 8) % DATA_BYTES : v % 3 == 1 ? v | UINT64_C(0xffffffff00000000) : v;
    }
    h->fcsr = (uint32_t)random_bits(state) & 0xff;
    h->reservation = random_bits(state) % 4 == 0 ? DATA + (random_bits(state) % DATA_BYTES & ~UINT64_C(7)) : UINT64_MAX;
}

START_TEST(undo_restores_everything)
{
    static struct snapshot before, after;
    struct hart h;
    struct random state = {.state = (uint64_t)_i};
    start(&h);
    for (int i = 0; i < ROUNDS; i++) {
        struct rv_insn in;
        struct rv_outcome out;
        uint32_t word = rv_rows[_i].match | ((uint32_t)random_bits(&state) & ~rv_rows[_i].mask);
        if (!rv_decode(word, &in))
            continue;
        randomise(&h, &state);
        h.pc = CODE + (random_bits(&state) % 64) * 2;
        take(&h, &before);
        memset(&out, 0xa5, sizeof out);
        rv_exec(&h, &in, &out);
        ck_assert_uint_eq(h.reg[0], 0);
        ck_assert_uint_eq(out.next_pc, h.pc);
        ck_assert_uint_le(out.trap, RV_TRAP_STOP);
        ck_assert(out.wrote_mem <= 1 && out.taken <= 1 && out.mem_bytes <= 8);
        if (out.trap == RV_TRAP_NONE && in.dst != 0)
            ck_assert_uint_eq(out.value, h.reg[in.dst]);
        if (out.trap != RV_TRAP_NONE) {
            take(&h, &after);
            assert_same(&before, &after, &in);
        }
        rv_undo(&h, &in, before.pc, &out);
        take(&h, &after);
        assert_same(&before, &after, &in);
    }
    hart_fini(&h);
}
END_TEST

/* A long random path, undone from its youngest instruction back: what an out-of-order core does on every misprediction.
 */
START_TEST(undo_of_a_long_path)
{
    enum { LENGTH = 128 };
    static struct snapshot before, after;
    struct rv_insn in[LENGTH];
    struct rv_outcome out[LENGTH];
    uint64_t pc[LENGTH];
    struct random state = {.state = 1000u + (uint64_t)_i};
    struct hart h;
    start(&h);
    randomise(&h, &state);
    take(&h, &before);
    for (int i = 0; i < LENGTH;) {
        const struct rv_row *row = &rv_rows[random_bits(&state) % RV_OP_COUNT];
        if (!rv_decode(row->match | ((uint32_t)random_bits(&state) & ~row->mask), &in[i]))
            continue;
        pc[i] = h.pc;
        rv_exec(&h, &in[i], &out[i]);
        i++;
    }
    for (int i = LENGTH; i-- > 0;)
        rv_undo(&h, &in[i], pc[i], &out[i]);
    take(&h, &after);
    assert_same(&before, &after, &in[0]);
    hart_fini(&h);
}
END_TEST

static struct rv_outcome execute(struct hart *h, uint32_t word)
{
    struct rv_insn in;
    struct rv_outcome out;
    ck_assert_msg(rv_decode(word, &in), "0x%08x", word);
    rv_exec(h, &in, &out);
    return out;
}

enum { A0 = 10, A1 = 11, A2 = 12, FA0 = 42, FA1 = 43, FA2 = 44 };

START_TEST(division_never_traps)
{
    static const struct {
        uint32_t word;
        uint64_t a, b, want;
    } cases[] = {
        {0x02c5c533, 7, 0, UINT64_MAX},                                     /* div a0,a1,a2 */
        {0x02c5d533, 7, 0, UINT64_MAX},                                     /* divu */
        {0x02c5e533, 7, 0, 7},                                              /* rem */
        {0x02c5f533, 7, 0, 7},                                              /* remu */
        {0x02c5c533, UINT64_C(1) << 63, UINT64_MAX, UINT64_C(1) << 63},     /* div overflow */
        {0x02c5e533, UINT64_C(1) << 63, UINT64_MAX, 0},                     /* rem overflow */
        {0x02c5c53b, 0x80000000, UINT64_MAX, UINT64_C(0xffffffff80000000)}, /* divw overflow */
        {0x02c5e53b, 0x80000000, UINT64_MAX, 0},                            /* remw overflow */
        {0x02c5d53b, 0x80000000, 0, UINT64_MAX},                            /* divuw by zero */
        {0x02c5f53b, 0x80000000, 0, UINT64_C(0xffffffff80000000)},          /* remuw by zero */
    };
    struct hart h;
    start(&h);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        h.reg[A1] = cases[i].a, h.reg[A2] = cases[i].b;
        ck_assert_uint_eq(execute(&h, cases[i].word).value, cases[i].want);
    }
    hart_fini(&h);
}
END_TEST

START_TEST(accesses_cross_pages_but_not_the_end)
{
    struct hart h;
    start(&h);
    h.reg[A1] = DATA + MEM_PAGE_BYTES - 3;
    h.reg[A0] = UINT64_C(0x1122334455667788);
    struct rv_outcome out = execute(&h, 0x00a5b023); /* sd a0,0(a1) */
    ck_assert_int_eq(out.trap, RV_TRAP_NONE);
    ck_assert_uint_eq(out.value, h.reg[A0]);
    ck_assert_uint_eq(out.ea, h.reg[A1]);
    ck_assert_uint_eq(execute(&h, 0x0005b603).value, h.reg[A0]); /* ld a2,0(a1) */
    h.reg[A1] = DATA + DATA_BYTES - 3;
    uint64_t pc = h.pc;
    out = execute(&h, 0x00a5b023);
    ck_assert_int_eq(out.trap, RV_TRAP_STORE);
    ck_assert_uint_eq(h.fault_addr, h.reg[A1]);
    ck_assert_uint_eq(h.pc, pc);
    ck_assert_int_eq(execute(&h, 0x0005b603).trap, RV_TRAP_LOAD);
    static const uint64_t wild[] = {
        0, UINT64_MAX, UINT64_MAX - 6, (UINT64_C(1) << 38) - 4, UINT64_C(1) << 38, UINT64_C(1) << 63};
    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++) {
        h.reg[A1] = wild[i];
        ck_assert_int_eq(execute(&h, 0x00a5b023).trap, RV_TRAP_STORE);
        ck_assert_int_eq(execute(&h, 0x0005b603).trap, RV_TRAP_LOAD);
    }
    h.reg[A1] = CODE;
    ck_assert_int_eq(execute(&h, 0x00a5b023).trap, RV_TRAP_STORE); /* code is not writable */
    hart_fini(&h);
}
END_TEST

START_TEST(atomics)
{
    struct hart h;
    start(&h);
    h.reg[A1] = DATA + 8, h.reg[A2] = 5;
    ck_assert_uint_eq(execute(&h, 0x18c5b52f).value, 1); /* sc.d without reservation fails */
    ck_assert_uint_eq(execute(&h, 0x1005b52f).value, 0); /* lr.d a0,(a1) */
    struct rv_outcome out = execute(&h, 0x18c5b52f);     /* sc.d a0,a2,(a1) */
    ck_assert_uint_eq(out.value, 0);
    ck_assert_int_eq(out.wrote_mem, 1);
    ck_assert_uint_eq(execute(&h, 0x18c5b52f).value, 1);  /* the reservation is used up */
    ck_assert_uint_eq(execute(&h, 0x00c5b52f).value, 5);  /* amoadd.d */
    ck_assert_uint_eq(execute(&h, 0x0005b503).value, 10); /* ld */
    h.reg[A2] = UINT64_C(0xffffffff80000000);
    ck_assert_uint_eq(execute(&h, 0x80c5a52f).value, 10);                           /* amomin.w */
    ck_assert_uint_eq(execute(&h, 0x0005a503).value, UINT64_C(0xffffffff80000000)); /* lw */
    h.reg[A1] = DATA + 4;
    ck_assert_int_eq(execute(&h, 0x00c5b52f).trap, RV_TRAP_MISALIGNED);
    ck_assert_int_eq(execute(&h, 0x00c5a52f).trap, RV_TRAP_NONE);
    h.reg[A1] = DATA + 2;
    ck_assert_int_eq(execute(&h, 0x1005a52f).trap, RV_TRAP_MISALIGNED);
    ck_assert_uint_eq(h.fault_addr, DATA + 2);
    hart_fini(&h);
}
END_TEST

START_TEST(control_and_status_registers)
{
    struct hart h;
    start(&h);
    h.cycle = 5000, h.instret = 77, h.time_per_1000_cycles = 10;
    ck_assert_uint_eq(execute(&h, 0xc0002573).value, 5000);          /* rdcycle a0 */
    ck_assert_uint_eq(execute(&h, 0xc0102573).value, 50);            /* rdtime */
    ck_assert_uint_eq(execute(&h, 0xc0202573).value, 77);            /* rdinstret */
    ck_assert_int_eq(execute(&h, 0xc0001073).trap, RV_TRAP_ILLEGAL); /* unimp: a write to cycle */
    ck_assert_int_eq(execute(&h, 0x30002573).trap, RV_TRAP_ILLEGAL); /* csrr a0,mstatus */
    h.reg[A1] = 0xfff;
    execute(&h, 0x00359573); /* fscsr a0,a1 */
    ck_assert_uint_eq(h.fcsr, 0xff);
    ck_assert_uint_eq(execute(&h, 0x00202573).value, 7);             /* frrm */
    ck_assert_int_eq(execute(&h, 0x02c5f553).trap, RV_TRAP_ILLEGAL); /* fadd.d with rounding mode 7 in frm */
    execute(&h, 0x0021d073);                                         /* fsrmi 3 */
    ck_assert_uint_eq(h.fcsr, 0x7f);
    hart_fini(&h);
}
END_TEST

/* 1 + 2^-53 lies half-way between 1 and the next double. */
START_TEST(rounding_modes)
{
    static const uint64_t one = UINT64_C(0x3ff0000000000000), half_ulp = UINT64_C(0x3ca0000000000000);
    static const uint64_t want[2][5] = {
        {UINT64_C(0x3ff0000000000000), UINT64_C(0x3ff0000000000000), UINT64_C(0x3ff0000000000000),
         UINT64_C(0x3ff0000000000001), UINT64_C(0x3ff0000000000001)},
        {UINT64_C(0xbff0000000000000), UINT64_C(0xbff0000000000000), UINT64_C(0xbff0000000000001),
         UINT64_C(0xbff0000000000000), UINT64_C(0xbff0000000000001)},
    };
    struct hart h;
    start(&h);
    for (uint32_t sign = 0; sign < 2; sign++)
        for (uint32_t mode = 0; mode < 5; mode++) {
            h.reg[FA1] = one | (uint64_t)sign << 63, h.reg[FA2] = half_ulp | (uint64_t)sign << 63;
            h.fcsr = 0;
            ck_assert_uint_eq(execute(&h, 0x02c58553 | mode << 12).value, want[sign][mode]); /* fadd.d, static mode */
            ck_assert_uint_eq(h.fcsr, 1);
            h.fcsr = mode << 5;
            ck_assert_uint_eq(execute(&h, 0x02c5f553).value, want[sign][mode]); /* dynamic mode */
            ck_assert_uint_eq(h.fcsr, mode << 5 | 1);
        }
    hart_fini(&h);
}
END_TEST

/* Whatever the emulator itself computes in floating point must not show in the guest's flags, nor an undone
 * instruction. */
START_TEST(flags_are_the_guests_own)
{
    struct hart h;
    struct rv_insn in;
    struct rv_outcome out;
    volatile double ours = 1.0;
    start(&h);
    ours /= 3.0;
    ck_assert(ours < 1.0);
    h.reg[FA1] = h.reg[FA2] = UINT64_C(0x3ff0000000000000);
    execute(&h, 0x02c5f553); /* 1 + 1 */
    ck_assert_uint_eq(h.fcsr, 0);
    h.reg[FA2] = UINT64_C(0x4008000000000000);
    uint64_t pc = h.pc;
    ck_assert(rv_decode(0x1ac5f553, &in)); /* fdiv.d: 1 / 3 */
    rv_exec(&h, &in, &out);
    ck_assert_uint_eq(h.fcsr, 1);
    rv_undo(&h, &in, pc, &out);
    ck_assert_uint_eq(h.fcsr, 0);
    execute(&h, 0x02c5f553); /* 1 + 3 */
    ck_assert_uint_eq(h.fcsr, 0);
    hart_fini(&h);
}
END_TEST

static void put_code(struct hart *h, uint64_t addr, const uint32_t *words, size_t count)
{
    memcpy(memory_at(&h->mem, addr), words, count * sizeof *words);
}

START_TEST(run_stops_at_exactly_the_budget)
{
    static const uint32_t loop[] = {0x00150513, 0xffdff06f}; /* addi a0,a0,1; j .-4 */
    struct hart h;
    start(&h);
    put_code(&h, CODE, loop, 2);
    static const uint64_t budgets[] = {0, 1, 2, 4095, 4096, 4097, 5000, 1048576, 3000001};
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        h.pc = CODE;
        h.instret = h.cycle = h.reg[A0] = 0;
        ck_assert_int_eq(rv_run(&h, budgets[i]), RV_TRAP_LIMIT);
        ck_assert_uint_eq(h.instret, budgets[i]);
        ck_assert_uint_eq(h.cycle, budgets[i]);
        ck_assert_uint_eq(h.reg[A0], (budgets[i] + 1) / 2);
    }
    h.stop = 1;
    ck_assert_int_eq(rv_run(&h, 10), RV_TRAP_STOP);
    hart_fini(&h);
}
END_TEST

START_TEST(run_sees_new_code_after_fence_i)
{
    /* stores the word in a1 over the instruction at CODE + 0x100, fence.i, calls it */
    static const uint32_t code[] = {0x10b52023, 0x0000100f, 0x10050067};
    static const uint32_t first[] = {0x00100613, 0x00000073}; /* li a2,1; ecall */
    struct hart h;
    start(&h);
    ck_assert(memory_protect(&h.mem, CODE, MEM_PAGE_BYTES, MEM_R | MEM_W | MEM_X));
    put_code(&h, CODE, code, 3);
    put_code(&h, CODE + 0x100, first, 2);
    h.pc = CODE + 0x100;
    ck_assert_int_eq(rv_run(&h, 1000000), RV_TRAP_ECALL);
    ck_assert_uint_eq(h.reg[A2], 1);
    h.pc = CODE;
    h.reg[A0] = CODE, h.reg[A1] = 0x00200613; /* li a2,2 */
    ck_assert_int_eq(rv_run(&h, 1000000), RV_TRAP_ECALL);
    ck_assert_uint_eq(h.reg[A2], 2);
    ck_assert_uint_eq(h.pc, CODE + 0x104);
    hart_fini(&h);
}
END_TEST

/* Code written over without fence.i, where the loop knows the old second instruction of a pair: either one may be
 * executed, but nothing else. */
START_TEST(run_survives_code_written_over)
{
    static const uint32_t code[] = {0x00150513, 0x00b50533, 0x00000073}; /* addi a0,a0,1; add a0,a0,a1; ecall */
    static const uint32_t other[] = {0xfea59ee3, 0x40b50533, 0x00b54533, 0x0000a503,
                                     0x00a58533}; /* bne, sub, xor, lw, add */
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        struct hart h;
        start(&h);
        put_code(&h, CODE, code, 3);
        h.pc = CODE, h.reg[A0] = 1, h.reg[A1] = 5;
        ck_assert_int_eq(rv_run(&h, 1000000), RV_TRAP_ECALL);
        ck_assert_uint_eq(h.reg[A0], 7);
        put_code(&h, CODE + 4, &other[i], 1);
        h.pc = CODE + 4, h.reg[A0] = 5, h.reg[1] = 64;
        enum rv_trap trap = rv_run(&h, 1000000);
        ck_assert(trap == RV_TRAP_ECALL || trap == RV_TRAP_LOAD || trap == RV_TRAP_LIMIT);
        hart_fini(&h);
    }
}
END_TEST

START_TEST(an_instruction_may_cross_pages)
{
    static const uint32_t word = 0x00100513; /* li a0,1 */
    struct hart h;
    start(&h);
    uint64_t addr = CODE + MEM_PAGE_BYTES - 2;
    memcpy(memory_at(&h.mem, addr), &word, 2);
    h.pc = addr;
    ck_assert_int_eq(rv_run(&h, 1000000), RV_TRAP_FETCH); /* the second half is not there */
    ck_assert_uint_eq(h.pc, addr);
    ck_assert_int_eq(memory_map(&h.mem, CODE + MEM_PAGE_BYTES, MEM_PAGE_BYTES, MEM_R | MEM_X), ST_OK);
    static const uint32_t ecall = 0x00000073;
    memcpy(memory_at(&h.mem, addr + 2), (const uint8_t *)&word + 2, 2);
    memcpy(memory_at(&h.mem, addr + 4), &ecall, 4);
    ck_assert_int_eq(rv_run(&h, 1000000), RV_TRAP_ECALL);
    ck_assert_uint_eq(h.reg[A0], 1);
    ck_assert_uint_eq(h.pc, addr + 4);
    hart_fini(&h);
}
END_TEST

START_TEST(fetch_refuses_what_is_no_code)
{
    static const uint64_t wild[] = {
        0, DATA, CODE + 1, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 38, UINT64_C(1) << 62};
    struct hart h;
    enum rv_trap trap;
    start(&h);
    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++) {
        ck_assert_ptr_null(rv_fetch(&h, wild[i], &trap));
        ck_assert_int_eq(trap, RV_TRAP_FETCH);
    }
    ck_assert_ptr_null(rv_fetch(&h, CODE, &trap)); /* zeros */
    ck_assert_int_eq(trap, RV_TRAP_ILLEGAL);
    hart_fini(&h);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("riscv exec");
    TCase *t = tcase_create("undo");
    tcase_add_loop_test(t, undo_restores_everything, 0, RV_OP_COUNT);
    tcase_add_loop_test(t, undo_of_a_long_path, 0, 50);
    suite_add_tcase(s, t);
    t = tcase_create("semantics");
    tcase_add_test(t, division_never_traps);
    tcase_add_test(t, accesses_cross_pages_but_not_the_end);
    tcase_add_test(t, atomics);
    tcase_add_test(t, control_and_status_registers);
    tcase_add_test(t, rounding_modes);
    tcase_add_test(t, flags_are_the_guests_own);
    suite_add_tcase(s, t);
    t = tcase_create("run");
    tcase_add_test(t, run_stops_at_exactly_the_budget);
    tcase_add_test(t, run_sees_new_code_after_fence_i);
    tcase_add_test(t, run_survives_code_written_over);
    tcase_add_test(t, an_instruction_may_cross_pages);
    tcase_add_test(t, fetch_refuses_what_is_no_code);
    suite_add_tcase(s, t);
    return s;
}

int main(void) { return run_suite(make_suite()); }
