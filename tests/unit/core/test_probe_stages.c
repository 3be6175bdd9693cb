/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Meaning of the stages of the probe port on both cores: their order, the events of what commits, when a store issues,
 * and where an in-order core's instructions enter the back end. */
#include "tests/unit/guest_mix.h"
#include "tests/unit/pipe_guest.h"
#include "tests/unit/suite.h"

enum { ROUNDS = 300, MOST = 1 << 16 };

/* Stages of what retires, and its events by the token that commits it. */
struct passage {
    uint64_t retired, loads;
    struct {
        uint64_t pc;
        uint32_t events;
    } by_token[MOST], by_stage[MOST];
    uint64_t committed;
};

static void passage_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    static const enum probe_stage order[] = {PROBE_FETCHED, PROBE_MAPPED,          PROBE_DATA_READY,
                                             PROBE_ISSUED,  PROBE_READY_TO_RETIRE, PROBE_RETIRED};
    struct passage *p = ctx;
    const uint64_t *at = in->stage_cycle;
    for (unsigned n = 1; n < sizeof order / sizeof order[0]; n++)
        MUST(at[order[n]] != 0 && at[order[n - 1]] <= at[order[n]]);
    MUST(at[PROBE_RETIRED] == cycle && at[PROBE_SQUASHED] == 0);
    MUST((at[PROBE_LOAD_COMPLETED] != 0) == ((in->insn->flags & RV_LOAD) != 0));
    if (in->insn->flags & RV_LOAD)
        MUST(at[PROBE_ISSUED] < at[PROBE_LOAD_COMPLETED] && at[PROBE_LOAD_COMPLETED] <= at[PROBE_READY_TO_RETIRE]);
    p->loads += (in->insn->flags & RV_LOAD) != 0;
    MUST(p->retired < MOST);
    p->by_stage[p->retired].pc = in->pc;
    p->by_stage[p->retired++].events = in->events;
}

static void passage_token(void *ctx, const struct probe_token *t)
{
    struct passage *p = ctx;
    for (unsigned n = 0, b = t->head; n < t->committing; n++, b = b + 1 == t->banks ? 0 : b + 1) {
        MUST(t->bank[b].commits && p->committed < MOST);
        p->by_token[p->committed].pc = t->bank[b].pc;
        p->by_token[p->committed++].events = t->bank[b].events;
    }
}

START_TEST(stages_are_passed_in_their_order)
{
    struct core_config cfg = faulting(_i);
    struct passage *p = xcalloc(1, sizeof *p);
    struct bench b;
    bench_open(&b, eventful_loop(ROUNDS), &cfg);
    struct probe_listener o = {
        .ctx = p, .stage = {[PROBE_RETIRED] = passage_retired}, .cycles = PROBE_ALL_CYCLES, .token = passage_token};
    core_subscribe(b.core, &o);
    bench_finish(&b);
    ck_assert_uint_eq(p->retired, core_retired(b.core));
    ck_assert_uint_eq(p->loads, (uint64_t)stat_of(b.core, "loads"));
    ck_assert_uint_eq(p->committed, p->retired);
    for (uint64_t n = 0; n < p->retired; n++)
        MUST(p->by_token[n].pc == p->by_stage[n].pc && p->by_token[n].events == p->by_stage[n].events);
    free(p);
    bench_close(&b);
}
END_TEST

/* The address of a store is there at once, its datum after a division: it issues when both are there. */
START_TEST(a_store_issues_with_its_datum)
{
    enum { DIVISION = 10, STORE };
    struct core_config cfg = plain_config(_i);
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, T1, ZERO, 100);
    while (p->count < DIVISION)
        addi(p, ZERO, ZERO, 0);
    div_(p, T2, T1, T1);
    sd(p, T2, S2, 0);
    exit_with(p, ZERO);
    struct run *r = run_program(p, &cfg);
    const struct life *division = life_at(r, DIVISION, 0), *late = life_at(r, STORE, 0);
    ck_assert_uint_eq(division->at[PROBE_READY_TO_RETIRE] - division->at[PROBE_ISSUED], cfg.div_cycles);
    ck_assert_uint_eq(late->at[PROBE_DATA_READY], division->at[PROBE_READY_TO_RETIRE]);
    ck_assert_uint_eq(late->at[PROBE_ISSUED], late->at[PROBE_DATA_READY]);
    ck_assert_uint_ge(late->at[PROBE_READY_TO_RETIRE], late->at[PROBE_ISSUED]);
    run_free(r);
}
END_TEST

