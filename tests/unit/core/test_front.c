/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The front end's limits and what the statistics say about every cycle: the fetch target queue, and why fetch did
 * nothing. */
#include "tests/unit/pipe_guest.h"

#include "tests/unit/suite.h"
#include <math.h>

enum { LOOPS = 50, JUMPS = 64 };

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
    struct program *p = program_begin();
    addi(p, T0, ZERO, loops);
    uint32_t top = p->count;
    addi(p, T0, T0, -1); /* comes with the first jump */
    emit_jumps(p, JUMPS);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, ZERO);
    struct run *r = run_program(p, cfg);
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
    struct core_config cfg = plain_config(OOO);
    const uint32_t life = cfg.frontend_cycles + 1 + cfg.branch_cycles + 1, packets = JUMPS + 1;
    ck_assert_uint_eq(slope_of_jumps(&cfg), LOOPS * packets); /* one taken branch in a cycle */
    cfg.ftq_entries = 1;
    ck_assert_uint_eq(slope_of_jumps(&cfg), LOOPS * packets * life);
    cfg.ftq_entries = 5;
    ck_assert_uint_eq(slope_of_jumps(&cfg), LOOPS * packets * life / 5);
    struct run *r = run_jumps(&cfg, LOOPS);
    ck_assert_double_ge(stat_of(r->core, "full_ftq"),
                        (LOOPS - 1) * packets * (life - 5.0) / 5); /* the first round waits for memory */
    run_free(r);
}
END_TEST

/* Behind a load from memory, in a reorder buffer with room for all, exactly that many packets are in flight. */
START_TEST(targets_fill_to_the_last_entry)
{
    static const uint32_t sizes[] = {1, 2, 7, 40, 100};
    struct core_config cfg = plain_config(OOO);
    cfg.ftq_entries = sizes[_i];
    cfg.rob_entries = 512;
    cfg.fetch_buffer = 256;
    cfg.dram_cycles = 2000;
    struct program *p = program_begin();
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
    struct run *r = run_program(p, &cfg);
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
}
END_TEST

/* Every cycle counts once; those of fetch are the cycles in which an instruction was fetched, whether it retired or
 * not. */
START_TEST(fetch_cycles_add_up)
{
    static const char *const parts[] = {"fetch_active", "fetch_icache",   "fetch_itlb", "fetch_buffer_full",
                                        "full_ftq",     "fetch_redirect", "fetch_btb",  "fetch_serial"};
    struct core_config cfg = plain_config(_i & 1);
    cfg.ftq_entries = _i & 2 ? 3 : 40;
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, T0, ZERO, 60);
    uint32_t top = p->count;
    ld(p, T1, S2, 0);
    emit_jumps(p, 5);
    rdcycle(p, T2);
    andi(p, T2, T2, 1);
    branch(p, 1, T2, ZERO, p->count + 2); /* unpredictable */
    amoadd(p, T3, T0, S2);
    fsflags(p, ZERO); /* in every round */
    for (int i = 0; i < 40; i++)
        mul(p, T4, T4, T1);
    addi(p, S2, S2, 1032);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, ZERO);
    struct run *r = run_program(p, &cfg);
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
}
END_TEST

/* Loads and stores that miss, dependent chains, branches that cannot be predicted, a serialising instruction: all
 * structures fill and empty, and there are stretches in which nothing happens. */
static const struct program *mixture(void)
{
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    lui(p, S1, DATA_START);
    addi(p, S3, ZERO, 1);
    addi(p, T0, ZERO, 150);
    uint32_t top = p->count;
    ld(p, T1, S2, 0);
    sd(p, T0, S2, 8);
    for (int i = 0; i < 12; i++)
        add(p, T2, T2, T1);
    mul(p, T3, T3, T0);
    srli(p, T4, T3, 1);
    xor_(p, T4, T4, T3);
    andi(p, T4, T4, 1);
    branch(p, 1, T4, ZERO, p->count + 3);
    ld(p, T1, S1, 64);
    div_(p, T3, T0, S3);
    addi(p, T3, T3, 3);
    amoadd(p, T5, T0, S1);
    addi(p, S2, S2, 1032);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, ZERO);
    return p;
}

static uint64_t end_of(const struct life *l)
{
    return l->at[PROBE_RETIRED] != 0 ? l->at[PROBE_RETIRED] : l->at[PROBE_SQUASHED];
}

/* The end of the stay that `stage` ends, unless a squash does. */
static uint64_t until(const struct life *l, enum probe_stage stage)
{
    return l->at[stage] != 0 ? l->at[stage] : end_of(l);
}

struct stays {
    uint64_t rob, fetch_buffer, targets, int_queue, mem_queue, loads, branches;
};

