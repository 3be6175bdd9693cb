/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First touches of pages as exceptions, on both cores: each page once, on the right path only, precise, their time
 * where the TIP paper has it (section 2.2: until the handler's first instruction the exception's, then the handler's).
 */
#include "tests/unit/suite.h"
#include "tests/unit/watched.h"

enum { PAGE = 4096, HANDLER_CYCLES = 700 };

static struct core_config faulting(int core)
{
    struct core_config cfg = config_of(core);
    cfg.page_fault_cycles = HANDLER_CYCLES;
    return cfg;
}

/* The code's page; the first load's; a store's; two for a load that lies across. What has been touched does not fault
 * again. */
START_TEST(each_page_once)
{
    struct core_config cfg = faulting(_i);
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    lui(p, S3, DATA_START + 2 * PAGE);
    lui(p, S4, DATA_START + 4 * PAGE);
    addi(p, T0, ZERO, 5);
    uint32_t load = p->count;
    ld(p, T1, S2, 0);
    uint32_t write = p->count;
    sd(p, T0, S3, 8);
    uint32_t across = p->count;
    ld(p, T2, S4, -4);
    ld(p, T3, S3, 8);
    ld(p, T4, S2, 2000);
    amoadd(p, T5, T0, S4);
    add(p, T3, T3, T5);
    exit_with(p, T3);
    struct watched g;
    watched_run(&g, p, &cfg);
    ck_assert_int_eq(g.guest.process->exit_status, 5);
    ck_assert_uint_eq(g.exceptions, 5);
    uint64_t expected[] = {CODE_START, CODE_START + load * 4, CODE_START + write * 4, CODE_START + across * 4,
                           CODE_START + across * 4};
    for (unsigned i = 0; i < 5; i++)
        ck_assert(g.pc[i] == expected[i] && !g.ordering[i]);
    ck_assert_double_eq(stat_of(g.core, "page_faults"), 5);
    ck_assert_uint_eq(g.handler_cycles, (uint64_t)5 * HANDLER_CYCLES);
    ck_assert_uint_eq(core_retired(g.core), p->count);
    /* the empty cycles up to the handler's first instruction */
    uint64_t entry = cfg.redirect_cycles + cfg.frontend_cycles - 1;
    ck_assert_double_eq(watched_time(&g, expected[1], TIME_FLUSH), (double)entry);
    ck_assert_double_eq(watched_time(&g, expected[3], TIME_FLUSH), 2 * (double)entry);
    ck_assert_double_ge(watched_time(&g, 0, TIME_HANDLER), (double)(g.handler_cycles + 5 * entry));
    if (_i == 0) /* in order, they also wait for what is older */
        ck_assert_double_eq(stat_of(g.core, "stack_exception"), (double)(5 * (entry + 1)));
    watched_fini(&g);
}
END_TEST

/* The branch over the load is mispredicted: the page is never touched. */
START_TEST(the_wrong_path_faults_not)
{
    struct core_config cfg = faulting(_i);
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, T1, ZERO, 1);
    addi(p, T0, ZERO, 100);
    div_(p, T1, T0, T1); /* late: the wrong path goes on for a while */
    branch(p, 1, T1, ZERO, p->count + 3);
    ld(p, T2, S2, 0);
    sd(p, T2, S2, 8);
    exit_with(p, ZERO);
    struct watched g;
    watched_run(&g, p, &cfg);
    ck_assert_uint_eq(g.exceptions, 1); /* of the code */
    ck_assert_double_gt(stat_of(g.core, "squashed_mispredict"), 2);
    watched_fini(&g);
}
END_TEST

/* Code in a second page, and an instruction on the way into a third. */
START_TEST(code_faults_too)
{
    struct core_config cfg = faulting(_i);
    struct program *p = program_begin();
    while (p->count < 2 * PAGE / 4 + 8)
        addi(p, T1, T1, 1);
    exit_with(p, ZERO);
    struct watched g;
    watched_run(&g, p, &cfg);
    ck_assert_uint_eq(g.exceptions, 3);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_uint_eq(g.pc[i], CODE_START + i * PAGE);
    watched_fini(&g);
}
END_TEST

START_TEST(off_unless_asked_for)
{
    struct core_config cfg = config_of(_i);
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    ld(p, T1, S2, 0);
    exit_with(p, T1);
    struct watched g;
    watched_run(&g, p, &cfg);
    ck_assert_uint_eq(g.exceptions, 0);
    watched_fini(&g);
}
END_TEST

static uint64_t note_taken(void *ctx, uint64_t cycle, uint64_t pc)
{
    (void)pc;
    *(uint64_t *)ctx = cycle;
    return 10;
}

/* An interrupt that comes while a page fault is handled waits until that is over. */
START_TEST(an_interrupt_waits_for_the_handler)
{
    struct core_config cfg = faulting(_i);
    struct program *p = program_begin();
    addi(p, T1, ZERO, 3);
    exit_with(p, T1);
    struct bench b;
    uint64_t taken = 0;
    bench_open(&b, p, &cfg);
    core_raise_interrupt(b.core, core_connect_interrupt(b.core, note_taken, &taken), 300);
    bench_finish(&b);
    ck_assert_uint_gt(taken, HANDLER_CYCLES);
    ck_assert_double_eq(stat_of(b.core, "interrupts"), 1);
    ck_assert_double_eq(stat_of(b.core, "page_faults"), 1);
    bench_close(&b);
}
END_TEST

/* Warming touches pages without a fault. */
START_TEST(warmed_pages_are_there)
{
    struct core_config cfg = faulting(_i);
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    ld(p, T1, S2, 0);
    ld(p, T2, S2, 64);
    exit_with(p, T1);
    struct bench b;
    bench_open(&b, p, &cfg);
    ck_assert_int_eq(core_warm(b.core, 2, NULL), RV_TRAP_LIMIT);
    bench_finish(&b);
    ck_assert_double_eq(stat_of(b.core, "page_faults"), 0);
    bench_close(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("page_fault");
    TCase *t = tcase_create("page_fault");
    tcase_add_loop_test(t, each_page_once, 0, 2);
    tcase_add_loop_test(t, the_wrong_path_faults_not, 0, 2);
    tcase_add_loop_test(t, code_faults_too, 0, 2);
    tcase_add_loop_test(t, off_unless_asked_for, 0, 2);
    tcase_add_loop_test(t, an_interrupt_waits_for_the_handler, 0, 2);
    tcase_add_loop_test(t, warmed_pages_are_there, 0, 2);
    suite_add_tcase(s, t);
    return run_suite(s);
}
