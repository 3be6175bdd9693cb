/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memoised states of the out-of-order core: runs with and without them do not differ for any observer, and most cycles
 * of a loop are replayed. */
#include "contract/timeprof.h"
#include "core-model/prof/observer.h"
#include "core-model/stats.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/suite.h"

enum { MEMO_BYTES = 1 << 24, ROUNDS = 600, INTERRUPTS = 20, TOKEN_CYCLES = 40 };

/* Record of a run by an observer. */
struct seen {
    struct core *core;
    unsigned line;
    uint64_t retired, loads, tagged, interrupts, token_from, sum;
};

static void mix(struct seen *s, uint64_t number) { s->sum = (s->sum ^ number) * UINT64_C(0x9e3779b97f4a7c15); }

static void see_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct seen *s = ctx;
    mix(s, in->pc + cycle);
    mix(s, in->events);
    if (++s->retired % 500 == 0 && s->interrupts < INTERRUPTS)
        core_raise_interrupt(s->core, s->line, cycle);
}

static void see_result(void *ctx, enum opclass opclass, uint64_t pc, uint64_t value)
{
    struct seen *s = ctx;
    (void)opclass;
    s->loads++;
    mix(s, pc + value);
}

static void see_token(void *ctx, const struct probe_token *t)
{
    struct seen *s = ctx;
    mix(s, t->cycle + t->repeat);
    mix(s, t->committing + t->dispatch_pc);
}

static void see_commits(void *ctx, const struct probe_commits *c)
{
    struct seen *s = ctx;
    for (uint32_t n = 0; n < c->cycles; n++)
        mix(s, c->at[n].committing + 8 * c->at[n].stalled);
    for (uint32_t n = 0; n < c->insns; n++)
        mix(s, c->pc[n]);
}

/* Tags one renamed instruction in 7, and reads its life. */
static unsigned tag_some(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    struct seen *s = ctx;
    (void)opclass;
    mix(s, seq + pc + cycle);
    return seq % 7 == 0;
}

static void see_tagged(void *ctx, const struct probe_insn *in, unsigned tag, uint64_t cycle)
{
    struct seen *s = ctx;
    mix(s, in->pc + in->events + tag + cycle);
    s->tagged++;
}

/* Reads all banks of a token in TOKEN_CYCLES cycles. */
static void see_banks(void *ctx, const struct probe_token *t)
{
    struct seen *s = ctx;
    for (unsigned n = 0; n < t->banks; n++)
        mix(s, t->bank[n].valid ? t->bank[n].pc : n);
    mix(s, t->cycle + t->repeat + t->oir.pc);
    s->token_from = t->cycle + t->repeat + TOKEN_CYCLES;
}

static uint64_t take_interrupt(void *ctx, uint64_t cycle, uint64_t pc)
{
    struct seen *s = ctx;
    mix(s, cycle + pc);
    s->interrupts++;
    return 50;
}

enum { ROWS = 256 };
struct outcome {
    struct core_stats stats;
    uint64_t clock;
    struct seen seen;
    struct time_row row[ROWS]; /* the oracle's */
};

enum watch { UNWATCHED, WATCHED, WATCHED_LATER, WATCHED_AND_COUNTED };

static void watch(struct seen *s, bool counted)
{
    struct probe_listener watcher = {.ctx = s,
                                     .stage = {[PROBE_RETIRED] = see_retired},
                                     .result = see_result,
                                     .result_classes = 1u << OPCLASS_LOAD,
                                     .tagger = {.at = PROBE_MAPPED, .bits = 1, .tag = tag_some, .tagged = see_tagged},
                                     .token = see_token,
                                     .token_outline = true,
                                     .commits = see_commits};
    if (counted) { /* cycles are only counted if all observers of merged tokens can count */
        watcher.token = NULL;
        watcher.commits = NULL;
    }
    struct probe_listener banks = {.ctx = s, .token = see_banks, .token_from = &s->token_from};
    core_subscribe(s->core, &watcher);
    core_subscribe(s->core, &banks);
}

static struct observer *attach_oracle(struct core *core)
{
    const struct observer_setup none = {0};
    struct observer *o = observer_oracle.create(&observer_oracle, &none);
    observer_attach(o, core);
    return o;
}

