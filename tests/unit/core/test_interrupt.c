/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interrupts: delivered to the cycle on both cores, precise, and their handlers' time of no instruction. */
#include "tests/unit/guest_mix.h"
#include "tests/unit/suite.h"
#include "tests/unit/watched.h"

enum { LOOPS = 400 };

/* Raises the line each `every` cycles, as seen in the token of such a cycle, and looks on. */
struct source {
    struct core *core;
    unsigned line;
    uint64_t every, next, handler_cycles;
    uint64_t raised, taken, raised_for, idle_until;
    bool again; /* the handler raises the line once more */
    uint32_t delay;
};

static uint64_t handle(void *ctx, uint64_t cycle, uint64_t pc)
{
    (void)pc;
    struct source *s = ctx;
    MUST(cycle >= s->raised_for + s->delay);
    MUST(core_clock(s->core) == cycle);
    s->taken++;
    s->idle_until = cycle + 1 + s->handler_cycles;
    if (s->again) {
        s->again = false;
        s->raised_for = cycle;
        s->raised++;
        core_raise_interrupt(s->core, s->line, cycle);
    }
    return s->handler_cycles;
}

static void look_at_token(void *ctx, const struct probe_token *t)
{
    struct source *s = ctx;
    MUST(!t->handler || (t->committing == 0 && !t->exception && !t->dispatching));
    if (s->every == 0 || t->cycle + t->repeat <= s->next)
        return;
    uint64_t as_of = s->next;
    while (s->next < t->cycle + t->repeat)
        s->next += s->every;
    if (s->raised != s->taken)
        return;
    s->raised++;
    s->raised_for = as_of;
    core_raise_interrupt(s->core, s->line, as_of);
    core_raise_interrupt(s->core, s->line, as_of); /* a raised line */
}

static void nothing_while_handled(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct source *s = ctx;
    (void)in;
    MUST(cycle >= s->idle_until);
}

struct outcome {
    uint64_t cycles, handler_tokens, oracle_handler; /* handler_tokens: cycles whose token says so */
    uint64_t interrupts, squashed, stack;            /* the statistics */
};

static uint64_t handler_time(const struct time_profile *p)
{
    uint64_t sum = 0;
    for (size_t r = 0; r < p->rows; r++) {
        MUST(p->row[r].pc == 0 || p->row[r].time[TIME_HANDLER] == 0);
        sum += p->row[r].time[TIME_HANDLER];
    }
    return sum;
}

/* Runs p to its end, with a handler or none: it computes what it does without interrupts. */
static struct outcome run_with(const struct program *p, const struct core_config *cfg, struct source *s)
{
    struct guest plain = {0};
    struct watched w;
    guest_of(&plain, p);
    ck_assert_int_eq(guest_run(&plain, UINT64_MAX), RV_TRAP_NONE);
    watched_open(&w, p, cfg);
    struct probe_listener look = {.ctx = s, .token = look_at_token};
    look.stage[PROBE_FETCHED] = look.stage[PROBE_RETIRED] = look.stage[PROBE_MAPPED] = nothing_while_handled;
    core_subscribe(w.core, &look);
    s->core = w.core;
    s->delay = cfg->interrupt_cycles;
    s->line = core_connect_interrupt(w.core, handle, s);
    watched_finish(&w);
    ck_assert_int_eq(w.guest.process->exit_status, plain.process->exit_status);
    ck_assert_uint_eq(core_retired(w.core), plain.hart.instret);
    struct outcome out = {.cycles = core_cycle(w.core), .handler_tokens = w.handler_cycles};
    out.oracle_handler = handler_time(&w.result->profile[0]) / TIME_PER_CYCLE;
    out.interrupts = (uint64_t)stat_of(w.core, "interrupts");
    out.squashed = (uint64_t)stat_of(w.core, "squashed_interrupt");
    out.stack = (uint64_t)stat_of(w.core, "stack_handler");
    watched_fini(&w);
    guest_fini(&plain);
    return out;
}

/* At every phase of the loop: the period is prime to everything, and shorter than a miss. */
START_TEST(precise_wherever_it_hits)
{
    static const uint64_t every[] = {97, 61, 211, 1009};
    struct core_config cfg = plain_config(_i & 1);
    cfg.interrupt_cycles = (uint32_t)(_i % 3) * 5;
    struct source s = {.every = every[_i / 2], .next = 40, .handler_cycles = 1 + (uint64_t)(_i % 5) * 7};
    struct outcome o = run_with(loop_of_everything(LOOPS), &cfg, &s);
    ck_assert_uint_gt(s.taken, 20);
    ck_assert_uint_eq(o.interrupts, s.taken);
    ck_assert_uint_gt(o.squashed, 0);
    ck_assert_uint_ge(o.handler_tokens, s.taken * s.handler_cycles);
    ck_assert_uint_ge(o.stack, o.handler_tokens);
    /* the oracle has the cycles drained before a handler too, but not that in which the first instruction behind it
     * enters */
    ck_assert_uint_ge(o.oracle_handler + s.taken, o.stack);
}
END_TEST

