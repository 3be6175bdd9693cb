/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translated code: random loops of all rows have the same results translated and interpreted, after any number of
 * instructions; and translations end with the code or the permissions that they were made for. */
#include <sys/mman.h>
#include <unistd.h>

#include "core-model/riscv/translate/host.h"
#include "core-model/riscv/translate/translation.h"
#include "tests/unit/random_loop.h"

enum {
    CODE = 0x10000,
    DATA = 0x20000,
    DATA_BYTES = 2 * MEM_PAGE_BYTES,
    PASSES = 1500,
    MEMORY = RV_TRANSLATE_LEAST_MIB << 20,
    PROGRAMS = REPETITIONS(40),
};

enum way { INTERPRETED, TRANSLATED, APART };

static void start(struct hart *h, enum way way)
{
    struct errmsg err;
    ck_assert_msg(hart_init(h, &err) == ST_OK, "%s", err.text);
    ck_assert_int_eq(memory_map(&h->mem, CODE, MEM_PAGE_BYTES, MEM_R | MEM_X), ST_OK);
    ck_assert_int_eq(memory_map(&h->mem, DATA, DATA_BYTES, MEM_R | MEM_W), ST_OK);
    h->pc = CODE;
    rv_translate(h, way == INTERPRETED ? 0 : MEMORY, way == APART);
    ck_assert_int_eq(h->code->translation != NULL, way != INTERPRETED && HOST_TRANSLATES);
}

static uint64_t executed_translated(const struct hart *h) { return h->instret - h->code->translation->stepped; }

static void put_loop(struct hart *h, struct random *state)
{
    uint32_t code[LOOP_WORDS];
    random_loop(code, state);
    memcpy(memory_at(&h->mem, CODE), code, sizeof code);
}

static void set_registers(struct hart *h, struct random *state) { loop_registers(h, state, DATA, PASSES); }

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

/* _i: of a program. In every fourth the dynamic rounding mode is not to nearest, or none. */
START_TEST(random_loops)
{
    const uint32_t mode = _i % 4 == 3 ? (uint32_t)_i / 4 % (FP_MODES + 1) : FP_RNE;
    struct hart interpreted, compiled;
    struct random state = {.state = (uint64_t)_i + 1}, same;
    start(&interpreted, INTERPRETED);
    start(&compiled, _i % 2 == 0 ? TRANSLATED : APART);
    same = state;
    put_loop(&interpreted, &state), set_registers(&interpreted, &state);
    put_loop(&compiled, &same), set_registers(&compiled, &same);
    interpreted.fcsr = compiled.fcsr = mode << FCSR_FRM_SHIFT;
    enum rv_trap trap = RV_TRAP_LIMIT;
    for (uint64_t budget = 1; trap == RV_TRAP_LIMIT; budget = budget * 3 % 100003) {
        trap = rv_run(&interpreted, budget + 5000);
        ck_assert_int_eq(rv_run(&compiled, budget + 5000), trap);
        assert_same(&interpreted, &compiled);
    }
    ck_assert_int_eq(trap, mode < FP_MODES || trap == RV_TRAP_ECALL ? RV_TRAP_ECALL : RV_TRAP_ILLEGAL);
    if (mode < FP_RMM && HOST_TRANSLATES)
        ck_assert_uint_gt(executed_translated(&compiled), compiled.instret / 2);
    hart_fini(&interpreted);
    hart_fini(&compiled);
}
END_TEST