/* Releases the oracle after the run, all of whose cycles it has attributed. */
static void take_rows(struct observer *oracle, struct core *core, struct outcome *o)
{
    uint64_t sum = 0;
    observer_oracle.finish(oracle, core_cycle(core), NULL);
    const struct time_profile *p = observer_oracle.time(oracle);
    ck_assert_uint_le(p->rows, ROWS);
    for (size_t n = 0; n < p->rows; n++) {
        o->row[n] = p->row[n];
        sum += time_row_total(&p->row[n]);
    }
    ck_assert_uint_eq(sum, core_cycle(core) * TIME_PER_CYCLE);
    observer_release(oracle);
}

/* Runs the program in parts, the last of which counts from a new beginning. Returns the number of replayed cycles. */
static uint64_t run_it(const struct program *p, const struct core_config *cfg, uint64_t bytes, enum watch watched,
                       struct outcome *o)
{
    struct bench b;
    bench_open(&b, p, cfg);
    *o = (struct outcome){.seen.core = b.core};
    core_memoise(b.core, bytes, false);
    o->seen.line = core_connect_interrupt(b.core, take_interrupt, &o->seen);
    if (watched == WATCHED || watched == WATCHED_AND_COUNTED)
        watch(&o->seen, watched == WATCHED_AND_COUNTED);
    ck_assert_int_eq(core_run(b.core, 5001), RV_TRAP_LIMIT);
    core_check(b.core);
    core_begin(b.core);
    if (watched == WATCHED_LATER)
        watch(&o->seen, false);
    struct observer *oracle = watched == WATCHED_AND_COUNTED ? attach_oracle(b.core) : NULL;
    bench_finish(&b);
    core_check(b.core);
    if (oracle != NULL)
        take_rows(oracle, b.core, o);
    o->stats = core_statistics(b.core);
    o->clock = core_clock(b.core);
    o->seen.core = NULL;
    const struct memo_counts counts = core_memo_counts(b.core);
    ck_assert(counts.replayed == 0 || counts.states > 0);
    bench_close(&b);
    return counts.replayed;
}

/* Loads that miss, with idle cycles behind them. */
static const struct program *missing_loop(int rounds)
{
    enum { LINES = 64 };
    struct program *p = program_begin();
    addi(p, T0, ZERO, rounds);
    uint32_t round = p->count;
    lui(p, S2, DATA_START);
    addi(p, T1, ZERO, LINES);
    uint32_t line = p->count;
    ld(p, T2, S2, 0);
    add(p, T3, T3, T2);
    sd(p, T3, S2, 8);
    addi(p, S2, S2, 64);
    addi(p, T1, T1, -1);
    branch(p, 1, T1, ZERO, line);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, round);
    exit_with(p, ZERO);
    return p;
}

/* A branch on a random bit, over more code than the instruction cache of a small core holds: the ROB is empty for many
 * cycles behind a misprediction. */
static const struct program *far_loop(int rounds)
{
    enum { OVER = 80 };
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, T0, ZERO, rounds);
    guess_begin(p);
    uint32_t round = p->count;
    ld(p, T2, S2, 0);
    guess_step(p);
    guess_bit(p);
    branch(p, 1, T3, ZERO, p->count + 1 + OVER);
    for (int n = 0; n < OVER; n++)
        addi(p, T5, T5, 1);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, round);
    exit_with(p, ZERO);
    return p;
}

/* An atomic on memory that is shared, which defers it, or this process's own, by a random bit. */
static const struct program *shared_loop(int rounds)
{
    enum { MMAP = 222, READ_WRITE = 3, SHARED_ANONYMOUS = 0x21 };
    struct program *p = program_begin();
    addi(p, A0, ZERO, 0);
    lui(p, A1, 0x1000);
    addi(p, A2, ZERO, READ_WRITE);
    addi(p, A3, ZERO, SHARED_ANONYMOUS);
    addi(p, A4, ZERO, -1);
    addi(p, A5, ZERO, 0);
    system_call(p, MMAP);
    lui(p, S3, DATA_START);
    sub(p, S3, S3, A0);
    addi(p, T1, ZERO, 1);
    addi(p, T0, ZERO, rounds);
    uint32_t round = p->count;
    slli(p, T2, T1, 13); /* T1 is a random number (xorshift) */
    xor_(p, T1, T1, T2);
    srli(p, T2, T1, 7);
    xor_(p, T1, T1, T2);
    slli(p, T2, T1, 17);
    xor_(p, T1, T1, T2);
    andi(p, T2, T1, 1);
    mul(p, T2, T2, S3);
    add(p, S2, A0, T2);
    amoadd(p, T5, T0, S2);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, round);
    exit_with(p, ZERO);
    return p;
}

