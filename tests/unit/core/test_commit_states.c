/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The states of commit on the out-of-order core, where TIP's paper describes more than its Figure 4 draws
 * (section 2.2): serialised instructions, exceptions and flushes of all kinds; and the empty ROB that a full store
 * queue leaves. */
#include "tests/unit/suite.h"
#include "tests/unit/watched.h"

enum { PAGE = 4096, HANDLER_CYCLES = 500 };

static uint64_t pc_of(uint32_t word) { return CODE_START + word * 4; }

/* The predecessors have their own time while the ROB drains; the atomic enters as the last of them commits, is stalled
 * on, and commits in one cycle; only then enters its successor, which is stalled on while it executes. */
START_TEST(a_serialised_instruction)
{
    struct core_config cfg = config_of(OOO);
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, T1, ZERO, 1000);
    addi(p, T2, ZERO, 3);
    amoadd(p, ZERO, T1, S2); /* brings the line, and the code behind it */
    for (int i = 0; i < 8; i++)
        addi(p, T6, T6, 1);
    uint32_t before = p->count;
    div_(p, T3, T1, T2);
    uint32_t atomic = p->count;
    amoadd(p, T4, T1, S2);
    uint32_t after = p->count;
    mul(p, T5, T1, T1);
    exit_with(p, ZERO);
    struct watched w;
    watched_run(&w, p, &cfg);
    ck_assert_uint_eq(w.mapped[atomic], w.retired[before]);
    ck_assert_uint_eq(w.mapped[after], w.retired[atomic]);
    ck_assert_uint_gt(w.retired[before], w.retired[before - 1] + cfg.div_cycles / 2);
    ck_assert_double_eq(watched_time(&w, pc_of(before), TIME_STALL_ALU),
                        (double)(w.retired[before] - w.retired[before - 1] - 1));
    ck_assert_double_eq(watched_time(&w, pc_of(atomic), TIME_STALL_LOAD),
                        (double)(w.retired[atomic] - w.mapped[atomic] - 1));
    ck_assert_double_eq(watched_time(&w, pc_of(atomic), TIME_EXECUTE), 1);
    ck_assert_double_eq(watched_time(&w, pc_of(after), TIME_STALL_ALU),
                        (double)(w.retired[after] - w.mapped[after] - 1));
    ck_assert_double_ge(watched_time(&w, pc_of(after), TIME_STALL_ALU), cfg.mul_cycles);
    for (uint32_t n = atomic; n <= after; n++)
        ck_assert_double_eq(watched_time(&w, pc_of(n), TIME_FRONTEND) + watched_time(&w, pc_of(n), TIME_FLUSH), 0);
    watched_fini(&w);
}
END_TEST

enum { STORES = 64 };

/* Each store misses to memory, and all retire at once: what keeps the next one from the ROB is the store queue. */
START_TEST(a_full_store_queue)
{
    struct core_config cfg = config_of(OOO);
    cfg.store_queue = 4;
    cfg.l1d_next_line = 0;
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    uint32_t first = p->count;
    for (int i = 0; i < STORES / 2; i++) {
        sd(p, S2, S2, (i % 16) * 128);
        sd(p, S2, S2, (i % 16) * 128 + 64);
        if (i % 16 == 15) {
            lui(p, T1, 2 * PAGE);
            add(p, S2, S2, T1);
        }
    }
    uint32_t last = p->count - 1;
    exit_with(p, ZERO);
    struct watched w;
    watched_run(&w, p, &cfg);
    double stores = 0, frontend = 0;
    for (uint32_t n = first; n <= last; n++) {
        stores += watched_time(&w, pc_of(n), TIME_STALL_STORE);
        frontend += watched_time(&w, pc_of(n), TIME_FRONTEND);
    }
    ck_assert_double_eq(stat_of(w.core, "stack_store_queue"), (double)w.blocked_cycles);
    ck_assert_double_ge(stat_of(w.core, "full_store_queue"), (double)w.blocked_cycles);
    ck_assert_uint_gt(w.blocked_cycles, (STORES - 4) / 4 * (cfg.dram_cycles / 2));
    ck_assert_double_ge(stores, (double)w.blocked_cycles);
    ck_assert_double_lt(frontend, stores / 2); /* the code comes from memory, too */
    watched_fini(&w);
}
END_TEST

