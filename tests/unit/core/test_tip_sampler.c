/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sampler `tip` on hand-written commit tokens (TIP paper, section 3.1 and Figure 4), and on a core beside the
 * profiler. */
#include "contract/pics.h"
#include "core-model/prof/observers.h"
#include "core-model/prof/sampler/sampler.h"
#include "tests/unit/guest_core.h"
#include "tests/unit/suite.h"

enum { PERIOD = 10, BANKS = 4, MOST = 4096, ALU = CODE_START, LOAD = CODE_START + 4, DIVIDE = CODE_START + 8 };

/* Samples delivered, and a sink that rejects divisions. */
struct fed {
    struct event_filter filter, due;
    unsigned asked, samples, times;
    uint64_t last_cycle;
    struct sample sample[MOST];
};

static bool take(void *ctx, enum opclass c, uint64_t pc, uint64_t now)
{
    struct fed *f = ctx;
    (void)pc;
    ck_assert_uint_ge(now, f->last_cycle);
    f->last_cycle = now;
    f->asked++;
    return c != OPCLASS_DIV;
}

static void deliver(void *ctx, const struct sample *s)
{
    struct fed *f = ctx;
    ck_assert_uint_lt(f->samples, MOST);
    ck_assert_uint_eq(s->cycle, f->last_cycle);
    f->sample[f->samples++] = *s;
}

static void pass_time(void *ctx, uint64_t now)
{
    struct fed *f = ctx;
    ck_assert_uint_ge(now, f->due.from);
    f->due.from = now + 100;
    f->times++;
}

static struct field_set wanted_fields(const struct sampler_setup *setup)
{
    struct field_set wanted = {{0}};
    for (unsigned f = 0; f < FIELD_COUNT; f++)
        if (sampler_check_field(setup, (enum sample_field)f, NULL) == ST_OK)
            field_set_add(&wanted, f);
    return wanted;
}

static struct observer *new_sampler(struct fed *f, const char *text)
{
    struct sampler_setup setup;
    struct errmsg err;
    ck_assert_msg(sampler_parse("--sampler", text, &setup, &err) == ST_OK, "%s", err.text);
    *f = (struct fed){.due = {.from = 0}};
    struct sample_sink sink = {.ctx = f,
                               .wanted = wanted_fields(&setup),
                               .filter = &f->filter,
                               .due = &f->due,
                               .pass_time = pass_time,
                               .accept = take,
                               .deliver = deliver};
    return sampler_new(&setup, 1, &sink);
}

static struct bench bench;
static struct fed fed;
static struct observer *sampler;
static uint64_t cycle;

/* A core for its program alone; the tokens are the test's. */
static void open_stream_of(const char *text)
{
    struct program *p = program_begin();
    struct core_config cfg = config_of(OOO);
    addi(p, T0, T0, 1);
    ld(p, T1, S0, 0);
    div_(p, T2, T0, T1);
    exit_with(p, ZERO);
    bench_open(&bench, p, &cfg);
    sampler = new_sampler(&fed, text);
    observer_attach(sampler, bench.core);
    cycle = core_clock(bench.core);
}

static void open_stream(void) { open_stream_of("tip:period=10"); }

static void close_stream(void)
{
    observer_release(sampler);
    bench_close(&bench);
}

static void send(struct probe_token t)
{
    t.cycle = cycle;
    t.banks = BANKS;
    if (t.repeat == 0)
        t.repeat = 1;
    if (*sampler->probe.token_from < t.cycle + t.repeat)
        sampler->probe.token(sampler->probe.ctx, &t);
    cycle += t.repeat;
}

/* The oldest is at `pc` and does not commit. */
static void stall(uint64_t pc, uint64_t cycles)
{
    struct probe_token t = {.repeat = cycles, .head = 1};
    t.bank[1].pc = pc;
    t.bank[1].valid = true;
    send(t);
}

