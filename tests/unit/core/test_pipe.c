/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The out-of-order core: micro-programs whose cycle counts are computed by hand, the rules of the probe stream, and
 * random programs whose result must be that of the functional core. All runs check the core's invariants in every
 * cycle. */
#include "core-model/stats.h"
#include "tests/unit/pipe_loop.h"
#include "tests/unit/suite.h"

static void body_forward(struct program *p)
{
    for (int i = 0; i < 16; i++) {
        sd(p, T1, S2, 8);
        ld(p, T1, S2, 8);
    }
}
static void body_calls(struct program *p)
{
    uint32_t call = p->count;
    jal(p, RA, call + 2); /* over the function's two words below, which the second jump re-enters */
    jal(p, ZERO, call + 4);
    addi(p, T1, T1, 1);
    jalr(p, ZERO, RA);
}

START_TEST(chain_takes_its_length)
{
    struct core_config cfg = plain_config(OOO);
    ck_assert_uint_eq(slope(body_chain, &cfg), LOOPS * BODY);
}
END_TEST

START_TEST(independent_reach_commit_width)
{
    struct core_config cfg = plain_config(OOO);
    ck_assert_uint_eq(slope(body_independent, &cfg), LOOPS * BODY / 4);
    cfg.decode_width = cfg.commit_width = 2;
    ck_assert_uint_eq(slope(body_independent, &cfg), LOOPS * BODY / 2);
    cfg = plain_config(OOO);
    cfg.int_issue = 1;
    ck_assert_uint_eq(slope(body_independent, &cfg), LOOPS * BODY);
}
END_TEST

/* Store and load of the same word in a chain: the datum is in the queue a cycle after it is made, and is forwarded from
 * there. */
START_TEST(forwarding)
{
    struct core_config cfg = plain_config(OOO);
    ck_assert_uint_eq(slope(body_forward, &cfg), LOOPS * 16 * (1 + cfg.forward_cycles));
}
END_TEST

START_TEST(returns_are_predicted)
{
    struct core_config cfg = plain_config(OOO);
    struct run *r = run_program(looped(LOOPS, body_calls), &cfg);
    unsigned mispredicted = 0;
    for (uint64_t s = 1; s <= r->trace.last_seq; s++)
        mispredicted += r->trace.life[s].at[PROBE_RETIRED] != 0 && (r->trace.life[s].events & PROBE_MISPREDICTED);
    /* the loop's branch while it is learnt, and its exit */
    ck_assert_uint_le(mispredicted, 3);
    run_free(r);
}
END_TEST

START_TEST(mispredicted_branch)
{
    struct core_config cfg = plain_config(OOO);
    struct program *p = program_begin();
    addi(p, T1, ZERO, 1);
    uint32_t at = p->count;
    branch(p, 1, T1, ZERO, at + 6); /* taken; a cold predictor says it is not */
    for (int i = 0; i < 5; i++)
        addi(p, T2, T2, 1);
    addi(p, T2, T2, 2);
    exit_with(p, T2);
    struct run *r = run_program(p, &cfg);
    const struct life *b = life_at(r, at, 0), *next = life_at(r, at + 6, 0);
    ck_assert_ptr_nonnull(b);
    ck_assert_ptr_nonnull(next);
    ck_assert_ptr_null(life_at(r, at + 1, 0));
    ck_assert_uint_ne(b->events & PROBE_MISPREDICTED, 0);
    ck_assert_uint_ne(b->events & PROBE_TAKEN, 0);
    ck_assert_uint_eq(next->at[PROBE_ISSUED], next->at[PROBE_MAPPED] + 1);
    ck_assert_int_eq(r->guest.process->exit_status, 2);
    run_free(r);
}
END_TEST

/* A miss to memory costs the sum of the levels; a second load of the line gets its data with the first, and has its
 * misses. So has a load of the next line, which the first miss prefetches. */
