/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact counts, on both cores: their sums are those that the core counts on its own; the latencies of each
 * instruction add up to its time in flight; and the counts of pairs are those of a comparison of all instructions with
 * all others. */
#include "contract/opclass.h"
#include "core-model/prof/count/count_pairs.h"
#include "core-model/prof/observers.h"
#include "core-model/stats.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/pipe_guest.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

enum { ROUNDS = 400, FEW_ROUNDS = 100 };

/* A run under `profilers` and an observer that keeps every instruction's cycles. */
struct counted {
    struct bench bench;
    struct trace trace;
    struct observers *set;
    const struct count_result *result;
};

static void run(struct counted *c, const char *profilers, const struct program *p, int core)
{
    struct errmsg err;
    struct core_config cfg = config_of(core);
    bench_open(&c->bench, p, &cfg);
    c->trace = (struct trace){
        .core = c->bench.core, .life = xcalloc(TRACE_MIN, sizeof *c->trace.life), .lives = TRACE_MIN};
    struct probe_listener o = {.ctx = &c->trace,
                               .cycles = PROBE_ALL_CYCLES,
                               .stage = {trace_fetched, trace_mapped, trace_ready, trace_issued, trace_loaded,
                                         trace_done, trace_retired, trace_squashed}};
    core_subscribe(c->bench.core, &o);
    c->set = observers_new();
    ck_assert_msg(observers_create(c->set, profilers, 1, &err) == ST_OK, "%s", err.text);
    observers_attach(c->set, c->bench.core);
    bench_finish(&c->bench);
    observers_finish(c->set, core_cycle(c->bench.core), &c->bench.guest.hart);
    c->result = observers_counts(c->set);
    ck_assert_uint_lt(c->trace.last_seq, TRACE_MAX);
}

static void done(struct counted *c)
{
    observers_free(c->set);
    bench_close(&c->bench);
    free(c->trace.life);
}

static uint64_t sum(const struct count_profile *p, enum count_kind kind)
{
    uint64_t n = 0;
    for (size_t i = 0; i < p->rows; i++)
        n += p->row[i].count[kind];
    return n;
}

START_TEST(sums_are_those_of_the_core)
{
    struct counted c;
    run(&c, "counts", loop_of_everything(ROUNDS), _i);
    const struct count_profile *p = &c.result->profile[0];
    struct core_stats s = core_statistics(c.bench.core);
    ck_assert(p->exact && p->samples == 0);
    const uint64_t squashed = s.squashed_mispredict + s.squashed_ordering + s.squashed_exception +
                              s.squashed_serialise + s.squashed_interrupt;
#define SAME(kind, expected) ck_assert_uint_eq(sum(p, COUNT_##kind), expected)
    SAME(FETCHED, s.fetched);
    SAME(RETIRED, s.retired);
    SAME(SQUASHED, squashed);
    SAME(SQUASHED_MISPREDICT, s.squashed_mispredict);
    SAME(SQUASHED_ORDERING, s.squashed_ordering);
    SAME(SQUASHED_EXCEPTION, s.squashed_exception);
    SAME(SQUASHED_SERIALISE, s.squashed_serialise);
    SAME(SQUASHED_INTERRUPT, s.squashed_interrupt);
    SAME(LOADS, s.loads);
    SAME(STORES, s.stores);
    SAME(FORWARDED, s.forwarded);
    SAME(TRANSFERS, s.branches + s.indirect_jumps + s.returns);
    SAME(RETIRED_MISPREDICTED, s.mispredicted_direction + s.mispredicted_target + s.mispredicted_return);
#undef SAME
    ck_assert_uint_gt(s.squashed_mispredict, 0);
    ck_assert_uint_gt(s.squashed_serialise, 0);
    ck_assert_uint_ge(sum(p, COUNT_MISPREDICTED), sum(p, COUNT_RETIRED_MISPREDICTED));
    done(&c);
}
END_TEST