static void drained(struct probe_oir oir, uint64_t cycles)
{
    send((struct probe_token){.repeat = cycles, .rob_empty = true, .oir = oir});
}

static void expect(unsigned n, uint64_t pc, uint64_t flags, uint64_t valid, uint64_t cycles, uint64_t at)
{
    ck_assert_uint_lt(n, fed.samples);
    const struct sample *s = &fed.sample[n];
    ck_assert_uint_eq(s->field[FIELD_TIPPC0], sample_pc32(pc));
    ck_assert_uint_eq(s->field[FIELD_PC], pc);
    ck_assert_uint_eq(s->field[FIELD_TIPFLAGS], flags);
    ck_assert_uint_eq(s->field[FIELD_TIPVALID], valid);
    ck_assert_uint_eq(s->field[FIELD_TIPCYCLES], cycles);
    ck_assert_uint_eq(s->field[FIELD_CYCLE], at);
    ck_assert_uint_eq(s->field[FIELD_SEQ], n);
    ck_assert_int_eq(s->opclass, pc == ALU ? OPCLASS_INT : OPCLASS_LOAD);
    ck_assert_uint_eq(s->field[FIELD_CLASS], s->opclass);
}

/* Three commit, the oldest in bank 3: the fields are in the order of age, whatever the banks are. */
START_TEST(computing)
{
    struct probe_token t = {.committing = 3, .head = 3};
    const uint64_t pc[] = {ALU, LOAD, DIVIDE};
    open_stream();
    stall(LOAD, PERIOD - 1);
    for (unsigned n = 0; n < 3; n++) {
        t.bank[(3 + n) % BANKS].pc = pc[n];
        t.bank[(3 + n) % BANKS].valid = t.bank[(3 + n) % BANKS].commits = true;
    }
    t.bank[2].pc = ALU;
    t.bank[2].valid = true; /* it does not commit */
    send(t);
    ck_assert_uint_eq(fed.samples, 1);
    expect(0, ALU, 3 << 5, 7, PERIOD, PERIOD - 1);
    ck_assert_uint_eq(fed.sample[0].field[FIELD_TIPPC1], sample_pc32(LOAD));
    ck_assert_uint_eq(fed.sample[0].field[FIELD_TIPPC2], sample_pc32(DIVIDE));
    ck_assert_uint_eq(fed.sample[0].field[FIELD_TIPPC3], 0);
    close_stream();
}
END_TEST

/* A stall of many periods is that many samples, each with the cycle of its trigger. */
START_TEST(stalled)
{
    open_stream();
    stall(LOAD, 3 * PERIOD + 2);
    ck_assert_uint_eq(fed.samples, 3);
    for (unsigned n = 0; n < 3; n++)
        expect(n, LOAD, TIP_STALLED | 1 << 5, 1, PERIOD, (n + 1) * PERIOD - 1);
    close_stream();
}
END_TEST

/* The ROB is empty behind an instruction that is to blame: the sample is complete at once. */
START_TEST(flushed)
{
    open_stream();
    drained((struct probe_oir){.pc = ALU, .mispredicted = true}, PERIOD);
    drained((struct probe_oir){.pc = LOAD, .exception = true}, PERIOD);
    ck_assert_uint_eq(fed.samples, 2);
    expect(0, ALU, TIP_MISPREDICTED, 1, PERIOD, PERIOD - 1);
    expect(1, LOAD, TIP_EXCEPTION, 1, PERIOD, 2 * PERIOD - 1);
    close_stream();
}
END_TEST

/* Fetch delivers nothing: the sample waits for the first instruction to enter, and stands for the triggers until then.
 * Another one of the same cycles comes in the cycle of the dispatch. */
