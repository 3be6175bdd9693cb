/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The front end's limits and what the statistics say about every cycle: the fetch target queue, and why fetch did nothing. */
#include "tests/unit/test_pipe_guest.h"

enum { LOOPS = 50, JUMPS = 64 };

static struct core_config boom(void)
{
    struct core_config cfg;
    core_config_default(&cfg);
    return cfg;
}

/* Each jump goes over a word, so each is a fetch packet. */
static void emit_jumps(struct program *p, int count)
{
    for (int i = 0; i < count; i++) {
        jal(p, ZERO, p->count + 2);
        emit(p, 0);
    }
}

static struct run *run_jumps(const struct core_config *cfg, int loops)
{
    struct program *p = calloc(1, sizeof *p);
    addi(p, T0, ZERO, loops);
    uint32_t top = p->count;
    addi(p, T0, T0, -1); /* comes with the first jump */
    emit_jumps(p, JUMPS);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, ZERO);
    struct run *r = run_program(p, cfg, true);
    free(p);
    return r;
}

static uint64_t slope_of_jumps(const struct core_config *cfg)
{
    uint64_t cycles[2];
    for (int n = 0; n < 2; n++) {
        struct run *r = run_jumps(cfg, (n + 1) * LOOPS);
        cycles[n] = core_cycle(r->core);
        run_free(r);
    }
    return cycles[1] - cycles[0];
}

/* A jump holds its entry from fetch to retirement: front end, issue, execution, completion, one after the other. */
START_TEST(targets_limit_a_line_of_jumps)
{
    struct core_config cfg = boom();
    const uint32_t life = cfg.frontend_cycles + 1 + cfg.branch_cycles + 1, packets = JUMPS + 1;
    ck_assert_uint_eq(slope_of_jumps(&cfg), LOOPS * packets); /* one taken branch in a cycle */
    cfg.ftq_entries = 1;
    ck_assert_uint_eq(slope_of_jumps(&cfg), LOOPS * packets * life);
    cfg.ftq_entries = 5;
    ck_assert_uint_eq(slope_of_jumps(&cfg), LOOPS * packets * life / 5);
    struct run *r = run_jumps(&cfg, LOOPS);
    ck_assert_double_ge(stat_of(r->core, "full_ftq"), (LOOPS - 1) * packets * (life - 5.0) / 5); /* the first round waits for memory */
    run_free(r);
}
END_TEST

/* Behind a load from memory, in a reorder buffer with room for all, exactly that many packets are in flight. */
START_TEST(targets_fill_to_the_last_entry)
{
    static const uint32_t sizes[] = {1, 2, 7, 40, 100};
    struct core_config cfg = boom();
    cfg.ftq_entries = sizes[_i];
    cfg.rob_entries = 512;
    cfg.fetch_buffer = 256;
    cfg.dram_cycles = 2000;
    struct program *p = calloc(1, sizeof *p);
    lui(p, S2, DATA_START);
    addi(p, T0, ZERO, 2); /* the first round brings the code into the caches */
    jal(p, ZERO, 8);
    while (p->count < 8)
        emit(p, 0);
    uint32_t at = p->count;
    ld(p, T1, S2, 0);
    emit_jumps(p, 200);
    addi(p, S2, S2, 2047);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, at);
    exit_with(p, ZERO);
    struct run *r = run_program(p, &cfg, true);
    const struct life *load = life_at(r, at, 1);
    ck_assert_ptr_nonnull(load);
    uint64_t packets = 0, last = 0;
    for (uint64_t s = (uint64_t)(load - r->trace.life); s <= r->trace.last_seq; s++) {
        uint64_t fetched = r->trace.life[s].at[PROBE_FETCHED];
        if (fetched < load->at[PROBE_RETIRED] && fetched != last)
            packets++;
        last = fetched;
    }
    ck_assert_uint_eq(packets, cfg.ftq_entries);
    run_free(r);
    free(p);
}
END_TEST

/* Every cycle counts once; those of fetch are the cycles in which an instruction was fetched, whether it retired or not. */
START_TEST(fetch_cycles_add_up)
{
    static const char *const parts[] = {"fetch_active", "fetch_icache", "fetch_itlb", "fetch_buffer_full", "full_ftq", "fetch_redirect",
                                        "fetch_btb", "fetch_serial"};
    struct core_config cfg = boom();
    cfg.core = (uint32_t)_i & 1;
    cfg.ftq_entries = _i & 2 ? 3 : 40;
    struct program *p = calloc(1, sizeof *p);
    lui(p, S2, DATA_START);
    addi(p, T0, ZERO, 60);
    uint32_t top = p->count;
    ld(p, T1, S2, 0);
    emit_jumps(p, 5);
    rdcycle(p, T2);
    andi(p, T2, T2, 1);
    branch(p, 1, T2, ZERO, p->count + 3); /* nobody can foretell it */
    amoadd(p, T3, T0, S2);
    fsflags(p, ZERO);
    for (int i = 0; i < 40; i++)
        mul(p, T4, T4, T1);
    addi(p, S2, S2, 1032);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, ZERO);
    struct run *r = run_program(p, &cfg, true);
    double sum = 0;
    for (size_t n = 0; n < sizeof parts / sizeof parts[0]; n++)
        sum += stat_of(r->core, parts[n]);
    ck_assert_double_eq(sum, (double)core_cycle(r->core));
    uint64_t with_fetch = 0;
    for (uint64_t s = 1; s <= r->trace.last_seq; s++)
        with_fetch += s == 1 || r->trace.life[s].at[PROBE_FETCHED] != r->trace.life[s - 1].at[PROBE_FETCHED];
    ck_assert_double_eq(stat_of(r->core, "fetch_active"), (double)with_fetch);
    ck_assert_double_gt(stat_of(r->core, "fetch_icache"), cfg.dram_cycles); /* the first line comes from memory */
    ck_assert_double_ge(stat_of(r->core, "fetch_itlb"), cfg.walk_cycles);
    ck_assert_double_ge(stat_of(r->core, "fetch_btb"), 5 * cfg.btb_miss_cycles);
    ck_assert_double_gt(stat_of(r->core, "fetch_serial"), 60);
    ck_assert_double_gt(stat_of(r->core, "fetch_redirect"), 60); /* fsflags alone flushes that often */
    run_free(r);
    free(p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("front");
    TCase *t = tcase_create("front");
    tcase_add_test(t, targets_limit_a_line_of_jumps);
    tcase_add_loop_test(t, targets_fill_to_the_last_entry, 0, 5);
    tcase_add_loop_test(t, fetch_cycles_add_up, 0, 4);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    SRunner *run = srunner_create(s);
    srunner_run_all(run, CK_ENV);
    int failed = srunner_ntests_failed(run);
    srunner_free(run);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