/* _i: of a program. Some places are never reached: those between a branch that is always taken and its target. */
START_TEST(places_to_stop_at)
{
    enum { MOST = 6000 };
    struct hart stepped, loop[2], *all[] = {&stepped, &loop[0], &loop[1]}; /* loop: interpreted, translated */
    struct random state;
    for (int i = 0; i < 3; i++) {
        state = (struct random){.state = (uint64_t)_i + 1};
        start(all[i], i == 2 ? TRANSLATED : INTERPRETED);
        put_loop(all[i], &state);
        loop_registers(all[i], &state, DATA, UINT64_C(1) << 40);
        ck_assert_int_eq(rv_run(all[i], MOST), RV_TRAP_LIMIT); /* code is translated, and paired */
    }
    for (int n = 0; n < 20; n++) {
        const uint64_t place = CODE + 4 * random_below(&state, LOOP_BODY), begun = stepped.instret;
        while (stepped.pc != place && stepped.instret < begun + MOST)
            ck_assert_int_eq(rv_run(&stepped, 1), RV_TRAP_LIMIT);
        for (int i = 0; i < 2; i++) {
            rv_stop_at(&loop[i], place);
            ck_assert_int_eq(rv_run(&loop[i], MOST), RV_TRAP_LIMIT);
            assert_same(&stepped, &loop[i]);
            rv_stop_at(&loop[i], UINT64_MAX);
            ck_assert_int_eq(rv_run(&loop[i], MOST), RV_TRAP_LIMIT);
        }
        ck_assert_int_eq(rv_run(&stepped, MOST), RV_TRAP_LIMIT);
    }
    for (int i = 0; i < 3; i++)
        hart_fini(all[i]);
}
END_TEST

/* for (;;) { a0 += 1; a1 = load from a2 } */
static void put_endless(struct hart *h, uint32_t first)
{
    const uint32_t code[] = {first, 0x00063583, 0xff9ff06f};
    memcpy(memory_at(&h->mem, CODE), code, sizeof code);
    h->reg[12] = DATA;
}

/* Budgets end at each instruction, those that are executed between translated ones too. */
START_TEST(budgets_are_exact)
{
    struct hart stepped, h;
    struct random state = {.state = 1}, same = state;
    start(&stepped, INTERPRETED);
    start(&h, TRANSLATED);
    put_loop(&stepped, &state), set_registers(&stepped, &state);
    put_loop(&h, &same), set_registers(&h, &same);
    for (uint64_t budget = 1; h.instret < 20000; budget = budget * 5 % 397) {
        uint64_t executed = 0;
        for (uint64_t i = 0; i < budget; i++)
            ck_assert_int_eq(rv_run(&stepped, 1), RV_TRAP_LIMIT);
        if (HOST_TRANSLATES)
            ck_assert_int_eq(translated_run(&h, budget, &executed), RV_TRAP_LIMIT);
        else
            ck_assert_int_eq(rv_run(&h, executed = budget), RV_TRAP_LIMIT);
        ck_assert_uint_eq(executed, budget);
        h.instret += HOST_TRANSLATES ? executed : 0;
        assert_same(&stepped, &h);
    }
    hart_fini(&stepped);
    hart_fini(&h);
}
END_TEST

START_TEST(code_is_replaced)
{
    struct hart h;
    start(&h, TRANSLATED);
    put_endless(&h, 0x00150513); /* addi a0, a0, 1 */
    ck_assert_int_eq(rv_run(&h, 300000), RV_TRAP_LIMIT);
    ck_assert_uint_eq(h.reg[10], 100000);
    put_endless(&h, 0x00250513); /* addi a0, a0, 2 */
    rv_discard_code(&h, CODE, 4);
    h.reg[10] = 0;
    ck_assert_int_eq(rv_run(&h, 300000), RV_TRAP_LIMIT);
    ck_assert_uint_eq(h.reg[10], 200000);
    hart_fini(&h);
}
END_TEST

/* A flush drops the blocks whose instructions memory no longer holds, and no other. */
START_TEST(code_is_flushed)
{
    struct hart h;
    start(&h, TRANSLATED);
    ck_assert(memory_protect(&h.mem, CODE, MEM_PAGE_BYTES, MEM_R | MEM_W | MEM_X));
    put_endless(&h, 0x00150513); /* addi a0, a0, 1 */
    ck_assert_int_eq(rv_run(&h, 300000), RV_TRAP_LIMIT);
    const uint64_t serial = rv_code_serial(&h, CODE);
    rv_drop_stale_code(&h);
    ck_assert_uint_eq(rv_code_serial(&h, CODE), serial);
    memory_at(&h.mem, CODE)[MEM_PAGE_BYTES - 1] ^= 1; /* where no instruction was decoded */
    rv_drop_stale_code(&h);
    ck_assert_uint_eq(rv_code_serial(&h, CODE), serial);
    put_endless(&h, 0x00254513); /* xori a0, a0, 2: another operation */
    rv_drop_stale_code(&h);
    ck_assert_uint_eq(rv_code_serial(&h, CODE), 0);
    h.reg[10] = 5;
    h.pc = CODE;
    ck_assert_int_eq(rv_run(&h, 3), RV_TRAP_LIMIT);
    ck_assert_uint_eq(h.reg[10], 7);
    hart_fini(&h);
}
END_TEST