START_TEST(front_end)
{
    open_stream();
    drained((struct probe_oir){.pc = ALU}, 2 * PERIOD + 5);
    ck_assert_uint_eq(fed.samples, 0);
    send((struct probe_token){
        .rob_empty = true, .dispatching = true, .dispatch_pc = LOAD, .oir = {.pc = ALU}, .head = 2});
    ck_assert_uint_eq(fed.samples, 1);
    expect(0, LOAD, TIP_FRONTEND | 2 << 5, 1, 2 * PERIOD, 2 * PERIOD + 5);
    stall(LOAD, PERIOD);
    expect(1, LOAD, TIP_STALLED | 1 << 5, 1, PERIOD, 3 * PERIOD - 1);
    close_stream();
}
END_TEST

/* Time of a handler, of instructions that the filters reject, and before the first instruction is in no sample. Numbers
 * count what is delivered. */
START_TEST(not_offered)
{
    open_stream();
    send((struct probe_token){.repeat = PERIOD, .rob_empty = true, .handler = true, .oir = {.flush = true}});
    drained((struct probe_oir){.flush = true}, PERIOD);
    ck_assert_uint_eq(fed.asked, 0);
    stall(DIVIDE, PERIOD);
    ck_assert_uint_eq(fed.asked, 1);
    ck_assert_uint_eq(fed.samples, 0);
    stall(LOAD, PERIOD);
    ck_assert_uint_eq(fed.samples, 1);
    expect(0, LOAD, TIP_STALLED | 1 << 5, 1, PERIOD, 4 * PERIOD - 1);
    close_stream();
}
END_TEST

/* One instruction, which has had these events, commits in bank 1. */
static void commit_with(uint64_t pc, uint32_t events)
{
    struct probe_token t = {.committing = 1, .head = 1};
    t.bank[1].pc = pc;
    t.bank[1].events = events;
    t.bank[1].valid = t.bank[1].commits = true;
    t.bank[1].mispredicted = (events & PROBE_MISPREDICTED) != 0;
    send(t);
}

static void expect_events(unsigned n, uint64_t events)
{
    ck_assert_uint_lt(n, fed.samples);
    ck_assert_uint_eq(fed.sample[n].field[FIELD_TIPEVENTS], events);
}

/* The misses of a stalled load are known when it commits. Each trigger in the meantime gives a sample. */
START_TEST(events_of_a_stall)
{
    enum { MISSES = 1 << PICS_BIT_ST_L1 | 1 << PICS_BIT_ST_TLB };
    open_stream_of("tip:period=10:events");
    stall(LOAD, 2 * PERIOD + 3);
    ck_assert_uint_eq(fed.samples, 0);
    commit_with(LOAD, PROBE_DCACHE_MISS | PROBE_DTLB_MISS);
    ck_assert_uint_eq(fed.samples, 2);
    for (unsigned n = 0; n < 2; n++) {
        expect(n, LOAD, TIP_STALLED, 1, PERIOD, 2 * PERIOD + 3);
        expect_events(n, MISSES);
    }
    close_stream();
}
END_TEST

/* A drained ROB is the next instruction's; an interrupt squashes what stalls, and takes the place of what is awaited.
 */
START_TEST(events_of_a_drain_and_an_interrupt)
{
    const struct probe_token handler = {.rob_empty = true, .handler = true, .repeat = 3, .oir = {.flush = true}};
    open_stream_of("tip:period=10:events");
    drained((struct probe_oir){.pc = ALU}, PERIOD);
    send((struct probe_token){.rob_empty = true, .dispatching = true, .dispatch_pc = LOAD, .oir = {.pc = ALU}});
    ck_assert_uint_eq(fed.samples, 0);
    commit_with(LOAD, PROBE_ICACHE_MISS);
    expect(0, LOAD, TIP_FRONTEND, 1, PERIOD, PERIOD + 1);
    expect_events(0, 1 << PICS_BIT_DR_L1);
    stall(LOAD, PERIOD - 1);
    send(handler);
    ck_assert_uint_eq(fed.samples, 2);
    expect_events(1, PICS_NO_EVENT);
    drained((struct probe_oir){.pc = ALU}, PERIOD);
    send(handler);
    ck_assert_uint_eq(fed.samples, 2);
    close_stream();
}
END_TEST