/* Where an interrupt of that cycle is taken, and the instruction that is tagged from that cycle on. */
struct entrance {
    struct event_filter from;
    uint64_t tagged, interrupted;
    unsigned line;
    bool asks;
};

static unsigned entrance_tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    struct entrance *e = ctx;
    (void)seq, (void)pc, (void)opclass, (void)cycle;
    if (!e->asks)
        return 0;
    e->asks = false;
    return 1;
}

static void entrance_tagged(void *ctx, const struct probe_insn *in, unsigned tag, uint64_t cycle)
{
    struct entrance *e = ctx;
    (void)tag, (void)cycle;
    e->tagged = in->pc;
    e->asks = in->cause != PROBE_CAUSE_NONE;
}

static uint64_t entrance_taken(void *ctx, uint64_t cycle, uint64_t pc)
{
    struct entrance *e = ctx;
    (void)cycle;
    e->interrupted = pc;
    return 1;
}

/* A chain of loads that miss, each with its user behind it, and what may pair with them. */
static const struct program *chain_of_misses(int rounds)
{
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, T0, ZERO, rounds);
    uint32_t top = p->count;
    ld(p, T1, S2, 0);
    addi(p, T2, T2, 1);
    add(p, T3, T1, T1); /* the user */
    addi(p, T4, T4, 1);
    addi(p, T5, T5, 1);
    addi(p, S2, S2, 1024);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, ZERO);
    return p;
}

/* On an in-order core the first instruction to enter the back end from a cycle on is the one before which an interrupt
 * of that cycle is taken: the oldest that has not issued. */
START_TEST(an_in_order_core_tags_where_an_interrupt_returns_to)
{
    enum { FIRST = 500, CYCLES = 400, USER = CODE_START + 4 * 4 };
    struct core_config cfg = plain_config(INORDER);
    unsigned at_user = 0;
    cfg.interrupt_cycles = 0;
    cfg.commit_width = 2;
    cfg.l1d_next_line = 0;
    for (uint64_t cycle = FIRST; cycle < FIRST + CYCLES; cycle++) {
        struct entrance e = {.from = {.from = cycle}, .asks = true};
        struct probe_listener o = {.ctx = &e,
                                   .tagger = {.at = PROBE_MAPPED,
                                              .bits = 1,
                                              .filter = &e.from,
                                              .tag = entrance_tag,
                                              .tagged = entrance_tagged,
                                              .squashed = true}};
        for (int interrupts = 0; interrupts < 2; interrupts++) {
            struct bench b;
            bench_open(&b, chain_of_misses(20), &cfg);
            e.line = core_connect_interrupt(b.core, entrance_taken, &e);
            if (interrupts)
                core_raise_interrupt(b.core, e.line, cycle);
            else
                core_subscribe(b.core, &o);
            bench_finish(&b);
            bench_close(&b);
        }
        MUST(e.tagged != 0 && e.tagged == e.interrupted);
        at_user += e.tagged == USER;
    }
    ck_assert_uint_gt(at_user, CYCLES * 3 / 4);
}
END_TEST

/* Tags an instruction now and then, at fetch, of which it reads all cycles, one at a time. */
struct rare {
    uint64_t from_seq, asked, delivered, squashed, sum;
    bool tagged;
};

static unsigned rare_tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    struct rare *r = ctx;
    (void)pc, (void)opclass, (void)cycle;
    MUST(!r->tagged && seq >= r->from_seq);
    r->tagged = true;
    r->asked++;
    r->from_seq = UINT64_MAX;
    return 1;
}

static void rare_tagged(void *ctx, const struct probe_insn *in, unsigned tag, uint64_t cycle)
{
    struct rare *r = ctx;
    (void)tag;
    uint64_t end = in->stage_cycle[in->cause == PROBE_CAUSE_NONE ? PROBE_RETIRED : PROBE_SQUASHED];
    MUST(r->tagged && end != 0 && (end == cycle || (end < cycle && in->insn->unit == RV_UNIT_STORE)));
    r->tagged = false;
    r->from_seq = in->seq + 50 + in->seq % 37;
    r->delivered++;
    r->squashed += in->cause != PROBE_CAUSE_NONE;
    for (int s = 0; s < PROBE_STAGE_COUNT; s++)
        r->sum = r->sum * 31 + in->stage_cycle[s];
    r->sum = r->sum * 31 + in->retired_before * (in->cause == PROBE_CAUSE_NONE);
}

