/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functional warming by translated code: random loops leave the same hart, caches, TLBs and predictors as by
 * interpretation, after any number of instructions. */
#include "core-model/engine.h"
#include "core-model/riscv/translate/host.h"
#include "core-model/riscv/translate/translation.h"

#include "tests/unit/same_hierarchy.h"
#include "tests/unit/warm_bench.h"

enum {
    INSTS = 150000,
    PROGRAMS = REPETITIONS(12),
};

static void same_hart(const struct hart *a, const struct hart *b)
{
    ck_assert_uint_eq(a->instret, b->instret);
    ck_assert_uint_eq(a->pc, b->pc);
    ck_assert_uint_eq(a->fcsr, b->fcsr);
    ck_assert_mem_eq(a->reg, b->reg, 64 * sizeof a->reg[0]);
    ck_assert_mem_eq(memory_at(&a->mem, DATA_START), memory_at(&b->mem, DATA_START), DATA_BYTES);
}

static void same_tage(const struct tage *a, const struct tage *b)
{
    ck_assert_mem_eq(a->base, b->base, a->base_mask + 1);
    for (int i = 0; i < TAGE_TABLES; i++)
        ck_assert_mem_eq(a->table[i], b->table[i], (a->index_mask + 1) * sizeof *a->table[i]);
    ck_assert_int_eq(a->use_alternate, b->use_alternate);
    ck_assert_uint_eq(a->trained, b->trained);
}

static void same_tournament(const struct tournament *a, const struct tournament *b)
{
    ck_assert_mem_eq(a->local_history, b->local_history, (a->history_mask + 1) * sizeof *a->local_history);
    ck_assert_mem_eq(a->global, b->global, a->global_mask + 1);
    ck_assert_mem_eq(a->choice, b->choice, a->global_mask + 1);
}

static void same_predictors(const struct bpred *a, const struct bpred *b)
{
    if (a->tournament)
        same_tournament(&a->tour, &b->tour);
    else
        same_tage(&a->tage, &b->tage);
    ck_assert_mem_eq(a->btb, b->btb, (a->btb_set_mask + 1) * a->btb_ways * sizeof *a->btb);
    for (int i = 0; i < ITTAGE_TABLES && a->ittage.table[i] != NULL; i++)
        ck_assert_mem_eq(a->ittage.table[i], b->ittage.table[i],
                         (a->ittage.index_mask + 1) * sizeof *a->ittage.table[i]);
    ck_assert_mem_eq(a->ras, b->ras, (a->ras_mask + 1) * sizeof *a->ras);
    ck_assert_uint_eq(a->ras_top, b->ras_top);
}

static void same_state(const struct bench *a, const struct bench *b)
{
    const struct engine_parts x = a->core->engine->parts(a->core->self), y = b->core->engine->parts(b->core->self);
    same_hart(&a->guest.hart, &b->guest.hart);
    same_hierarchy(x.mem, y.mem);
    same_predictors(x.bpred, y.bpred);
    ck_assert_uint_eq(x.history->branches, y.history->branches);
    ck_assert_uint_eq(x.history->path, y.history->path);
}

/* The predictors are TAGE, the tournament and the bimodal one, and a TAGE with indexes of 16 bits. The code has several
 * lines in each set of its cache, so their order of use shows which fetches were observed; in a cache of one set, the
 * prefetch of the next line may evict that of the last instruction. Lines are of several sizes. */
static struct core_config config_number(int i)
{
    static const uint32_t line_bytes[] = {64, 128, 16, 256, 32};
    struct core_config config = config_of(i % 2 == 0 ? OOO : INORDER);
    config.predictor = (uint32_t)i % 3;
    config.line_bytes = line_bytes[i % 5];
    config.l1i_bytes = (i % 4 == 3 ? 1 : 2) * config.l1i_ways * config.line_bytes;
    if (i % 12 >= 6)
        config.tage_entries = 65536;
    return config;
}

/* _i: of a program, and of a core. */
START_TEST(translated_warms_as_interpreted)
{
    struct bench interpreted, translated;
    const struct core_config config = config_number(_i);
    warm_bench_open(&interpreted, (uint64_t)_i + 1, &config, false);
    warm_bench_open(&translated, (uint64_t)_i + 1, &config, true);
    for (uint64_t budget = 1; translated.guest.hart.instret < INSTS; budget = budget * 3 % 3001) {
        ck_assert_int_eq(core_warm(interpreted.core, budget, NULL), RV_TRAP_LIMIT);
        ck_assert_int_eq(core_warm(translated.core, budget, NULL), RV_TRAP_LIMIT);
        same_state(&interpreted, &translated);
    }
    if (HOST_TRANSLATES)
        ck_assert_uint_lt(translated.guest.hart.code->translation->stepped, INSTS / 2);
    bench_close(&interpreted);
    bench_close(&translated);
}
END_TEST

/* for (;;) t0++, with the place to stop at after the addition; then translated code has no observer any more. */
START_TEST(stops_in_translated_code)
{
    const struct core_config config = config_of(OOO);
    const uint64_t place = CODE_START + 4;
    struct bench b;
    struct program *p = program_begin();
    addi(p, T0, T0, 1);
    addi(p, T1, T1, 1);
    emit(p, 0xff9ff06f); /* j .-8 */
    bench_open(&b, p, &config);
    struct hart *h = &b.guest.hart;
    rv_translate(h, WARM_BENCH_MEMORY, false);
    for (int i = 0; i < 300; i++)
        ck_assert_int_eq(core_warm(b.core, 1000, NULL), RV_TRAP_LIMIT);
    ck_assert_int_eq(core_warm(b.core, UINT64_MAX, &place), RV_TRAP_LIMIT);
    ck_assert_uint_eq(h->pc, place);
    ck_assert_uint_eq(h->reg[T0], 100001);
    ck_assert_int_eq(rv_run(h, 300000), RV_TRAP_LIMIT);
    ck_assert_ptr_null(h->watch);
    ck_assert_uint_eq(h->reg[T0], 200001);
    bench_close(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("warm");
    TCase *tc = tcase_create("warm");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, translated_warms_as_interpreted, 0, PROGRAMS);
    tcase_add_test(tc, stops_in_translated_code);
    suite_add_tcase(s, tc);
    return run_suite(s);
}