START_TEST(miss_latency_and_merge)
{
    struct core_config cfg = plain_config(OOO);
    struct program *p = program_begin();
    cfg.l1d_next_line = 1;
    lui(p, S2, DATA_START);
    ld(p, T1, S2, 0);
    add(p, T2, T1, S2);
    uint32_t at = p->count;
    ld(p, T1, T2, 1024); /* the same page, another line, not the next one */
    ld(p, T3, T2, 1032); /* the same line: merges */
    ld(p, T4, T2, 1088); /* the next line: merges with its prefetch */
    exit_with(p, ZERO);
    struct run *r = run_program(p, &cfg);
    const struct life *l = life_at(r, at, 0), *m = life_at(r, at + 1, 0), *first = life_at(r, at - 2, 0);
    uint64_t miss = cfg.l1d_cycles + cfg.l2_cycles + cfg.llc_cycles + cfg.dram_cycles + cfg.dram_line_cycles;
    ck_assert_uint_eq(l->at[PROBE_LOAD_COMPLETED] - l->at[PROBE_ISSUED], cfg.load_cycles + miss);
    ck_assert_uint_eq(m->at[PROBE_LOAD_COMPLETED], l->at[PROBE_LOAD_COMPLETED]);
    for (uint32_t n = 0; n < 3; n++)
        ck_assert_uint_eq(life_at(r, at + n, 0)->events &
                              ~(uint32_t)(PROBE_ICACHE_MISS | PROBE_ITLB_MISS | PROBE_ITLB_WALK),
                          PROBE_DCACHE_MISS | PROBE_L2_MISS | PROBE_LLC_MISS);
    ck_assert_uint_eq(core_statistics(r->core).l1d_merged, 2);
    ck_assert_uint_ne(first->events & PROBE_DTLB_MISS, 0);
    ck_assert_uint_eq(first->at[PROBE_LOAD_COMPLETED] - first->at[PROBE_ISSUED],
                      cfg.load_cycles + cfg.l2tlb_cycles + cfg.walk_cycles + miss);
    run_free(r);
}
END_TEST

/* A load that overtakes a store to its address, known late, is fetched again; the next time it waits. */
START_TEST(ordering_violation)
{
    struct core_config cfg = plain_config(OOO);
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, S3, ZERO, 1);
    addi(p, T0, ZERO, 10);
    uint32_t top = p->count;
    div_(p, T1, S2, S3);
    addi(p, T2, T2, 1);
    sd(p, T2, T1, 0);
    uint32_t at = p->count;
    ld(p, T3, S2, 0);
    add(p, T4, T4, T3);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, T4);
    struct run *r = run_program(p, &cfg);
    ck_assert_int_eq(r->guest.process->exit_status, 55);
    ck_assert_uint_eq(r->trace.exceptions, 1);
    unsigned replayed = 0;
    for (uint64_t s = 1; s <= r->trace.last_seq; s++) {
        const struct life *l = &r->trace.life[s];
        if (!(l->events & PROBE_REPLAYED))
            continue;
        replayed++;
        ck_assert_uint_eq(l->pc, CODE_START + at * 4);
        ck_assert_int_eq(l->cause, PROBE_CAUSE_ORDERING);
    }
    ck_assert_uint_ge(replayed, 1); /* while the first one waits for memory, others behind it are found out */
    ck_assert_uint_ne(life_at(r, at, 9)->events & PROBE_FORWARDED, 0);
    run_free(r);
}
END_TEST

/* More stores to a word in flight than eight bits count, and a load of it: the filter in front of the queue has counted
 * them all. */
START_TEST(many_stores_to_a_word)
{
    enum { STORES = 256 };
    struct core_config cfg = plain_config(OOO);
    cfg.store_queue = cfg.mem_queue = cfg.rob_entries = cfg.ftq_entries = 512;
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, S3, ZERO, 1);
    addi(p, T0, ZERO, 2); /* in the second round the code is in the cache */
    uint32_t top = p->count;
    add(p, T1, S2, ZERO);
    for (int i = 0; i < 20; i++) /* none retires before these */
        div_(p, T1, T1, S3);
    for (int i = 0; i < STORES; i++)
        sd(p, S3, S2, 0);
    uint32_t at = p->count;
    ld(p, T2, T1, 0);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, T2);
    struct run *r = run_program(p, &cfg);
    ck_assert_uint_ne(life_at(r, at, 1)->events & PROBE_FORWARDED, 0);
    run_free(r);
}
END_TEST

