/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The static schedule: random straight-line blocks take as many cycles per round on the in-order core as their
 * schedule says, instruction by instruction; directed blocks have the causes and culprits computed by hand. */
#include "base/random.h"
#include "core-model/schedule/schedule.h"
#include "tests/unit/pipe_guest.h"
#include "tests/unit/suite.h"

enum { BLOCK_MIN = 20, BLOCK_MAX = 44, ROUNDS = 12, STEADY = 6, BLOCKS_TRIED = 40, WARM = 128 };

/* The shape of the DCPI paper's machine, with every access a hit. */
static struct core_config machine(unsigned variant)
{
    struct core_config cfg = plain_config(INORDER);
    cfg.commit_width = variant % 3 == 2 ? 4 : 2;
    cfg.alu_units = 2;
    cfg.branch_units = cfg.fadd_units = cfg.fmul_units = 1;
    cfg.mem_ports = 2;
    cfg.load_units = 2;
    cfg.store_units = variant % 2 + 1;
    cfg.store_queue = 64;
    cfg.store_drain = 8;
    cfg.mul_cycles = 8;
    cfg.mul_pipelined = variant % 5 != 1;
    cfg.l1d_cycles = 1 + variant % 2;
    cfg.fetch_width = 16;
    cfg.fetch_block_bytes = 64;
    cfg.fetch_buffer = 64;
    cfg.perfect_caches = 1;
    cfg.predictor = 3;
    return cfg;
}

static void fadd_d(struct program *p, int rd, int a, int b)
{
    emit(p, 0x02000053 | (uint32_t)rd << 7 | 7u << 12 | (uint32_t)a << 15 | (uint32_t)b << 20);
}
static void fdiv_d(struct program *p, int rd, int a, int b)
{
    emit(p, 0x1a000053 | (uint32_t)rd << 7 | 7u << 12 | (uint32_t)a << 15 | (uint32_t)b << 20);
}

/* Loads and stores use pages of their own, so no load waits for a store's entry of the write buffer. */
static void random_insn(struct program *p, struct random *r)
{
    static const int reg[] = {T1, T2, T3, T4, T5, T6, A1, A2};
    int d = reg[random_below(r, 8)], a = reg[random_below(r, 8)], b = reg[random_below(r, 8)];
    switch (random_below(r, 10)) {
    case 0:
    case 1:
        ld(p, d, S2, (int)random_below(r, 64) * 8);
        break;
    case 2:
    case 3:
        sd(p, a, S3, (int)random_below(r, 4) * 8);
        break;
    case 4:
        mul(p, d, a, b);
        break;
    case 5:
        fadd_d(p, (int)random_below(r, 6), (int)random_below(r, 6), (int)random_below(r, 6));
        break;
    case 6:
        if (random_below(r, 8) == 0)
            fdiv_d(p, (int)random_below(r, 6), (int)random_below(r, 6), (int)random_below(r, 6));
        else
            add(p, d, a, b);
        break;
    default:
        add(p, d, a, b);
        break;
    }
}

/* A loop around a random block; *top and *end are its words. */
static const struct program *random_loop(uint64_t seed, uint32_t *top, uint32_t *end)
{
    struct random r = {seed};
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    lui(p, S3, DATA_START + 0x10000);
    addi(p, T0, ZERO, ROUNDS);
    *top = p->count;
    uint32_t n = BLOCK_MIN + (uint32_t)random_below(&r, BLOCK_MAX - BLOCK_MIN);
    for (uint32_t i = 0; i < n; i++)
        random_insn(p, &r);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, *top);
    *end = p->count;
    exit_with(p, ZERO);
    return p;
}

/* Schedules the block after STEADY rounds of itself. */
static void schedule_rounds(struct core_schedule *s, uint32_t top, uint32_t end, struct schedule_row *out)
{
    struct code_schedule i = core_schedule_interface(s);
    uint32_t n = end - top;
    uint64_t *pc = xcalloc((size_t)n * STEADY, sizeof *pc);
    struct schedule_row *row = xcalloc((size_t)n * STEADY, sizeof *row);
    for (uint32_t k = 0; k < n * STEADY; k++)
        pc[k] = CODE_START + (top + k % n) * 4;
    ck_assert(i.code(i.ctx, pc, n * STEADY, row));
    memcpy(out, row + (size_t)n * (STEADY - 1), n * sizeof *out);
    free(row);
    free(pc);
}