/* An atomic waits before the ROB until older stores are in the cache: its own time, not the front end's. */
START_TEST(an_atomic_waits_for_older_stores)
{
    struct core_config cfg = config_of(OOO);
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    lui(p, S3, DATA_START + 4 * PAGE);
    amoadd(p, ZERO, S2, S2); /* the code is there from now on */
    sd(p, S2, S3, 0);
    uint32_t atomic = p->count;
    amoadd(p, T4, S2, S2);
    exit_with(p, ZERO);
    struct watched w;
    watched_run(&w, p, &cfg);
    ck_assert_uint_gt(w.blocked_cycles, cfg.dram_cycles);
    ck_assert_double_ge(watched_time(&w, pc_of(atomic), TIME_STALL_LOAD), (double)w.blocked_cycles);
    ck_assert_double_eq(watched_time(&w, pc_of(atomic), TIME_FRONTEND), 0);
    ck_assert_double_eq(stat_of(w.core, "stack_store_queue"), 0);
    ck_assert_double_ge(stat_of(w.core, "stack_serial"), (double)w.blocked_cycles);
    watched_fini(&w);
}
END_TEST

/* An ordering violation, a page fault and a write of the floating-point flags: three flushes, told apart by token,
 * cause and statistic. */
START_TEST(three_kinds_of_flush)
{
    struct core_config cfg = config_of(OOO);
    cfg.page_fault_cycles = HANDLER_CYCLES;
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    lui(p, S4, DATA_START + 8 * PAGE);
    addi(p, S3, ZERO, 1);
    sd(p, S3, S2, 0); /* the page and the line are there behind it */
    fsflags(p, ZERO);
    for (int i = 0; i < 6; i++)
        addi(p, T6, T6, 1);
    uint32_t flags = p->count;
    fsflags(p, ZERO);
    div_(p, T1, S2, S3);
    addi(p, T2, ZERO, 77);
    sd(p, T2, T1, 0); /* its address is known late */
    uint32_t overtakes = p->count;
    ld(p, T3, S2, 0);
    add(p, T4, T3, ZERO);
    uint32_t faults = p->count;
    ld(p, T5, S4, 0);
    exit_with(p, T4);
    struct watched w;
    watched_run(&w, p, &cfg);
    double entry = cfg.redirect_cycles + cfg.frontend_cycles - 1;
    ck_assert_int_eq(w.guest.process->exit_status, 77);
    ck_assert_uint_eq(w.exceptions, 4); /* the pages of the code and of the first store come first */
    ck_assert(w.pc[2] == pc_of(overtakes) && w.ordering[2]);
    ck_assert(w.pc[3] == pc_of(faults) && !w.ordering[3]);
    ck_assert_double_eq(stat_of(w.core, "page_faults"), 3);
    ck_assert_double_eq(stat_of(w.core, "ordering_violations"), 1);
    ck_assert_uint_eq(w.flushing, 3); /* the system call too */
    static const char *const squashed[] = {"squashed_ordering", "squashed_exception", "squashed_serialise"};
    for (unsigned i = 0; i < 3; i++)
        ck_assert_double_gt(stat_of(w.core, squashed[i]), 0);
    ck_assert_double_eq(stat_of(w.core, "squashed_interrupt"), 0);
    ck_assert_double_eq(stat_of(w.core, "stack_ordering"),
                        entry + 2); /* the cycle it fires in, and that in which it enters again */
    ck_assert_double_eq(stat_of(w.core, "stack_exception"), 3 * (entry + 1));
    ck_assert_double_eq(watched_time(&w, pc_of(overtakes), TIME_FLUSH), entry);
    ck_assert_double_eq(watched_time(&w, pc_of(faults), TIME_FLUSH), entry);
    ck_assert_double_eq(watched_time(&w, pc_of(flags), TIME_FLUSH), entry);
    ck_assert_uint_eq(w.handler_cycles, (uint64_t)3 * HANDLER_CYCLES);
    watched_fini(&w);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("commit_states");
    TCase *t = tcase_create("commit_states");
    tcase_add_test(t, a_serialised_instruction);
    tcase_add_test(t, a_full_store_queue);
    tcase_add_test(t, an_atomic_waits_for_older_stores);
    tcase_add_test(t, three_kinds_of_flush);
    suite_add_tcase(s, t);
    return run_suite(s);
}