/* The offender of an empty ROB, and committing instructions, have their signatures at once, the oldest in the lowest
 * bits. */
START_TEST(events_at_once)
{
    struct probe_token t = {.committing = 2, .head = 3};
    open_stream_of("tip:period=10:events");
    drained((struct probe_oir){.pc = ALU, .mispredicted = true, .events = PROBE_MISPREDICTED}, PERIOD);
    expect(0, ALU, TIP_MISPREDICTED, 1, PERIOD, PERIOD - 1);
    expect_events(0, 1 << PICS_BIT_FL_MB);
    stall(LOAD, PERIOD - 1);
    t.bank[3].pc = ALU, t.bank[0].pc = LOAD;
    t.bank[3].valid = t.bank[3].commits = t.bank[0].valid = t.bank[0].commits = true;
    t.bank[0].events = PROBE_DCACHE_MISS;
    send(t);
    expect(1, ALU, 3 << 5, 3, PERIOD, 2 * PERIOD - 1);
    expect_events(1, PICS_NO_EVENT | (uint64_t)1 << (16 + PICS_BIT_ST_L1));
    close_stream();
}
END_TEST

/* An exception completes the signature of its instruction. */
START_TEST(events_of_an_exception)
{
    struct probe_token t = {.exception = true, .exception_pc = LOAD, .head = 1};
    open_stream_of("tip:period=10:events");
    stall(LOAD, PERIOD);
    t.bank[1].pc = LOAD;
    t.bank[1].valid = true;
    t.oir = (struct probe_oir){.pc = LOAD, .exception = true};
    send(t);
    expect(0, LOAD, TIP_STALLED, 1, PERIOD, PERIOD);
    expect_events(0, 1 << PICS_BIT_FL_EX);
    close_stream();
}
END_TEST

/* A loop of loads, additions and branches. */
static void loop(struct program *p)
{
    lui(p, S0, DATA_START);
    addi(p, T0, ZERO, 900);
    uint32_t round = p->count;
    ld(p, T1, S0, 0);
    mul(p, T2, T1, T0);
    add(p, T3, T2, T1);
    sd(p, T3, S0, 0);
    andi(p, T4, T3, 8);
    branch(p, 0, T4, ZERO, p->count + 2);
    addi(p, T5, T5, 1);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, round);
    exit_with(p, ZERO);
}

/* The time that a profile gives to an address. */
static double time_at(const struct time_profile *p, uint64_t pc)
{
    for (size_t r = 0; r < p->rows; r++)
        if (p->row[r].pc == pc)
            return (double)time_row_total(&p->row[r]) / TIME_PER_CYCLE;
    return 0;
}

/* The samples, each shared among its valid addresses if no flag is set, give the profile of the profiler with the same
 * settings, to the last cycle. */
START_TEST(agrees_with_the_profiler)
{
    struct core_config cfg = config_of(_i);
    struct program *p = program_begin();
    struct observers *set = observers_new();
    struct errmsg err;
    double sum[PROGRAM_MAX] = {0};
    enum { FLAGS = 0x1f };
    loop(p);
    bench_open(&bench, p, &cfg);
    sampler = new_sampler(&fed, "tip:period=7:random:seed=5");
    ck_assert_int_eq(observers_create(set, "tip:period=7:random:seed=5", 1, &err), ST_OK);
    observers_add(set, sampler);
    observers_attach(set, bench.core);
    bench_finish(&bench);
    observers_finish(set, core_cycle(bench.core), NULL);
    for (unsigned n = 0; n < fed.samples; n++) {
        const uint64_t *f = fed.sample[n].field;
        unsigned shares = (f[FIELD_TIPFLAGS] & FLAGS) == 0 ? (unsigned)__builtin_popcountll(f[FIELD_TIPVALID]) : 1;
        for (unsigned k = 0; k < shares; k++)
            sum[(sample_pc_of((uint32_t)f[FIELD_TIPPC0 + k]) - CODE_START) / 4] += (double)f[FIELD_TIPCYCLES] / shares;
    }
    ck_assert_uint_gt(fed.samples, 500);
    ck_assert_uint_gt(fed.times, 10);
    const struct time_profile *profile = &observers_time(set)->profile[0];
    for (unsigned w = 0; w < p->count; w++)
        ck_assert_double_eq_tol(sum[w], time_at(profile, CODE_START + 4 * w), 1e-6);
    observers_free(set);
    bench_close(&bench);
}
END_TEST