/* A partly overlapping load waits until the store is in the cache. */
START_TEST(partial_overlap_waits)
{
    struct core_config cfg = plain_config(OOO);
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    ld(p, T1, S2, 0);
    add(p, S2, S2, T1);
    addi(p, T2, ZERO, 77);
    uint32_t at = p->count;
    sb(p, T2, S2, 3);
    ld(p, T3, S2, 0);
    srli(p, T3, T3, 24);
    exit_with(p, T3);
    struct run *r = run_program(p, &cfg);
    ck_assert_int_eq(r->guest.process->exit_status, 77);
    ck_assert_uint_gt(life_at(r, at + 1, 0)->at[PROBE_LOAD_COMPLETED], life_at(r, at, 0)->at[PROBE_RETIRED]);
    ck_assert_uint_eq(life_at(r, at + 1, 0)->events & PROBE_FORWARDED, 0);
    run_free(r);
}
END_TEST

/* A load waits for the datum of a store, which a division of `latency` cycles makes: the datum is in the queue in the
 * cycle after the division, and is forwarded from there. */
START_TEST(waits_for_a_datum)
{
    struct core_config cfg = plain_config(OOO);
    struct program *p = program_begin();
    cfg.div_cycles = 30;
    lui(p, S2, DATA_START);
    addi(p, S3, ZERO, 1);
    sd(p, S3, S2, 0); /* brings the page and the line in */
    rdcycle(p, ZERO);
    uint32_t at = p->count;
    div_(p, T1, S3, S3);
    sd(p, T1, S2, 0);
    ld(p, T2, S2, 0);
    exit_with(p, T2);
    struct run *r = run_program(p, &cfg);
    const struct life *division = life_at(r, at, 0), *load = life_at(r, at + 2, 0);
    ck_assert_int_eq(r->guest.process->exit_status, 1);
    ck_assert_uint_lt(load->at[PROBE_ISSUED], division->at[PROBE_READY_TO_RETIRE]);
    ck_assert_uint_eq(load->at[PROBE_LOAD_COMPLETED], division->at[PROBE_READY_TO_RETIRE] + 1 + cfg.forward_cycles);
    struct core_stats s = core_statistics(r->core);
    ck_assert_uint_eq(s.blocked_loads, 1);
    ck_assert_uint_eq(s.load_retries, 2); /* with the store's address, and with its datum */
    run_free(r);
}
END_TEST

/* A load that waits for a datum is not forwarded it before its translation is there. */
START_TEST(waits_for_its_translation)
{
    struct core_config cfg = plain_config(OOO);
    struct program *p = program_begin();
    cfg.div_cycles = 30;
    cfg.walk_cycles = 500;
    lui(p, S2, DATA_START);
    addi(p, S3, ZERO, 1);
    uint32_t at = p->count;
    div_(p, T1, S3, S3);
    sd(p, T1, S2, 0);
    ld(p, T2, S2, 0);
    exit_with(p, T2);
    struct run *r = run_program(p, &cfg);
    const struct life *load = life_at(r, at + 2, 0);
    ck_assert_uint_ge(load->at[PROBE_LOAD_COMPLETED], load->at[PROBE_ISSUED] + cfg.walk_cycles + cfg.forward_cycles);
    ck_assert_uint_ne(load->events & PROBE_FORWARDED, 0);
    run_free(r);
}
END_TEST

/* The store-wait table keeps the load for the address of a store; then the load waits for the datum: it counts once,
 * and retries twice. */
