/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The warmed state of a core in a checkpoint: a new core with it goes on as the core that was warmed does, what is
 * configured otherwise stays empty, and a damaged state is refused. */
#include "core-model/checkpoint/stream.h"
#include "core-model/engine.h"
#include "core-model/stats.h"

#include "tests/unit/small_structures.h"
#include "tests/unit/warm_bench.h"

enum { WARMED = 40000, MEASURED = 5000 };

static struct core_config small_config(int core, uint32_t predictor)
{
    struct core_config c = config_of(core);
    c.predictor = predictor;
    make_structures_small(&c);
    return c;
}

static void warm_bench_warm(struct bench *b, const struct core_config *config, uint64_t seed)
{
    warm_bench_open(b, seed, config, true);
    ck_assert_int_eq(core_warm(b->core, WARMED, NULL), RV_TRAP_LIMIT);
}

static struct checkpoint_stream write_warmed_state(struct core *c)
{
    char *cold;
    struct checkpoint_stream s = {0};
    core_move_warmed(c, &s, &cold);
    ck_assert(!s.failed && s.size != 0);
    ck_assert_ptr_null(cold);
    return s;
}

/* Another core, for the guest of the bench; takes the state. */
static struct checkpoint_stream renew_core(struct bench *b, const struct core_config *config,
                                           const struct checkpoint_stream *written, char **cold)
{
    struct checkpoint_stream s = checkpoint_stream_of(written->byte, written->size);
    core_free(b->core);
    b->core = core_new(config, &b->guest);
    core_move_warmed(b->core, &s, cold);
    return s;
}

/* _i: a core and a predictor. Warming goes on with the new core before it runs, too. */
START_TEST(new_core_goes_on)
{
    const struct core_config config = small_config(_i % 2, (uint32_t)_i / 2);
    struct bench kept, renewed;
    char *cold;
    warm_bench_warm(&kept, &config, (uint64_t)_i);
    warm_bench_warm(&renewed, &config, (uint64_t)_i);
    struct checkpoint_stream written = write_warmed_state(renewed.core);
    const struct checkpoint_stream s = renew_core(&renewed, &config, &written, &cold);
    ck_assert_msg(!s.failed, "%s", s.why.text);
    ck_assert_uint_eq(s.at, s.size);
    ck_assert_ptr_null(cold);
    struct checkpoint_stream again = write_warmed_state(renewed.core);
    ck_assert_uint_eq(again.size, written.size);
    ck_assert_mem_eq(again.byte, written.byte, written.size);
    ck_assert_int_eq(core_warm(kept.core, MEASURED, NULL), core_warm(renewed.core, MEASURED, NULL));
    ck_assert_int_eq(core_run(kept.core, MEASURED), core_run(renewed.core, MEASURED));
    const struct core_stats x = core_statistics(kept.core), y = core_statistics(renewed.core);
    ck_assert_uint_ge(x.retired, MEASURED);
    ck_assert_mem_eq(&x, &y, sizeof x);
    checkpoint_stream_free(&written);
    checkpoint_stream_free(&again);
    bench_close(&kept);
    bench_close(&renewed);
}
END_TEST