/* The time that a profile of cycle stacks gives to an address and a signature. */
static double component_at(const struct pics_profile *p, uint64_t pc, uint64_t signature)
{
    for (size_t r = 0; r < p->rows; r++)
        if (p->row[r].pc == pc && pics_signature16(p->row[r].signature) == signature)
            return (double)pics_row_total(&p->row[r]) / TIME_PER_CYCLE;
    return 0;
}

/* With events the samples give the profile of `tea` with the same settings. */
START_TEST(agrees_with_tea)
{
    enum { SIGNATURES = 1 << 16 };
    struct core_config cfg = config_of(_i);
    struct program *p = program_begin();
    struct observers *set = observers_new();
    struct errmsg err;
    double(*sum)[SIGNATURES] = xcalloc(PROGRAM_MAX, sizeof *sum);
    loop(p);
    bench_open(&bench, p, &cfg);
    sampler = new_sampler(&fed, "tip:period=7:random:seed=5:events");
    ck_assert_int_eq(observers_create(set, "tea:period=7:random:seed=5", 1, &err), ST_OK);
    observers_add(set, sampler);
    observers_attach(set, bench.core);
    bench_finish(&bench);
    observers_finish(set, core_cycle(bench.core), NULL);
    for (unsigned n = 0; n < fed.samples; n++) {
        const uint64_t *f = fed.sample[n].field;
        unsigned shares = 0;
        for (unsigned k = 0; k < 4; k++)
            shares += (f[FIELD_TIPEVENTS] >> 16 * k & 0xffff) != 0;
        for (unsigned k = 0; k < shares; k++)
            sum[(sample_pc_of((uint32_t)f[FIELD_TIPPC0 + k]) - CODE_START) / 4]
               [f[FIELD_TIPEVENTS] >> 16 * k & 0xffff] += (double)f[FIELD_TIPCYCLES] / shares;
    }
    ck_assert_uint_gt(fed.samples, 500);
    const struct pics_profile *profile = &observers_pics(set)->profile[0];
    for (unsigned w = 0; w < p->count; w++)
        for (unsigned signature = 1; signature < SIGNATURES; signature++)
            if (sum[w][signature] != 0 || w == 0)
                ck_assert_double_eq_tol(sum[w][signature], component_at(profile, CODE_START + 4 * w, signature), 1e-6);
    free(sum);
    observers_free(set);
    bench_close(&bench);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("tip sampler");
    TCase *t = tcase_create("tokens");
    tcase_add_test(t, computing);
    tcase_add_test(t, stalled);
    tcase_add_test(t, flushed);
    tcase_add_test(t, front_end);
    tcase_add_test(t, not_offered);
    tcase_add_test(t, events_of_a_stall);
    tcase_add_test(t, events_of_a_drain_and_an_interrupt);
    tcase_add_test(t, events_at_once);
    tcase_add_test(t, events_of_an_exception);
    suite_add_tcase(s, t);
    t = tcase_create("cores");
    tcase_add_loop_test(t, agrees_with_the_profiler, 0, 2);
    tcase_add_loop_test(t, agrees_with_tea, 0, 2);
    suite_add_tcase(s, t);
    return run_suite(s);
}