START_TEST(a_blocked_load_counts_once)
{
    enum { ROUNDS = 4 };
    struct core_config cfg = plain_config(OOO);
    struct program *p = program_begin();
    cfg.div_cycles = 30;
    lui(p, S2, DATA_START);
    addi(p, S3, ZERO, 1);
    addi(p, T0, ZERO, ROUNDS);
    uint32_t top = p->count;
    rdcycle(p, ZERO);
    div_(p, T1, S2, S3);
    div_(p, T3, S3, S3); /* behind the other: one divider */
    sd(p, T3, T1, 0);
    ld(p, T2, S2, 0);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, T2);
    struct run *r = run_program(p, &cfg);
    ck_assert_uint_eq(r->trace.exceptions, 1); /* in the first round */
    struct core_stats s = core_statistics(r->core);
    ck_assert_uint_eq(s.load_retries, 2 * s.blocked_loads);
    ck_assert_uint_ge(s.blocked_loads, ROUNDS - 1);
    ck_assert_uint_le(s.blocked_loads, ROUNDS);
    run_free(r);
}
END_TEST

START_TEST(faults_are_precise)
{
    struct core_config cfg = plain_config(OOO);
    struct program *p = program_begin();
    addi(p, T1, ZERO, 5);
    uint32_t at = p->count;
    ld(p, T2, ZERO, 8);
    addi(p, T1, T1, 1);
    exit_with(p, T1);
    struct run *r = run_program(p, &cfg);
    ck_assert_int_eq(r->guest.process->fatal_signal, 11);
    ck_assert_uint_eq(r->guest.hart.reg[T1], 5);
    ck_assert_uint_eq(r->guest.hart.pc, CODE_START + at * 4);
    ck_assert_uint_eq(core_retired(r->core), at);
    ck_assert_uint_eq(r->trace.exceptions, 1);
    run_free(r);

    /* This load on the wrong path of a mispredicted branch raises no fault. */
    p = program_begin();
    addi(p, T1, ZERO, 5);
    branch(p, 1, T1, ZERO, 4);
    ld(p, T2, ZERO, 8);
    emit(p, 0); /* nor is an illegal instruction */
    exit_with(p, T1);
    r = run_program(p, &cfg);
    ck_assert_int_eq(r->guest.process->fatal_signal, 0);
    ck_assert_int_eq(r->guest.process->exit_status, 5);
    run_free(r);
}
END_TEST

/* Counters are read when the instruction is alone; atomics and flag writes are serialised too. */
START_TEST(serialising)
{
    struct core_config cfg = plain_config(OOO);
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, S3, ZERO, 1);
    uint32_t at = p->count;
    rdcycle(p, T1);
    amoadd(p, T3, S3, S2);
    uint32_t flags = p->count;
    fsflags(p, ZERO);
    addi(p, T4, ZERO, 3);
    rdcycle(p, T2);
    ld(p, A0, S2, 0);
    addi(p, A7, ZERO, 93);
    emit(p, 0x73);
    struct run *r = run_program(p, &cfg);
    const struct life *first = life_at(r, at, 0), *second = life_at(r, flags + 2, 0);
    ck_assert_int_eq(r->guest.process->exit_status, 1);
    ck_assert_uint_eq(r->guest.hart.reg[T1], first->at[PROBE_MAPPED]);
    ck_assert_uint_eq(r->guest.hart.reg[T2], second->at[PROBE_MAPPED]);
    ck_assert_uint_gt(life_at(r, at + 1, 0)->at[PROBE_MAPPED], first->at[PROBE_RETIRED]);
    ck_assert_uint_eq(life_at(r, at + 1, 0)->events & PROBE_FLUSHES, 0);
    ck_assert_uint_ne(life_at(r, flags, 0)->events & PROBE_FLUSHES, 0);
    ck_assert_uint_gt(life_at(r, flags + 1, 0)->at[PROBE_FETCHED], life_at(r, flags, 0)->at[PROBE_RETIRED]);
    run_free(r);
}
END_TEST

static int random_below(uint64_t *state, int n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((*state >> 33) % (uint64_t)n);
}

enum { RANDOM_BLOCKS = 24, RANDOM_PER_BLOCK = 10, RANDOM_FIRST = 10, RANDOM_REGS = 16 };

static int random_reg(uint64_t *state) { return RANDOM_FIRST + random_below(state, RANDOM_REGS); }