/* What is configured otherwise, and the structures that are cold then. */
static const struct {
    const char *assignment, *cold;
} otherwise[] = {
    {"l1i_bytes=1024", "L1I (l1i_bytes=1024, warmed with 512)"},
    {"l1d_ways=2", "L1D (l1d_ways=2, warmed with 4)"},
    {"l1d_next_line=no", "L1D (l1d_next_line=no, warmed with yes)"},
    {"l2_ways=2", "L2 (l2_ways=2, warmed with 4)"},
    {"llc_ways=2", "LLC (llc_ways=2, warmed with 4)"},
    {"llc_bytes=0", NULL},
    {"dram_banks=4", "DRAM rows (dram_banks=4, warmed with 2)"},
    {"dram_row_bytes=0", NULL},
    {"itlb_entries=8", "ITLB (itlb_entries=8, warmed with 4)"},
    {"dtlb_entries=8", "DTLB (dtlb_entries=8, warmed with 4)"},
    {"l2tlb_entries=16", "L2 TLB (l2tlb_entries=16, warmed with 8)"},
    {"tage_entries=128", "TAGE (tage_entries=128, warmed with 64)"},
    {"predictor=tournament", "tournament (predictor=tournament, warmed with tage)"},
    {"predictor=perfect", NULL},
    {"btb_ways=2", "BTB (btb_ways=2, warmed with 4)"},
    {"indirect_entries=8", "ITTAGE (indirect_entries=8, warmed with 4)"},
    {"indirect_target_bits=5", "ITTAGE (indirect_target_bits=5, warmed with 4), branch history "
                               "(indirect_target_bits=5, warmed with 4)"},
    {"ras_entries=8", "RAS (ras_entries=8, warmed with 4)"},
    {"page_placement=random", "L2 (page_placement=random, warmed with identity), LLC (page_placement=random, warmed "
                              "with identity), DRAM rows (page_placement=random, warmed with identity)"},
    {"perfect_caches=yes", NULL},
    {"rob_entries=16", NULL},
};

/* _i: a row of the table. */
START_TEST(another_configuration_is_cold)
{
    struct core_config config = small_config(OOO, 0);
    struct bench b;
    struct errmsg err;
    char *cold;
    warm_bench_warm(&b, &config, 1);
    struct checkpoint_stream written = write_warmed_state(b.core);
    ck_assert_msg(core_config_set(&config, otherwise[_i].assignment, &err) == ST_OK, "%s", err.text);
    const struct checkpoint_stream s = renew_core(&b, &config, &written, &cold);
    ck_assert_msg(!s.failed, "%s", s.why.text);
    ck_assert_uint_eq(s.at, s.size);
    if (otherwise[_i].cold == NULL)
        ck_assert_msg(cold == NULL, "%s: '%s'", otherwise[_i].assignment, cold);
    else
        ck_assert_str_eq(cold, otherwise[_i].cold);
    ck_assert_int_eq(core_run(b.core, MEASURED), RV_TRAP_LIMIT);
    free(cold);
    checkpoint_stream_free(&written);
    bench_close(&b);
}
END_TEST

/* _i: a predictor. Each number of the state is changed in one of its bytes: the state is refused with a message, or is
 * that of a core. A state that is cut is refused. */
START_TEST(damaged_state_is_refused)
{
    const struct core_config config = small_config(OOO, (uint32_t)_i);
    struct bench b;
    char *cold;
    unsigned refused = 0;
    warm_bench_warm(&b, &config, 1);
    struct checkpoint_stream written = write_warmed_state(b.core), cut = written;
    for (size_t at = 0; at < written.size; at += 8) {
        uint8_t *byte = &written.byte[at + at / 8 % 8];
        *byte ^= 0x81;
        const struct checkpoint_stream s = renew_core(&b, &config, &written, &cold);
        ck_assert(s.failed || s.at == s.size);
        ck_assert(!s.failed || strstr(s.why.text, "expected") != NULL || strstr(s.why.text, "found") != NULL);
        refused += s.failed;
        free(cold);
        *byte ^= 0x81;
    }
    ck_assert_uint_gt(refused, written.size / 8 / 4);
    for (cut.size = 0; cut.size < written.size; cut.size += 97) {
        const struct checkpoint_stream s = renew_core(&b, &config, &cut, &cold);
        ck_assert(s.failed);
        free(cold);
    }
    checkpoint_stream_free(&written);
    bench_close(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("warm state");
    TCase *tc = tcase_create("warm state");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, new_core_goes_on, 0, 8);
    tcase_add_loop_test(tc, another_configuration_is_cold, 0, sizeof otherwise / sizeof otherwise[0]);
    tcase_add_loop_test(tc, damaged_state_is_refused, 0, 3);
    suite_add_tcase(s, tc);
    return run_suite(s);
}