START_TEST(core_takes_the_scheduled_cycles)
{
    struct core_config cfg = machine((unsigned)_i);
    uint32_t top, end;
    const struct program *p = random_loop(1000 + (uint64_t)_i, &top, &end);
    struct run *r = run_program(p, &cfg);
    struct core_schedule *s = core_schedule_new(&cfg, rv_decode_in_hart, &r->guest.hart);
    struct schedule_row row[BLOCK_MAX + 2];
    schedule_rounds(s, top, end, row);
    double sum = 0;
    for (uint32_t w = top; w < end; w++) {
        const struct life *now = life_at(r, w, ROUNDS - 2);
        const struct life *before = w > top ? life_at(r, w - 1, ROUNDS - 2) : life_at(r, end - 1, ROUNDS - 3);
        ck_assert_double_eq((double)(now->at[PROBE_ISSUED] - before->at[PROBE_ISSUED]), row[w - top].cycles);
        sum += row[w - top].cycles;
    }
    const struct life *a = life_at(r, top, ROUNDS - 3), *b = life_at(r, top, ROUNDS - 2);
    ck_assert_double_eq((double)(b->at[PROBE_ISSUED] - a->at[PROBE_ISSUED]), sum);
    core_schedule_free(s);
    run_free(r);
}
END_TEST

/* Slots are neither lost nor counted twice. */
START_TEST(slots_add_up)
{
    struct core_config cfg = machine((unsigned)_i);
    uint32_t top, end;
    struct run *r = run_program(random_loop(7000 + (uint64_t)_i, &top, &end), &cfg);
    struct core_schedule *s = core_schedule_new(&cfg, rv_decode_in_hart, &r->guest.hart);
    struct code_schedule i = core_schedule_interface(s);
    struct schedule_row row[BLOCK_MAX + 2];
    uint64_t pc[BLOCK_MAX + 2];
    for (uint32_t w = top; w < end; w++)
        pc[w - top] = CODE_START + w * 4;
    ck_assert(i.code(i.ctx, pc, end - top, row));
    uint32_t slot_before = cfg.commit_width - 1;
    for (uint32_t n = 0; n < end - top; n++) {
        uint32_t lost = 0;
        for (int c = 0; c < STATIC_STALLS; c++)
            lost += row[n].lost[c];
        ck_assert_double_eq(lost + slot_before + 1, row[n].cycles * cfg.commit_width + row[n].slot);
        ck_assert(row[n].cycles > 0 || row[n].slot == slot_before + 1);
        slot_before = row[n].slot;
    }
    core_schedule_free(s);
    run_free(r);
}
END_TEST

static const uint32_t *words;
static bool decode_word(void *ctx, uint64_t pc, struct rv_insn *out)
{
    return pc < (size_t)(uintptr_t)ctx * 4 && rv_decode(words[pc / 4], out);
}

/* The block of the DCPI paper's Figure 2 in RISC-V. */
START_TEST(copy_loop)
{
    struct core_config cfg = machine(0);
    cfg.l1d_cycles = 1;
    struct program *p = program_begin();
    ld(p, T4, T1, 0);
    addi(p, T0, T0, 4);
    ld(p, T5, T1, 8);
    ld(p, T6, T1, 16);
    ld(p, A0, T1, 24);
    addi(p, T1, T1, 32);
    sd(p, T4, T2, 0);
    addi(p, A1, T0, 1);
    sd(p, T5, T2, 8);
    sd(p, T6, T2, 16);
    sd(p, A0, T2, 24);
    addi(p, T2, T2, 32);
    branch(p, 1, T4, ZERO, 0);
    static const uint32_t best[] = {1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1};
    words = p->word;
    struct core_schedule *s = core_schedule_new(&cfg, decode_word, (void *)(uintptr_t)p->count);
    struct code_schedule i = core_schedule_interface(s);
    struct schedule_row row[13];
    uint64_t pc[14];
    for (uint64_t n = 0; n < 14; n++)
        pc[n] = 4 * n;
    ck_assert(i.code(i.ctx, pc, 13, row));
    for (int n = 0; n < 13; n++)
        ck_assert_msg(row[n].cycles == best[n], "M of instruction %d is %g", n, row[n].cycles);
    /* The second of two stores waits for a slot. */
    ck_assert_uint_eq(row[9].lost[STATIC_SLOTTING], 1);
    ck_assert_int_eq(row[9].culprit, -1);
    ck_assert(!i.code(i.ctx, pc, 14, row)); /* there is no instruction 13 */
    core_schedule_free(s);
}
END_TEST