/* A pipeline that waits for memory is woken in the very cycle. */
START_TEST(a_sleeping_core_wakes)
{
    struct core_config cfg = plain_config(_i);
    cfg.dram_cycles = 3000;
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    ld(p, T1, S2, 0);
    add(p, T2, T1, T1);
    exit_with(p, T2);
    struct source none = {0}, s = {.every = 100000, .next = 3600, .handler_cycles = 1234};
    struct outcome without = run_with(p, &cfg, &none), with = run_with(p, &cfg, &s);
    ck_assert_uint_eq(s.taken, 1);
    ck_assert_uint_gt(without.cycles, 6000);
    ck_assert_uint_eq(without.stack + without.interrupts + without.oracle_handler, 0);
    if (_i == 0) { /* the raising waits for the end of the idle stretch's token, and the taking for nothing more */
        ck_assert_uint_eq(with.handler_tokens, s.handler_cycles);
        ck_assert_uint_eq(with.stack, s.handler_cycles + cfg.redirect_cycles - 1 + cfg.frontend_cycles + 1);
    }
    ck_assert_uint_gt(with.cycles, s.handler_cycles);
}
END_TEST

/* Raises from a retirement, with the pipeline about to fall asleep on a miss. */
struct at_retire {
    struct core *core;
    unsigned line;
    uint64_t pc, raised, taken, until;
};

static void raise_at(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct at_retire *a = ctx;
    MUST(cycle >= a->until);
    if (in->pc != a->pc || a->raised != 0)
        return;
    a->raised = cycle;
    core_raise_interrupt(a->core, a->line, cycle);
}

static uint64_t note_taken(void *ctx, uint64_t cycle, uint64_t pc)
{
    (void)pc;
    struct at_retire *a = ctx;
    a->taken = cycle;
    a->until = cycle + 1 + 500;
    return 500;
}

START_TEST(taken_after_the_delay)
{
    struct core_config cfg = plain_config(OOO);
    cfg.interrupt_cycles = (uint32_t)_i * 40; /* at once; in the middle of the miss */
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, T1, ZERO, 1);
    ld(p, T2, S2, 0);
    add(p, T2, T2, T2);
    exit_with(p, T2);
    struct bench b;
    bench_open(&b, p, &cfg);
    struct at_retire a = {.core = b.core, .pc = CODE_START + 4};
    struct probe_listener o = {.ctx = &a, .stage = {[PROBE_RETIRED] = raise_at}};
    core_subscribe(b.core, &o);
    a.line = core_connect_interrupt(b.core, note_taken, &a);
    bench_finish(&b);
    ck_assert_uint_ne(a.raised, 0);
    ck_assert_uint_eq(a.taken, a.raised + cfg.interrupt_cycles);
    ck_assert_double_eq(stat_of(b.core, "interrupts"), 1);
    ck_assert_uint_eq(core_retired(b.core), p->count);
    bench_close(&b);
}
END_TEST

START_TEST(raised_in_the_handler_comes_after_it)
{
    struct core_config cfg = plain_config(_i);
    struct source s = {.every = 1 << 30, .next = 500, .handler_cycles = 300, .again = true};
    struct outcome o = run_with(loop_of_everything(LOOPS), &cfg, &s);
    ck_assert_uint_eq(s.taken, 2);
    ck_assert_uint_ge(o.handler_tokens, 2 * s.handler_cycles);
    ck_assert_uint_eq(o.interrupts, 2);
}
END_TEST

/* Lines of two sources. */
enum { LINES = 2, SERVED = 8 };
struct lines {
    struct core *core;
    unsigned line[LINES], order[SERVED], served;
    uint64_t cycle[SERVED];
};

static uint64_t serve_first(void *ctx, uint64_t cycle, uint64_t pc)
{
    (void)pc;
    struct lines *l = ctx;
    l->order[l->served] = 0;
    l->cycle[l->served++] = cycle;
    return 100;
}

static uint64_t serve_second(void *ctx, uint64_t cycle, uint64_t pc)
{
    (void)pc;
    struct lines *l = ctx;
    l->order[l->served] = 1;
    l->cycle[l->served++] = cycle;
    return 50;
}

START_TEST(each_line_has_a_handler_of_its_own)
{
    struct core_config cfg = plain_config(_i);
    const struct program *p = loop_of_everything(LOOPS);
    struct bench b;
    bench_open(&b, p, &cfg);
    struct lines l = {.core = b.core};
    l.line[0] = core_connect_interrupt(b.core, serve_first, &l);
    l.line[1] = core_connect_interrupt(b.core, serve_second, &l);
    core_raise_interrupt(b.core, l.line[1], 300);
    core_raise_interrupt(b.core, l.line[0], 200); /* raised later, due earlier */
    ck_assert_int_eq(core_run(b.core, 2000), RV_TRAP_LIMIT);
    core_raise_interrupt(b.core, l.line[1], core_clock(b.core));
    core_raise_interrupt(b.core, l.line[0], core_clock(b.core)); /* both at once: as they were connected */
    bench_finish(&b);
    static const unsigned expected[] = {0, 1, 0, 1};
    ck_assert_uint_eq(l.served, 4);
    ck_assert_mem_eq(l.order, expected, sizeof expected);
    ck_assert_uint_ge(l.cycle[1], l.cycle[0] + 100); /* the other waits for the handler to end */
    ck_assert_uint_ge(l.cycle[3], l.cycle[2] + 100);
    ck_assert_double_eq(stat_of(b.core, "interrupts"), 4);
    bench_close(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("interrupt");
    TCase *t = tcase_create("interrupt");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, precise_wherever_it_hits, 0, 8);
    tcase_add_loop_test(t, a_sleeping_core_wakes, 0, 2);
    tcase_add_loop_test(t, taken_after_the_delay, 0, 3);
    tcase_add_loop_test(t, raised_in_the_handler_comes_after_it, 0, 2);
    tcase_add_loop_test(t, each_line_has_a_handler_of_its_own, 0, 2);
    suite_add_tcase(s, t);
    return run_suite(s);
}