/* The core reports each event as it happens too. */
struct happened {
    struct probe_listener observer;
    uint64_t times[PROBE_EVENT_COUNT];
};
#define HAPPENS(event)                                        \
    static void happens_##event(void *ctx, uint64_t cycle)    \
    {                                                         \
        (void)cycle;                                          \
        ((struct happened *)ctx)->times[PROBE_BIT_##event]++; \
    }
#define EVENTS(X) X(DCACHE_MISS) X(L2_MISS) X(LLC_MISS) X(DTLB_MISS) X(MISPREDICTED) X(FORWARDED)
EVENTS(HAPPENS)
HAPPENS(ICACHE_MISS)

START_TEST(events_are_those_that_happened)
{
    struct happened h = {.observer = {.ctx = &h}};
    struct core_config cfg = config_of(_i);
    struct bench b;
    struct errmsg err;
    struct observers *set = observers_new();
#define SUBSCRIBE(event_name) h.observer.event[PROBE_BIT_##event_name] = happens_##event_name;
    EVENTS(SUBSCRIBE)
    SUBSCRIBE(ICACHE_MISS)
    ck_assert_int_eq(observers_create(set, "counts", 1, &err), ST_OK);
    bench_open(&b, loop_of_everything(ROUNDS), &cfg);
    core_subscribe(b.core, &h.observer);
    observers_attach(set, b.core);
    bench_finish(&b);
    observers_finish(set, core_cycle(b.core), NULL);
    const struct count_profile *p = observers_counts(set)->profile;
#define SAME(event) ck_assert_uint_eq(sum(p, COUNT_##event), h.times[PROBE_BIT_##event]);
    EVENTS(SAME)
#undef SAME
    ck_assert_uint_gt(h.times[PROBE_BIT_DCACHE_MISS], 0);
    /* A miss of fetch is one event, which all instructions of the group have. */
    ck_assert_uint_gt(h.times[PROBE_BIT_ICACHE_MISS], 0);
    ck_assert_uint_ge(sum(p, COUNT_ICACHE_WAIT), h.times[PROBE_BIT_ICACHE_MISS]);
    observers_free(set);
    bench_close(&b);
}
END_TEST

/* By the cycles that the stages' own events had. */
START_TEST(latencies_add_up)
{
    struct counted c;
    uint64_t total = 0, progress = 0;
    run(&c, "counts", loop_of_everything(ROUNDS), _i);
    const struct count_profile *p = &c.result->profile[0];
    for (uint64_t s = 1; s <= c.trace.last_seq; s++) {
        const uint64_t *at = c.trace.life[s].at;
        if (at[PROBE_READY_TO_RETIRE] != 0)
            progress += at[PROBE_READY_TO_RETIRE] - at[PROBE_FETCHED];
        if (at[PROBE_RETIRED] == 0)
            continue;
        total += at[PROBE_RETIRED] - at[PROBE_FETCHED];
        for (int i = PROBE_FETCHED; i < PROBE_RETIRED; i++)
            MUST(i == PROBE_LOAD_COMPLETED || at[i] != 0);
    }
    ck_assert_uint_eq(sum(p, COUNT_IN_PROGRESS), progress);
    uint64_t parts = 0, left = 0;
    static const enum count_kind kinds[] = {COUNT_FETCH_MAP, COUNT_MAP_READY, COUNT_READY_ISSUE, COUNT_ISSUE_DONE,
                                            COUNT_DONE_RETIRE};
    for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        parts += sum(p, kinds[k]);
    for (uint64_t s = 1; s <= c.trace.last_seq; s++) { /* what squashed instructions have of them */
        const uint64_t *at = c.trace.life[s].at;
        static const enum probe_stage stages[] = {PROBE_FETCHED, PROBE_MAPPED, PROBE_DATA_READY, PROBE_ISSUED,
                                                  PROBE_READY_TO_RETIRE};
        for (unsigned k = 1; k < sizeof stages / sizeof stages[0] && at[PROBE_RETIRED] == 0; k++)
            left += at[stages[k]] != 0 ? at[stages[k]] - at[stages[k - 1]] : 0;
    }
    ck_assert_uint_eq(parts, total + left);
    done(&c);
}
END_TEST

/* The cycles in which one instruction was between the stages of one phase and the other between those of another. */
static uint64_t together(const uint64_t *i, const enum probe_stage own[2], const uint64_t *j,
                         const enum probe_stage others[2])
{
    if (i[own[0]] == 0 || i[own[1]] == 0 || j[others[0]] == 0 || j[others[1]] == 0)
        return 0;
    uint64_t from = i[own[0]] > j[others[0]] ? i[own[0]] : j[others[0]];
    uint64_t to = i[own[1]] < j[others[1]] ? i[own[1]] : j[others[1]];
    return to > from ? to - from : 0;
}

static const enum probe_stage phase[PHASES][2] = {
    [PHASE_QUEUED] = {PROBE_MAPPED, PROBE_ISSUED},
    [PHASE_EXECUTING] = {PROBE_ISSUED, PROBE_READY_TO_RETIRE},
    [PHASE_WAITING] = {PROBE_READY_TO_RETIRE, PROBE_RETIRED},
};

/* One instruction's counts, by comparison with all others. */
static void compare_with_all(const struct trace *t, uint64_t s, struct count_row *r)
{
    const uint64_t *i = t->life[s].at;
    const uint64_t end = i[PROBE_RETIRED] + i[PROBE_SQUASHED]; /* one of them is 0 */
    for (uint64_t o = 1; o <= t->last_seq; o++) {
        const uint64_t *j = t->life[o].at;
        if (o == s || j[PROBE_RETIRED] == 0)
            continue;
        r->count[COUNT_USEFUL_ISSUES] += j[PROBE_ISSUED] != 0 && j[PROBE_ISSUED] >= i[PROBE_FETCHED] &&
                                         j[PROBE_ISSUED] < i[PROBE_READY_TO_RETIRE];
        bool in_flight_together = j[PROBE_RETIRED] > i[PROBE_FETCHED] && j[PROBE_FETCHED] < end;
        for (int own = 0; own < PHASES && in_flight_together; own++)
            for (int others = 0; others < PHASES; others++)
                r->count[count_together((enum profileme_phase)own, (enum profileme_phase)others)] += together(
                    i, phase[own], j, phase[others]);
        if (i[PROBE_RETIRED] == 0)
            continue;
        r->count[COUNT_RETIRED_BESIDE] += j[PROBE_RETIRED] >= i[PROBE_FETCHED] && j[PROBE_RETIRED] < i[PROBE_RETIRED];
        r->count[COUNT_RETIRED_NEAR] += j[PROBE_RETIRED] <= i[PROBE_RETIRED] + 30 &&
                                        i[PROBE_RETIRED] <= j[PROBE_RETIRED] + 30;
    }
}

START_TEST(pairs_are_those_of_brute_force)
{
    struct counted c;
    struct count_table table;
    size_t rows;
    run(&c, "counts:slots", loop_of_everything(FEW_ROUNDS), _i);
    const struct count_profile *p = &c.result->profile[0];
    count_table_init(&table);
    for (uint64_t s = 1; s <= c.trace.last_seq; s++)
        compare_with_all(&c.trace, s, count_table_at(&table, c.trace.life[s].pc));
    struct count_row *row = count_table_rows(&table, &rows);
    ck_assert_uint_eq(rows, p->rows);
    for (size_t i = 0; i < rows; i++) {
        ck_assert_uint_eq(row[i].pc, p->row[i].pc);
        for (int k = 0; k < COUNT_KINDS; k++)
            if (count_is_of_pairs((enum count_kind)k))
                ck_assert_uint_eq(row[i].count[k], p->row[i].count[k]);
    }
    ck_assert_uint_gt(sum(p, COUNT_USEFUL_ISSUES), 0);
    ck_assert_uint_gt(sum(p, COUNT_QUEUED_WHILE_QUEUED), 0);
    ck_assert_uint_gt(sum(p, COUNT_WAITING_WHILE_EXECUTING), 0);
    ck_assert_uint_ne(p->kinds >> COUNT_USEFUL_ISSUES & 1, 0);
    ck_assert_uint_eq(p->issue_width, config_of(_i).commit_width);
    free(row);
    count_table_fini(&table);
    done(&c);
}
END_TEST

/* Three instructions by hand, of rows 1 to 3:
 *   1  fetched in 10, issues in 12, done in 20, retires in 21
 *   2  fetched in 10, issues in 19, done in 20, retires in 21
 *   3  fetched in 20, issues in 25, done in 26, squashed
 *   4  fetched in 22, issues in 23, done in 24, retires in 60 */
START_TEST(pairs_by_hand)
{
    static const uint64_t at[4][4] = {{10, 12, 20, 21}, {10, 19, 20, 21}, {20, 25, 26, 0}, {22, 23, 24, 60}};
    static const unsigned order[4] = {2, 0, 1, 3}; /* in which they end: the squashed one is the first */
    static const uint64_t expected[4][3] = {{1, 0, 1}, {1, 0, 1}, {1, 0, 0}, {0, 0, 0}};
    static const uint64_t executing_too[4] = {1, 1, 0, 0};
    struct count_table table;
    struct count_pairs pairs;
    uint32_t row[4];
    count_table_init(&table);
    count_pairs_init(&pairs, &table);
    for (unsigned i = 0; i < 4; i++) {
        row[i] = count_table_enter(&table, 0x1000 + 4 * i);
        count_pairs_fetch(&pairs, 7 + i, at[i][0]);
        ck_assert_uint_eq(count_table_enter(&table, 0x1000 + 4 * i), row[i]); /* it is there */
    }
    for (unsigned n = 0; n < 4; n++) {
        unsigned i = order[n];
        struct probe_insn in = {.seq = 7 + i, .cause = at[i][3] == 0 ? PROBE_CAUSE_MISPREDICT : PROBE_CAUSE_NONE};
        in.stage_cycle[PROBE_FETCHED] = at[i][0];
        in.stage_cycle[PROBE_ISSUED] = at[i][1];
        in.stage_cycle[PROBE_READY_TO_RETIRE] = at[i][2];
        in.stage_cycle[PROBE_RETIRED] = at[i][3];
        count_pairs_end(&pairs, &in, row[i]);
    }
    count_pairs_finish(&pairs);
    for (unsigned i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++)
            ck_assert_uint_eq(table.row[row[i]].count[COUNT_USEFUL_ISSUES + k], expected[i][k]);
        ck_assert_uint_eq(table.row[row[i]].count[COUNT_EXECUTING_WHILE_EXECUTING], executing_too[i]);
    }
    count_pairs_fini(&pairs);
    count_table_fini(&table);
}
END_TEST