/* Calls of functions, each on a page of its own, which the first call accesses first. */
static const struct program *paged_loop(int rounds)
{
    enum { PAGE_WORDS = 1024, PAGES = 4 };
    struct program *p = program_begin();
    lui(p, S2, CODE_START + 4 * PAGE_WORDS);
    addi(p, T0, ZERO, rounds);
    guess_begin(p);
    uint32_t round = p->count;
    guess_step(p);
    srli(p, T3, T4, 20);
    andi(p, T3, T3, PAGES - 1);
    slli(p, T3, T3, 12);
    add(p, T3, T3, S2);
    jalr(p, RA, T3);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, round);
    exit_with(p, ZERO);
    for (uint32_t page = 1; page <= PAGES; page++) {
        while (p->count < page * PAGE_WORDS)
            addi(p, T5, T5, 1);
        jalr(p, ZERO, RA);
    }
    return p;
}

/* A load through a pointer that is 0 by a random bit, behind a test of it: on the wrong path the load has a trap. */
static const struct program *null_loop(int rounds)
{
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, T0, ZERO, rounds);
    guess_begin(p);
    uint32_t round = p->count;
    guess_step(p);
    guess_bit(p);
    mul(p, T3, T3, S2);
    branch(p, 0, T3, ZERO, p->count + 4);
    addi(p, T5, T5, 1);
    ld(p, T2, T3, 0);
    add(p, T5, T5, T2);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, round);
    exit_with(p, ZERO);
    return p;
}

/* A load behind more stores than a memoised search covers; the oldest of them has its bytes. */
static const struct program *stores_loop(int rounds)
{
    enum { STORES = 70 };
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, T0, ZERO, rounds);
    uint32_t round = p->count;
    for (int n = 0; n <= STORES; n++)
        sd(p, T0, S2, n * 8);
    ld(p, T2, S2, 0);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, round);
    exit_with(p, ZERO);
    return p;
}

enum { MANY_STORES = 4 };
static struct core_config variant(int which)
{
    struct core_config cfg = which % 2 == 0 ? config_of(OOO) : faulting(OOO);
    if (which == MANY_STORES) {
        cfg.store_queue = 128;
        cfg.rob_entries = cfg.mem_queue = 256;
        return cfg;
    }
    if (which >= 2) { /* small structures, which fill */
        cfg.rob_entries = 12;
        cfg.store_queue = cfg.load_queue = 3;
        cfg.int_queue = cfg.mem_queue = 4;
        cfg.mul_pipelined = 0;
        cfg.store_drain = 2;
        cfg.l1d_bytes = 512;
        cfg.l1d_ways = cfg.l1i_ways = 1;
        cfg.l1i_bytes = 256;
    }
    return cfg;
}

static void compare(const struct program *p, int which, uint64_t bytes, enum watch watched, uint64_t least)
{
    const struct core_config cfg = variant(which);
    struct outcome simulated, memoised;
    ck_assert_uint_eq(run_it(p, &cfg, 0, watched, &simulated), 0);
    ck_assert_uint_ge(run_it(p, &cfg, bytes, watched, &memoised), least);
    ck_assert_uint_eq(memoised.clock, simulated.clock);
    ck_assert_mem_eq(&memoised.stats, &simulated.stats, sizeof simulated.stats);
    ck_assert_mem_eq(&memoised.seen, &simulated.seen, sizeof simulated.seen);
    ck_assert_mem_eq(memoised.row, simulated.row, sizeof simulated.row);
    if (watched != UNWATCHED)
        ck_assert(simulated.seen.loads > 0 && simulated.seen.tagged > 0 && simulated.seen.interrupts == INTERRUPTS &&
                  simulated.seen.token_from > 0);
}

START_TEST(without_observers)
{
    compare(eventful_loop(ROUNDS), _i, MEMO_BYTES, UNWATCHED, 0); /* fence.i empties the table */
    compare(guess_loop(ROUNDS * 4), _i, MEMO_BYTES, UNWATCHED, 1000);
    compare(missing_loop(ROUNDS / 10), _i, MEMO_BYTES, UNWATCHED, 1000);
    compare(shared_loop(ROUNDS * 3), _i, MEMO_BYTES, UNWATCHED, 1000);
    compare(paged_loop(ROUNDS * 2), _i, MEMO_BYTES, UNWATCHED, 1000);
    compare(null_loop(ROUNDS * 3), _i, MEMO_BYTES, UNWATCHED, 1000);
}
END_TEST