/* These sums from the stage cycles of every instruction. */
static struct stays stays_of(const struct run *r, const struct program *p)
{
    struct stays t = {0};
    uint64_t packet = 0, packet_end = 0;
    for (uint64_t s = 1; s <= r->trace.last_seq; s++) {
        const struct life *l = &r->trace.life[s];
        uint64_t at = (l->pc - CODE_START) / 4, mapped = l->at[PROBE_MAPPED];
        uint32_t opcode = at < p->count ? p->word[at] & 127 : 0;
        bool memory = opcode == 0x03 || opcode == 0x23 || opcode == 0x2f;
        t.fetch_buffer += until(l, PROBE_MAPPED) - l->at[PROBE_FETCHED];
        if (l->at[PROBE_FETCHED] != packet) {
            t.targets += packet_end - packet;
            packet = packet_end = l->at[PROBE_FETCHED];
        }
        if (end_of(l) > packet_end)
            packet_end = end_of(l);
        if (mapped == 0)
            continue;
        t.rob += end_of(l) - mapped;
        *(memory ? &t.mem_queue : &t.int_queue) += until(l, PROBE_ISSUED) - mapped;
        if (opcode == 0x03)
            t.loads += end_of(l) - mapped;
        if (opcode == 0x63)
            t.branches += until(l, PROBE_READY_TO_RETIRE) - mapped;
    }
    t.targets += packet_end - packet;
    return t;
}

START_TEST(occupancy_is_exact)
{
    struct core_config cfg = plain_config(OOO);
    if (_i == 1) {
        cfg.ftq_entries = 6;
        cfg.int_queue = 8;
        cfg.load_queue = 4;
    }
    const struct program *p = mixture();
    struct run *r = run_program(p, &cfg);
    ck_assert_uint_lt(r->trace.last_seq, TRACE_MAX);
    struct stays t = stays_of(r, p);
    const struct {
        const char *name;
        uint64_t sum;
    } expected[] = {
        {"occupancy_rob", t.rob},
        {"occupancy_fetch_buffer", t.fetch_buffer},
        {"occupancy_ftq", t.targets},
        {"occupancy_int_queue", t.int_queue},
        {"occupancy_mem_queue", t.mem_queue},
        {"occupancy_load_queue", t.loads},
        {"occupancy_branches", t.branches},
        {"occupancy_fp_queue", 0},
        {"occupancy_fp_registers", 32 * core_cycle(r->core)},
    };
    for (size_t n = 0; n < sizeof expected / sizeof expected[0]; n++) {
        double mean = (double)expected[n].sum / (double)core_cycle(r->core);
        ck_assert_msg(fabs(stat_of(r->core, expected[n].name) - mean) < 1e-6, "%s: %f, by the stages %f",
                      expected[n].name, stat_of(r->core, expected[n].name), mean);
    }
    ck_assert_double_gt(stat_of(r->core, "occupancy_l1d_mshrs"), 0.1);
    ck_assert_double_gt(stat_of(r->core, "occupancy_int_registers"), 32);
    run_free(r);
}
END_TEST

/* A store that misses leaves its queue when the cache has it, in the middle of a wait in which nothing else happens. */
START_TEST(store_stays_until_the_cache_has_it)
{
    struct core_config cfg = plain_config(OOO);
    cfg.dram_banks = 256;
    cfg.dram_line_cycles = 1;
    cfg.l1d_next_line = 0;
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    uint32_t at = p->count;
    sd(p, ZERO, S2, 0);
    ld(p, T1, S2, 1024);
    add(p, S2, S2, T1);
    ld(p, T1, S2, 1536);
    exit_with(p, ZERO);
    struct run *r = run_program(p, &cfg);
    const struct life *store = life_at(r, at, 0);
    uint64_t miss = cfg.l1d_cycles + cfg.l2_cycles + cfg.llc_cycles + cfg.dram_cycles + cfg.dram_line_cycles;
    double stay = (double)(store->at[PROBE_RETIRED] + miss - store->at[PROBE_MAPPED]);
    ck_assert_double_eq_tol(stat_of(r->core, "occupancy_store_queue") * (double)core_cycle(r->core), stay, 0.01);
    run_free(r);
}
END_TEST

START_TEST(slots_add_up)
{
    static const char *const first[] = {"topdown_retiring", "topdown_bad_speculation", "topdown_frontend_bound",
                                        "topdown_backend_bound"};
    struct core_config cfg = plain_config(_i);
    struct run *r = run_program(mixture(), &cfg);
    double sum = 0, back = stat_of(r->core, "topdown_memory_bound") + stat_of(r->core, "topdown_core_bound");
    for (int n = 0; n < 4; n++) {
        ck_assert_double_gt(stat_of(r->core, first[n]), 0);
        sum += stat_of(r->core, first[n]);
    }
    ck_assert_double_eq_tol(sum, 100, 1e-5);
    ck_assert_double_eq_tol(stat_of(r->core, "topdown_backend_bound"), back, 1e-5);
    ck_assert_double_eq(stat_of(r->core, "slots"),
                        (double)core_cycle(r->core) * (_i == 0 ? cfg.decode_width : cfg.commit_width));
    ck_assert_double_eq_tol(stat_of(r->core, "ipc"), (double)core_retired(r->core) / (double)core_cycle(r->core), 1e-6);
    run_free(r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("front");
    TCase *t = tcase_create("front");
    tcase_add_test(t, targets_limit_a_line_of_jumps);
    tcase_add_loop_test(t, targets_fill_to_the_last_entry, 0, 5);
    tcase_add_loop_test(t, fetch_cycles_add_up, 0, 4);
    tcase_add_loop_test(t, occupancy_is_exact, 0, 2);
    tcase_add_test(t, store_stays_until_the_cache_has_it);
    tcase_add_loop_test(t, slots_add_up, 0, 2);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    return run_suite(s);
}