START_TEST(permissions_end)
{
    struct hart h;
    start(&h, TRANSLATED);
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

/* The file of the second page is cut while the loop reads it: the trap is that of the instruction, and nothing else has
 * changed. */
START_TEST(file_is_cut)
{
    struct hart h;
    const int fd = memfd_create("cut", 0);
    ck_assert_int_eq(ftruncate(fd, MEM_PAGE_BYTES), 0);
    start(&h, TRANSLATED);
    ck_assert_int_eq(memory_map_file(&h.mem, DATA, MEM_PAGE_BYTES, MEM_R | MEM_W | MEM_SHARED, fd, 0), ST_OK);
    put_endless(&h, 0x00150513);
    ck_assert_int_eq(rv_run(&h, 300000), RV_TRAP_LIMIT);
    if (HOST_TRANSLATES)
        ck_assert_uint_gt(executed_translated(&h), 290000);
    ck_assert_int_eq(ftruncate(fd, 0), 0);
    ck_assert_int_eq(rv_run(&h, 300000), RV_TRAP_BUS);
    ck_assert_uint_eq(h.pc, CODE + 4);
    ck_assert_uint_eq(h.fault_addr, DATA);
    ck_assert_uint_eq(h.instret, 300001);
    ck_assert_uint_eq(h.reg[10], 100001);
    ck_assert_int_eq(ftruncate(fd, MEM_PAGE_BYTES), 0);
    ck_assert_int_eq(rv_run(&h, 300000), RV_TRAP_LIMIT);
    ck_assert_uint_eq(h.reg[10], 200001);
    close(fd);
    hart_fini(&h);
}
END_TEST

/* A loop of more instructions than there is memory for. */
START_TEST(memory_is_full)
{
    enum { INSTS = 1 << 18, FAR = 0x1000000, PASSES_FULL = COLD_TIMES + 5 };
    struct hart h;
    start(&h, TRANSLATED);
    ck_assert_int_eq(memory_map(&h.mem, FAR, (INSTS + 1024) * 4, MEM_R | MEM_X), ST_OK);
    uint32_t *code = (uint32_t *)(void *)memory_at(&h.mem, FAR);
    for (int i = 0; i < INSTS; i++)
        code[i] = 0x00150513; /* addi a0, a0, 1 */
    code[INSTS] = 0x00008067; /* ret */
    h.reg[LOOP_RA] = FAR;
    h.pc = FAR;
    ck_assert_int_eq(rv_run(&h, PASSES_FULL * (INSTS + 1)), RV_TRAP_LIMIT);
    ck_assert_uint_eq(h.reg[10], PASSES_FULL * INSTS);
    ck_assert_uint_eq(h.pc, FAR);
    if (HOST_TRANSLATES)
        ck_assert_uint_gt(h.code->translation->emptied, 2);
    hart_fini(&h);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("translation");
    TCase *tc = tcase_create("translation");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, random_loops, 0, PROGRAMS);
    tcase_add_loop_test(tc, places_to_stop_at, 0, PROGRAMS);
    tcase_add_test(tc, budgets_are_exact);
    tcase_add_test(tc, code_is_replaced);
    tcase_add_test(tc, code_is_flushed);
    tcase_add_test(tc, permissions_end);
    tcase_add_test(tc, file_is_cut);
    tcase_add_test(tc, memory_is_full);
    suite_add_tcase(s, tc);
    return run_suite(s);
}