START_TEST(store_queue_is_long) { compare(stores_loop(ROUNDS), MANY_STORES, MEMO_BYTES, UNWATCHED, 0); }
END_TEST

START_TEST(observers_see_the_same)
{
    compare(eventful_loop(ROUNDS), _i, MEMO_BYTES, WATCHED, 0);
    compare(guess_loop(ROUNDS * 4), _i, MEMO_BYTES, WATCHED, 1000);
    compare(missing_loop(ROUNDS / 10), _i, MEMO_BYTES, WATCHED, 1000);
    compare(null_loop(ROUNDS * 3), _i, MEMO_BYTES, WATCHED, 1000);
}
END_TEST

/* The oracle takes equal cycles counted. */
START_TEST(cycles_are_counted)
{
    compare(eventful_loop(ROUNDS), _i, MEMO_BYTES, WATCHED_AND_COUNTED, 0);
    compare(guess_loop(ROUNDS * 4), _i, MEMO_BYTES, WATCHED_AND_COUNTED, 1000);
    compare(missing_loop(ROUNDS / 10), _i, MEMO_BYTES, WATCHED_AND_COUNTED, 1000);
    compare(far_loop(ROUNDS), _i, MEMO_BYTES, WATCHED_AND_COUNTED, 1000);
}
END_TEST

/* Case of --warmup: states are memoised before there are observers. */
/* An observer that counts comes between two parts of a run, without a new beginning: all of the second part is its. */
START_TEST(counts_from_then_on)
{
    struct bench b;
    const struct program *p = guess_loop(ROUNDS * 4);
    const struct core_config cfg = config_of(OOO);
    uint64_t sum = 0;
    bench_open(&b, p, &cfg);
    core_memoise(b.core, MEMO_BYTES, false);
    ck_assert_int_eq(core_run(b.core, 50001), RV_TRAP_LIMIT);
    ck_assert_uint_gt(core_memo_counts(b.core).replayed, 1000);
    const uint64_t before = core_cycle(b.core);
    struct observer *oracle = attach_oracle(b.core);
    bench_finish(&b);
    observer_oracle.finish(oracle, core_cycle(b.core) - before, NULL);
    const struct time_profile *t = observer_oracle.time(oracle);
    for (size_t n = 0; n < t->rows; n++)
        sum += time_row_total(&t->row[n]);
    ck_assert_uint_eq(sum, (core_cycle(b.core) - before) * TIME_PER_CYCLE);
    observer_release(oracle);
    bench_close(&b);
}
END_TEST

START_TEST(observers_come_later) { compare(guess_loop(ROUNDS * 4), _i, MEMO_BYTES, WATCHED_LATER, 1000); }
END_TEST

/* A table that is emptied again and again. */
START_TEST(little_memory) { compare(guess_loop(ROUNDS * 4), _i, 1, UNWATCHED, 0); }
END_TEST

/* With `checks` nothing is replayed. */
START_TEST(checks_alone)
{
    struct bench b;
    const struct core_config cfg = variant(_i);
    bench_open(&b, eventful_loop(ROUNDS), &cfg);
    core_memoise(b.core, MEMO_BYTES, true);
    bench_finish(&b);
    const struct memo_counts counts = core_memo_counts(b.core);
    ck_assert_uint_eq(counts.replayed, 0);
    ck_assert_uint_gt(counts.recorded, counts.states);
    bench_close(&b);
}
END_TEST

/* The in-order core has none. */
START_TEST(in_order)
{
    struct bench b;
    const struct core_config cfg = config_of(INORDER);
    bench_open(&b, eventful_loop(10), &cfg);
    core_memoise(b.core, MEMO_BYTES, false);
    bench_finish(&b);
    ck_assert_uint_eq(core_memo_counts(b.core).recorded, 0);
    bench_close(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("memo");
    TCase *t = tcase_create("memo");
    tcase_add_loop_test(t, without_observers, 0, 4);
    tcase_add_test(t, store_queue_is_long);
    tcase_add_loop_test(t, observers_see_the_same, 0, 4);
    tcase_add_loop_test(t, cycles_are_counted, 0, 4);
    tcase_add_loop_test(t, observers_come_later, 0, 4);
    tcase_add_test(t, counts_from_then_on);
    tcase_add_loop_test(t, little_memory, 0, 4);
    tcase_add_loop_test(t, checks_alone, 0, 4);
    tcase_add_test(t, in_order);
    suite_add_tcase(s, t);
    return run_suite(s);
}