/* One operation; S0 points to the data. */
static void random_operation(struct program *p, uint64_t *state)
{
    int rd = random_reg(state), a = random_reg(state), c = random_reg(state);
    switch (random_below(state, 10)) {
    case 0:
        add(p, rd, a, c);
        break;
    case 1:
        sub(p, rd, a, c);
        break;
    case 2:
        xor_(p, rd, a, c);
        break;
    case 3:
        mul(p, rd, a, c);
        break;
    case 4:
        div_(p, rd, a, c);
        break;
    case 5:
        srli(p, rd, a, random_below(state, 63));
        break;
    case 6: /* an address that is known late */
        andi(p, T1, a, 63);
        add(p, T1, T1, S0);
        store(p, (uint32_t)random_below(state, 4), c, T1, random_below(state, 16));
        break;
    case 7:
        sd(p, a, S0, random_below(state, 64));
        break;
    case 8:
        emit_i(p, 0x03, (uint32_t)random_below(state, 7), rd, S0, random_below(state, 72));
        break;
    default:
        andi(p, T1, a, 63);
        add(p, T1, T1, S0);
        lbu(p, rd, T1, random_below(state, 16));
    }
}

/* Leaves the block by data: to an older block, or over an instruction or not by a computed jump. */
static void random_leave(struct program *p, uint64_t *state, uint32_t to)
{
    int a = random_reg(state);
    if (random_below(state, 4) == 0) {
        andi(p, T2, a, 4);
        emit_i(p, 0x17, 0, RA, 0, 0); /* auipc ra, 0 */
        add(p, T2, T2, RA);
        emit_i(p, 0x67, 0, RA, T2, 16); /* jalr ra, 16(t2) */
        addi(p, a, a, 13);
        addi(p, a, a, 7);
    } else {
        andi(p, T2, a, 3);
        branch(p, 1, T2, ZERO, to);
    }
}

/* Arithmetic, loads and stores of all overlaps in a small window, data-dependent branches, indirect calls, long-latency
 * operations. It ends after 1500 blocks. */
static const struct program *random_program(unsigned seed)
{
    struct program *p = program_begin();
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    uint32_t block[RANDOM_BLOCKS];
    lui(p, S0, DATA_START);
    addi(p, S1, ZERO, 1500);
    for (int r = RANDOM_FIRST; r < RANDOM_FIRST + RANDOM_REGS; r++)
        addi(p, r, ZERO, random_below(&state, 4096) - 2048);
    for (int b = 0; b < RANDOM_BLOCKS; b++) {
        block[b] = p->count;
        addi(p, S1, S1, -1);
        emit(p, 0); /* to the end, when S1 is 0: filled in below */
        for (int n = 0; n < RANDOM_PER_BLOCK; n++)
            random_operation(p, &state);
        random_leave(p, &state, block[random_below(&state, b + 1)]);
    }
    jal(p, ZERO, block[random_below(&state, RANDOM_BLOCKS)]);
    for (int b = 0; b < RANDOM_BLOCKS; b++)
        p->word[block[b] + 1] = branch_word(0, S1, ZERO, ((int32_t)p->count - (int32_t)block[b] - 1) * 4);
    xor_(p, A0, A0, A1);
    andi(p, A0, A0, 255);
    exit_with(p, A0);
    return p;
}

static void same_as_functional(const struct program *p, const struct core_config *cfg)
{
    struct guest g = {0};
    guest_of(&g, p);
    ck_assert_int_eq(guest_run(&g, UINT64_MAX), RV_TRAP_NONE);
    struct run *r = run_program(p, cfg);
    ck_assert_uint_eq(core_retired(r->core), g.hart.instret);
    ck_assert_int_eq(r->guest.process->exit_status, g.process->exit_status);
    for (int n = 0; n < 64; n++)
        ck_assert_msg(r->guest.hart.reg[n] == g.hart.reg[n], "register %d: %#lx, functional %#lx", n,
                      (unsigned long)r->guest.hart.reg[n], (unsigned long)g.hart.reg[n]);
    ck_assert_uint_eq(r->guest.hart.fcsr, g.hart.fcsr);
    ck_assert_mem_eq(memory_at(&r->guest.hart.mem, DATA_START), memory_at(&g.hart.mem, DATA_START), 4096);
    run_free(r);
    guest_fini(&g);
}