/* Memory does not grow with the time in flight: an instruction that issues after 2^50 cycles, and one that overtakes
 * it. */
START_TEST(pairs_of_a_long_flight)
{
    const uint64_t end = UINT64_C(1) << 50, issued[2] = {end, 20};
    struct count_table table;
    struct count_pairs pairs;
    uint32_t row[2];
    count_table_init(&table);
    count_pairs_init(&pairs, &table);
    for (unsigned i = 0; i < 2; i++) {
        row[i] = count_table_enter(&table, 0x1000 + 4 * i);
        count_pairs_fetch(&pairs, 1 + i, 10);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct probe_insn in = {.seq = 1 + i};
        in.stage_cycle[PROBE_FETCHED] = 10;
        in.stage_cycle[PROBE_MAPPED] = 15;
        in.stage_cycle[PROBE_ISSUED] = issued[i];
        in.stage_cycle[PROBE_READY_TO_RETIRE] = issued[i] + 1;
        in.stage_cycle[PROBE_RETIRED] = end + 2;
        count_pairs_end(&pairs, &in, row[i]);
    }
    count_pairs_finish(&pairs);
    ck_assert_uint_eq(table.row[row[0]].count[COUNT_QUEUED_WHILE_QUEUED], 20 - 15);
    ck_assert_uint_eq(table.row[row[1]].count[COUNT_QUEUED_WHILE_WAITING], end - 21);
    ck_assert_uint_lt(pairs.cycle_capacity, 1 << 12);
    count_pairs_fini(&pairs);
    count_table_fini(&table);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("counts");
    TCase *t = tcase_create("both cores");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, sums_are_those_of_the_core, 0, 2);
    tcase_add_loop_test(t, events_are_those_that_happened, 0, 2);
    tcase_add_loop_test(t, latencies_add_up, 0, 2);
    tcase_add_loop_test(t, pairs_are_those_of_brute_force, 0, 2);
    suite_add_tcase(s, t);
    t = tcase_create("pairs");
    tcase_add_test(t, pairs_by_hand);
    tcase_add_test(t, pairs_of_a_long_flight);
    suite_add_tcase(s, t);
    return run_suite(s);
}