static void ignore(void *ctx, const struct probe_insn *in, uint64_t cycle) { (void)ctx, (void)in, (void)cycle; }

/* The core notes cycles only while a tagged instruction is in flight: they are those that it would note always. The
 * number from which it asks is the observer's own. */
START_TEST(a_rare_tag_has_all_cycles)
{
    struct rare rare[2] = {{.from_seq = 100}, {.from_seq = 100}};
    const struct probe_listener all = {.cycles = PROBE_ALL_CYCLES, .stage = {[PROBE_FETCHED] = ignore}};
    struct core_config cfg = faulting(_i);
    for (int with_all = 0; with_all < 2; with_all++) {
        struct rare *r = &rare[with_all];
        struct probe_listener o = {.ctx = r,
                                   .cycles = PROBE_ALL_CYCLES,
                                   .tagger = {.at = PROBE_FETCHED,
                                              .bits = 1,
                                              .from_seq = &r->from_seq,
                                              .tag = rare_tag,
                                              .tagged = rare_tagged,
                                              .squashed = true,
                                              .complete = true}};
        struct bench b;
        bench_open(&b, eventful_loop(ROUNDS), &cfg);
        core_subscribe(b.core, &o);
        if (with_all)
            core_subscribe(b.core, &all);
        bench_finish(&b);
        bench_close(&b);
        ck_assert_uint_gt(r->delivered, 50);
        ck_assert_uint_gt(r->squashed, 0);
        ck_assert_uint_eq(r->asked, r->delivered + r->tagged);
    }
    ck_assert_uint_eq(rare[0].delivered, rare[1].delivered);
    ck_assert_uint_eq(rare[0].sum, rare[1].sum);
}
END_TEST

/* Results of loads and branches, as sums that depend on their order. */
struct results {
    uint64_t count, sum;
};

enum { RESULTS = 1 << OPCLASS_LOAD | 1 << OPCLASS_BRANCH };

static void result_add(void *ctx, enum opclass opclass, uint64_t pc, uint64_t value)
{
    struct results *r = ctx;
    MUST((RESULTS >> opclass & 1) != 0);
    r->count++;
    r->sum = (r->sum ^ pc ^ value << 1 ^ opclass) * UINT64_C(0x9e3779b97f4a7c15);
}

static void result_of_stage(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    (void)cycle;
    if ((RESULTS >> in->insn->opclass & 1) != 0)
        result_add(ctx, (enum opclass)in->insn->opclass, in->pc, in->outcome->value);
}

/* The results are those of the stage RETIRED, whether another observer has that stage or not. */
START_TEST(results_are_those_of_what_retires)
{
    struct core_config cfg = faulting(_i);
    struct results alone = {0}, beside = {0}, staged = {0};
    for (int with_stage = 0; with_stage < 2; with_stage++) {
        struct probe_listener o = {
            .ctx = with_stage ? &beside : &alone, .result = result_add, .result_classes = RESULTS};
        struct probe_listener stage = {.ctx = &staged, .values = true, .stage = {[PROBE_RETIRED] = result_of_stage}};
        struct bench b;
        bench_open(&b, eventful_loop(ROUNDS), &cfg);
        core_subscribe(b.core, &o);
        if (with_stage)
            core_subscribe(b.core, &stage);
        bench_finish(&b);
        bench_close(&b);
    }
    ck_assert_uint_gt(staged.count, ROUNDS);
    ck_assert_uint_eq(alone.count, staged.count);
    ck_assert_uint_eq(alone.sum, staged.sum);
    ck_assert_uint_eq(beside.sum, staged.sum);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("probe stages");
    TCase *t = tcase_create("stages");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, stages_are_passed_in_their_order, OOO, INORDER + 1);
    tcase_add_loop_test(t, a_store_issues_with_its_datum, OOO, INORDER + 1);
    tcase_add_test(t, an_in_order_core_tags_where_an_interrupt_returns_to);
    tcase_add_loop_test(t, a_rare_tag_has_all_cycles, OOO, INORDER + 1);
    tcase_add_loop_test(t, results_are_those_of_what_retires, OOO, INORDER + 1);
    suite_add_tcase(s, t);
    return run_suite(s);
}