static struct core_config small(void)
{
    struct core_config cfg = plain_config(OOO);
    cfg.rob_entries = 12;
    cfg.fetch_buffer = 4;
    cfg.fetch_width = cfg.decode_width = cfg.commit_width = 3;
    cfg.int_registers = cfg.fp_registers = 36;
    cfg.mem_queue = cfg.int_queue = cfg.fp_queue = 3;
    cfg.load_queue = cfg.store_queue = 2;
    cfg.max_branches = 1;
    cfg.ras_entries = 2;
    cfg.l1d_bytes = cfg.l1i_bytes = 1024;
    cfg.l1d_ways = cfg.l1i_ways = 1;
    cfg.dram_cycles = 3000; /* beyond the event wheel */
    return cfg;
}

START_TEST(random_as_functional)
{
    struct core_config cfg = _i % 3 == 1 ? small() : plain_config(OOO);
    struct errmsg err;
    if (_i % 3 == 2)
        ck_assert_msg(core_config_load("core-model/config/ev6.conf", &cfg, &err) == ST_OK, "%s", err.text);
    ck_assert_msg(core_config_check(&cfg, &err) == ST_OK, "%s", err.text);
    same_as_functional(random_program((unsigned)_i + 1), &cfg);
}
END_TEST

START_TEST(same_cycles_again)
{
    struct core_config cfg = plain_config(OOO);
    const struct program *p = random_program(99);
    uint64_t first = cycles_of(p, &cfg);
    ck_assert_uint_eq(cycles_of(p, &cfg), first);
    /* Watching changes nothing either. */
    struct bench b;
    bench_open(&b, p, &cfg);
    bench_finish(&b);
    ck_assert_uint_eq(core_cycle(b.core), first);
    bench_close(&b);
}
END_TEST

START_TEST(limit_and_stop)
{
    struct core_config cfg = plain_config(OOO);
    struct bench b;
    bench_open(&b, looped(50, body_chain), &cfg);
    ck_assert_int_eq(core_run(b.core, 101), RV_TRAP_LIMIT);
    ck_assert_uint_eq(core_retired(b.core), 101);
    core_check(b.core);
    b.guest.hart.stop = 1;
    ck_assert_int_eq(core_run(b.core, 10), RV_TRAP_STOP);
    b.guest.hart.stop = 0;
    bench_finish(&b);
    ck_assert_uint_eq(core_retired(b.core), 4 + 50 * (BODY + 2) + 3);
    bench_close(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("pipe");
    TCase *cycles = tcase_create("cycles"), *order = tcase_create("order"), *random = tcase_create("random");
    tcase_add_test(cycles, chain_takes_its_length);
    tcase_add_test(cycles, independent_reach_commit_width);
    tcase_add_test(cycles, forwarding);
    tcase_add_test(cycles, returns_are_predicted);
    tcase_add_test(cycles, mispredicted_branch);
    tcase_add_test(cycles, miss_latency_and_merge);
    tcase_add_test(order, ordering_violation);
    tcase_add_test(order, many_stores_to_a_word);
    tcase_add_test(order, partial_overlap_waits);
    tcase_add_test(order, waits_for_a_datum);
    tcase_add_test(order, waits_for_its_translation);
    tcase_add_test(order, a_blocked_load_counts_once);
    tcase_add_test(order, faults_are_precise);
    tcase_add_test(order, serialising);
    tcase_add_loop_test(random, random_as_functional, 0, REPETITIONS(60));
    tcase_add_test(random, same_cycles_again);
    tcase_add_test(random, limit_and_stop);
    tcase_set_timeout(cycles, 60);
    tcase_set_timeout(random, 60);
    suite_add_tcase(s, cycles);
    suite_add_tcase(s, order);
    suite_add_tcase(s, random);
    return run_suite(s);
}