START_TEST(causes)
{
    struct core_config cfg = machine(0);
    struct program *p = program_begin();
    mul(p, T1, T2, T3);    /* 0 */
    addi(p, A0, ZERO, 1);  /* 1: beside it */
    add(p, T4, A0, T1);    /* 2: the second operand after 8 cycles */
    addi(p, T1, T4, 0);    /* 3: the first operand */
    mul(p, T5, T2, T3);    /* 4 */
    addi(p, T5, ZERO, 3);  /* 5: results in order */
    fdiv_d(p, 1, 2, 3);    /* 6 */
    fdiv_d(p, 4, 2, 3);    /* 7: the unit is busy */
    amoadd(p, T6, T2, S2); /* 8: alone */
    addi(p, A1, ZERO, 1);  /* 9 */
    words = p->word;
    struct core_schedule *s = core_schedule_new(&cfg, decode_word, (void *)(uintptr_t)p->count);
    struct code_schedule i = core_schedule_interface(s);
    struct schedule_row row[10];
    uint64_t pc[10];
    for (uint64_t n = 0; n < 10; n++)
        pc[n] = 4 * n;
    ck_assert(i.code(i.ctx, pc, 10, row));
    ck_assert_double_eq(row[2].cycles, cfg.mul_cycles);
    ck_assert(row[2].cause == STATIC_OPERAND_B && row[2].culprit == -2);
    ck_assert(row[3].cause == STATIC_OPERAND_A && row[3].culprit == -1 && row[3].cycles == 1);
    ck_assert(row[5].cause == STATIC_RESULT && row[5].culprit == -1 && row[5].cycles == cfg.mul_cycles - 1);
    ck_assert(row[7].cause == STATIC_UNIT && row[7].culprit == -1 && row[7].cycles == cfg.fdiv_cycles);
    ck_assert(row[8].cause == STATIC_UNIT && row[8].cycles == cfg.fdiv_cycles + 1);
    ck_assert(row[9].cause == STATIC_UNIT && row[9].culprit == -1);
    core_schedule_free(s);
}
END_TEST

/* Each instruction takes a slot of the narrowest stage, wherever the code before it begins. */
START_TEST(out_of_order_has_the_width_alone)
{
    struct core_config cfg = plain_config(OOO);
    cfg.fetch_width = _i == 0 ? cfg.commit_width : 1;
    struct program *p = program_begin();
    for (int n = 0; n < 6; n++)
        mul(p, T1, T1, T1);
    words = p->word;
    struct core_schedule *s = core_schedule_new(&cfg, decode_word, (void *)(uintptr_t)p->count);
    struct code_schedule i = core_schedule_interface(s);
    struct schedule_row row[6];
    ck_assert(i.machine.at_commit && i.machine.width == cfg.commit_width);
    ck_assert(i.code(i.ctx, (const uint64_t[]){0, 4, 8, 12, 16, 20}, 6, row));
    for (uint32_t n = 0; n < 6; n++)
        ck_assert_double_eq(row[n].cycles, 1.0 / cfg.fetch_width);
    core_schedule_free(s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("schedule");
    TCase *t = tcase_create("schedule");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, core_takes_the_scheduled_cycles, 0, BLOCKS_TRIED);
    tcase_add_loop_test(t, slots_add_up, 0, 6);
    tcase_add_test(t, copy_loop);
    tcase_add_test(t, causes);
    tcase_add_loop_test(t, out_of_order_has_the_width_alone, 0, 2);
    suite_add_tcase(s, t);
    return run_suite(s);
}
