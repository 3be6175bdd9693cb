/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event counters: their totals are the core's statistics, their samples those of a brute-force look at the stream, the
 * two ways of an interrupt name the same instruction, and the skid is that of the ProfileMe paper's Figure 2. */
#include <inttypes.h>
#include <strings.h>

#include "core-model/prof/count/counter_signal.h"
#include "core-model/prof/observers.h"
#include "core-model/stats.h"
#include "host/collect/collector.h"
#include "host/collect/daemon.h"
#include "tests/unit/guest_core.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/refused.h"
#include "tests/unit/suite.h"

enum { LOOPS = 300, LOAD_AT = 80, NOPS = 400 };

/* A guest on a core with the counters of `text`. */
struct counted {
    struct bench bench;
    struct observers *set;
};

static void open_counted(struct counted *t, const struct program *p, const struct core_config *cfg, const char *text)
{
    struct errmsg err;
    bench_open(&t->bench, p, cfg);
    t->set = observers_new();
    ck_assert_msg(observers_create(t->set, text, 1, &err) == ST_OK, "%s", err.text);
    observers_attach(t->set, t->bench.core);
}

static const struct counter_profile *run_counted(struct counted *t)
{
    bench_finish(&t->bench);
    observers_finish(t->set, core_cycle(t->bench.core), &t->bench.guest.hart);
    return observers_counters(t->set)->profile;
}

static void close_counted(struct counted *t)
{
    observers_free(t->set);
    bench_close(&t->bench);
}

/* Counts of the run and statistics of the core are two ways to the same numbers. */
START_TEST(totals_are_the_statistics)
{
    static const struct {
        const char *event, *statistic;
    } same[] = {
        {"cycles", "cycles"},
        {"INST.RET", "retired"},
        {"fetched", "fetched"},
        {"squashed-mispredict", "squashed_mispredict"},
        {"squashed-ordering", "squashed_ordering"},
        {"squashed-serialise", "squashed_serialise"},
        {"loads", "loads"},
        {"stores", "stores"},
    };
    enum { SAME = sizeof same / sizeof same[0] };
    char text[1024] = "counter:period=1000:event=cycles";
    for (unsigned i = 1; i < SAME; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ",counter:event=%s:period=%u", same[i].event,
                 1 + i * 7);
    struct core_config cfg = plain_config(_i);
    struct counted t;
    open_counted(&t, loop_of_everything(LOOPS), &cfg, text);
    const struct counter_profile *p = run_counted(&t);
    for (unsigned i = 0; i < SAME; i++) {
        const struct counter_event *e = p[i].event;
        ck_assert_msg(e->total == (uint64_t)stat_of(t.bench.core, same[i].statistic), "%s", same[i].event);
        ck_assert_uint_eq(e->overflows, e->total / p[i].period);
        ck_assert_uint_le(e->overflows - e->samples - e->lost, 1);
        ck_assert_uint_eq(e->cycles, core_cycle(t.bench.core));
        ck_assert_uint_eq(e->counted, e->total);
    }
    close_counted(&t);
}
END_TEST

/* A counter of retired instructions, as simple as can be: calls for each, looks at each token. */
enum { SAMPLES = 4096 };
struct brute {
    uint64_t period, delay, left, due, pc[SAMPLES];
    unsigned samples;
};

static void count_one(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct brute *b = ctx;
    (void)in;
    if (--b->left > 0)
        return;
    b->left = b->period;
    if (b->due == 0)
        b->due = cycle + b->delay;
}

static void look_at_token(void *ctx, const struct probe_token *t)
{
    struct brute *b = ctx;
    if (b->due == 0 || t->cycle + t->repeat <= b->due || t->interrupt_pc == 0)
        return;
    MUST(b->samples < SAMPLES);
    b->pc[b->samples++] = t->interrupt_pc;
    b->due = 0;
}

/* The counter looks at instructions only where an overflow is possible, and at tokens only where one is due. */
START_TEST(samples_are_those_of_a_look_at_everything)
{
    static const uint64_t period[] = {1, 13, 401, 2003}, delay[] = {1, 6, 40};
    struct core_config cfg = plain_config(_i & 1);
    struct brute b = {.period = period[_i / 2 % 4], .delay = delay[_i / 8]};
    struct counted t;
    char text[80];
    b.left = b.period;
    snprintf(text, sizeof text, "counter:event=retired:period=%d:delay=%d", (int)b.period, (int)b.delay);
    open_counted(&t, loop_of_everything(b.period == 1 ? 30 : LOOPS), &cfg, text);
    struct probe_listener look = {.ctx = &b, .token = look_at_token};
    look.stage[PROBE_RETIRED] = count_one;
    core_subscribe(t.bench.core, &look);
    const struct counter_profile *p = run_counted(&t);
    ck_assert_uint_gt(b.samples, 1);
    ck_assert_uint_eq(p->event[0].samples, b.samples);
    uint64_t found = 0;
    for (size_t r = 0; r < p->rows; r++) {
        uint64_t of_pc = 0;
        for (unsigned n = 0; n < b.samples; n++)
            of_pc += b.pc[n] == p->row[r].pc;
        ck_assert_uint_eq(p->row[r].samples, of_pc);
        ck_assert_uint_eq(p->row[r].count[COUNT_RETIRED], of_pc);
        found += of_pc;
    }
    ck_assert_uint_eq(found, b.samples);
    close_counted(&t);
}
END_TEST

/* Runs the guest; the counter has the one sample, and *total is how many events there were. */
static uint64_t one_sample(const struct core_config *cfg, const char *event, uint64_t period, unsigned delay, bool real,
                           uint64_t *total)
{
    struct counted t;
    char text[160];
    snprintf(text, sizeof text, "counter:event=%s:period=%" PRIu64 ":delay=%u%s", event, period, delay,
             real ? ":cost=100" : "");
    open_counted(&t, loop_of_everything(40), cfg, text);
    const struct counter_profile *p = run_counted(&t);
    *total = p->event[0].total;
    ck_assert_uint_le(p->event[0].samples, 1);
    ck_assert_uint_eq(p->rows, p->event[0].samples);
    uint64_t pc = p->rows == 1 ? p->row[0].pc : 0;
    close_counted(&t);
    return pc;
}

/* Where one counter overflows once, in many places of the run. */
START_TEST(both_ways_name_the_same_instruction)
{
    static const char *const events[] = {"cycles", "retired", "fetched", "loads-issued", "mispredicted", "dcache-miss"};
    enum { PLACES = 20, NEVER = 1 << 30 };
    const char *event = events[_i / 2];
    struct core_config cfg = plain_config(_i & 1);
    uint64_t total, more, samples = 0;
    one_sample(&cfg, event, NEVER, 1, false, &total);
    for (unsigned n = 0; n < PLACES; n++) {
        unsigned delay = 1 + n % 4 * 5;
        uint64_t period = total / 5 * 3 + n * total / (3 * PLACES);
        uint64_t pc = one_sample(&cfg, event, period, delay, false, &more);
        ck_assert_uint_eq(more, total);
        ck_assert_msg(pc == one_sample(&cfg, event, period, delay, true, &more), "%s, period %d, delay %u", event,
                      (int)period, delay);
        samples += pc != 0;
    }
    ck_assert_uint_eq(samples, PLACES);
}
END_TEST

/* A handler is longer than its counter's period: the program goes on all the same, and computes the same. */
START_TEST(a_handler_leaves_time_for_the_program)
{
    struct core_config cfg = plain_config(_i);
    struct counted t, alone;
    bench_open(&alone.bench, loop_of_everything(LOOPS), &cfg);
    bench_finish(&alone.bench);
    open_counted(&t, loop_of_everything(LOOPS), &cfg,
                 "counter:event=cycles:period=1:cost=50,counter:event=fetched:period=1:cost=9");
    const struct counter_profile *p = run_counted(&t);
    ck_assert_uint_eq(core_retired(t.bench.core), core_retired(alone.bench.core));
    ck_assert_int_eq(t.bench.guest.process->exit_status, alone.bench.guest.process->exit_status);
    ck_assert_uint_gt(p[0].event[0].samples, 0);
    ck_assert_uint_gt(p[0].event[0].lost, p[0].event[0].samples);
    ck_assert_uint_ge(core_cycle(t.bench.core), core_cycle(alone.bench.core) + 50 * p[0].event[0].samples);
    close_counted(&t);
    bench_close(&alone.bench);
}
END_TEST

/* Events in turns: each cycle is of one of them, and what is counted in all turns of all is counted by one alone. */
/* A collection of two counters' samples. */
struct collection {
    struct collector *collector;
    struct daemon *daemon;
    struct counter_handler handler;
};

static uint64_t collect(void *ctx, unsigned counter, enum count_kind event, uint64_t pc, uint64_t cycle)
{
    struct collection *c = ctx;
    return collector_sample(c->collector, 0, 1000, pc, counter_sample_event(counter, event), cycle);
}

static void open_collection(struct collection *c, bool is_free)
{
    const struct collect_config config = {
#define COLLECT(key, def, min, max, unit, help, source) .key = def,
#include "contract/collect.def"
        .entry = 107,
        .exit = 107,
        .free = is_free,
    };
    struct collect_config small = config;
    small.table_entries = 4;
    small.buffer_entries = 2;
    c->daemon = daemon_new();
    c->collector = collector_new(&small, 1, daemon_add, c->daemon);
    c->handler = (struct counter_handler){.ctx = c, .handle = collect, .free = is_free};
}

static void close_collection(struct collection *c)
{
    collector_free(c->collector);
    daemon_free(c->daemon);
}

/* The daemon's samples are those of the counters' own rows. A free driver leaves the run as it is without one; another
 * makes it longer by the time of its handler and its daemon, and that of refilling the pipeline. */
START_TEST(what_is_collected_is_what_was_sampled)
{
    static const char text[] = "counter:event=loads:period=51:collect,counter:event=cycles:period=331:random:collect";
    bool is_free = _i % 2 != 0;
    struct core_config cfg = plain_config(_i / 2 % 2);
    struct counted plain, t;
    struct collection c;
    open_counted(&plain, loop_of_everything(LOOPS), &cfg, "counter:event=cycles:period=331:random");
    run_counted(&plain);
    uint64_t undisturbed = core_cycle(plain.bench.core);
    close_counted(&plain);

    struct errmsg err;
    open_collection(&c, is_free);
    bench_open(&t.bench, loop_of_everything(LOOPS), &cfg);
    t.set = observers_new();
    ck_assert_msg(observers_create(t.set, text, 1, &err) == ST_OK, "%s", err.text);
    ck_assert(observers_collect(t.set));
    observers_set_handler(t.set, &c.handler);
    observers_attach(t.set, t.bench.core);
    const struct counter_profile *p = run_counted(&t);
    collector_finish(c.collector);

    struct collect_account a = collector_account(c.collector, 0);
    ck_assert_uint_eq(a.samples, p[0].event->samples + p[1].event->samples);
    ck_assert_uint_gt(a.evicted, 0);
    uint64_t time = a.hit_cycles + a.miss_cycles + a.bypass_cycles + a.daemon_cycles;
    if (is_free)
        ck_assert_uint_eq(core_cycle(t.bench.core), undisturbed);
    else
        ck_assert_uint_ge(core_cycle(t.bench.core), undisturbed / 2 + time);
    size_t count, rows = 0;
    const struct sample_entry *e = daemon_samples(c.daemon, &count);
    for (unsigned n = 0; n < 2; n++)
        for (size_t i = 0; i < p[n].rows; i++, rows++) {
            ck_assert_uint_lt(rows, count);
            ck_assert_uint_eq(e[rows].pc, p[n].row[i].pc);
            ck_assert(p[n].collected && p[n].number == n);
            ck_assert_uint_eq(e[rows].event, counter_sample_event(n, p[n].event->kind));
            ck_assert_uint_eq(e[rows].count, p[n].row[i].count[p[n].event->kind]);
        }
    ck_assert_uint_eq(rows, count);
    close_counted(&t);
    close_collection(&c);
}
END_TEST

START_TEST(turns_share_the_cycles)
{
    struct core_config cfg = plain_config(_i);
    struct counted t;
    open_counted(&t, loop_of_everything(LOOPS), &cfg,
                 "counter:event=retired+cycles+dcache-miss+mispredicted:rotate=97:period=11,"
                 "counter:event=retired:period=11");
    const struct counter_profile *p = run_counted(&t);
    uint64_t cycles = 0, run = core_cycle(t.bench.core);
    ck_assert_uint_eq(p->events, 4);
    for (unsigned e = 0; e < p->events; e++) {
        const struct counter_event *of = &p->event[e];
        cycles += of->cycles;
        ck_assert_uint_le(of->cycles, run / 4 + 97);
        ck_assert_uint_ge(of->cycles, run / 4 - 97);
        ck_assert_uint_gt(of->counted, 0);
        ck_assert_uint_lt(of->counted, of->total);
        ck_assert_uint_eq(of->overflows, of->counted / 11);
        if (of->kind == COUNT_CYCLES)
            ck_assert_uint_eq(of->counted, of->cycles);
        if (of->kind == COUNT_RETIRED)
            ck_assert_uint_eq(of->total, p[1].event[0].total);
        ck_assert_double_eq_tol(of->estimate, (double)(of->samples + of->lost) * 11 * (double)run / (double)of->cycles,
                                1e-6);
    }
    ck_assert_uint_eq(cycles, run);
    close_counted(&t);
}
END_TEST

/* Random periods lie in the last 16th of the period, and differ. */
START_TEST(random_periods_lie_below_the_period)
{
    struct core_config cfg = plain_config(_i);
    struct counted t;
    open_counted(&t, loop_of_everything(2000), &cfg,
                 "counter:event=retired:period=160:random,counter:event=retired:period=160:random:seed=2");
    const struct counter_profile *p = run_counted(&t);
    for (int n = 0; n < 2; n++) {
        const struct counter_event *e = p[n].event;
        ck_assert_uint_ge(e->overflows, e->total / 160);
        ck_assert_uint_le(e->overflows, e->total / 150);
        ck_assert_double_eq_tol((double)e->total / (double)e->overflows, 155, 1);
        ck_assert_uint_gt(e->overflows, 100);
    }
    close_counted(&t);
}
END_TEST

/* A loop of one load that hits, at LOAD_AT, and NOPS nops behind it. Before it, a chain of as many dependent
 * multiplications as a random number says, and some nops: what is older than the load is late by different times. */
static const struct program *load_and_nops(int rounds, uint32_t *load)
{
    enum { CHAIN = 16 };
    struct program *p = program_begin();
    lui(p, S0, DATA_START);
    lui(p, T0, CODE_START);
    lui(p, S2, 0x5851f000);
    addi(p, S2, S2, 0x42d);
    addi(p, S1, ZERO, 1);
    addi(p, S3, ZERO, rounds);
    ld(p, A1, S0, 0);
    uint32_t loop = p->count;
    mul(p, S1, S1, S2);
    addi(p, S1, S1, 1234);
    srli(p, T1, S1, 28);
    andi(p, T1, T1, CHAIN - 1);
    slli(p, T1, T1, 2);
    add(p, T1, T0, T1);
    uint32_t base = p->count + 2;
    addi(p, T1, T1, (int)base * 4);
    jalr(p, ZERO, T1);
    for (int n = 0; n < CHAIN; n++)
        mul(p, S4, S4, S4);
    while (p->count < LOAD_AT)
        addi(p, ZERO, ZERO, 0);
    *load = p->count;
    ld(p, A1, S0, 0);
    for (int n = 0; n < NOPS; n++)
        addi(p, ZERO, ZERO, 0);
    addi(p, S3, S3, -1);
    branch(p, 1, S3, ZERO, loop);
    exit_with(p, ZERO);
    return p;
}

struct spread {
    double peak;    /* the largest share of an instruction */
    int peak_at;    /* its distance behind the load */
    double on_load; /* the load's share */
    unsigned wide;  /* instructions with a share of 1 % at least */
};

static struct spread spread_of(const struct counter_profile *p, uint32_t load)
{
    struct spread s = {0};
    for (size_t r = 0; r < p->rows; r++) {
        double share = (double)p->row[r].samples / (double)p->event[0].samples;
        int at = (int)((p->row[r].pc - CODE_START) / 4) - (int)load;
        if (share > s.peak) {
            s.peak = share;
            s.peak_at = at;
        }
        s.on_load += at == 0 ? share : 0;
        s.wide += share >= 0.01;
    }
    return s;
}

/* ProfileMe paper, Figure 2: with the interrupt 6 cycles late, one displaced peak on a core that issues in order; on
 * the other the samples spread over tens of instructions, and the load has none. */
START_TEST(figure_2)
{
    enum { ROUNDS = 2000 };
    uint32_t load;
    struct core_config cfg = plain_config(_i);
    const struct program *p = load_and_nops(ROUNDS, &load);
    struct counted t;
    cfg.interrupt_cycles = 6;
    open_counted(&t, p, &cfg, "counter:event=loads-issued:period=1:skid");
    const struct counter_profile *c = run_counted(&t);
    struct spread s = spread_of(c, load);
    ck_assert_uint_ge(c->event[0].samples, ROUNDS);
    ck_assert_uint_eq(c->delay, 6);
    ck_assert_double_lt(s.on_load, 0.01);
    uint64_t placed = 0, most = 0, off_load = 0;
    int64_t most_at = 0;
    for (size_t d = 0; d < c->skids; d++) {
        placed += c->skid[d].samples;
        bool is_far = c->skid[d].distance < -(int64_t)cfg.rob_entries || c->skid[d].distance > 60;
        off_load += is_far ? c->skid[d].samples : 0;
        if (c->skid[d].samples > most) {
            most = c->skid[d].samples;
            most_at = c->skid[d].distance;
        }
    }
    ck_assert_uint_eq(placed + c->unplaced, c->event[0].samples);
    ck_assert_uint_lt(off_load, placed / 100);
    ck_assert_int_eq(most_at, s.peak_at);
    if (_i == INORDER) {
        ck_assert_double_gt(s.peak, 0.9);
        ck_assert_int_gt(s.peak_at, 0);
    } else {
        ck_assert_double_lt(s.peak, 0.5);
        ck_assert_uint_ge(s.wide, 5);
    }
    close_counted(&t);
}
END_TEST

static const struct {
    const char *perf, *name;
} aliases[] = {
#define ALIAS(perf, name) {perf, name},
#include "contract/event_alias.def"
};
enum { ALIASES = sizeof aliases / sizeof aliases[0] };

static bool is_event(const char *name)
{
    for (const struct text_choice *c = counter_choices; c->name != NULL; c++)
        if (c->name[0] != '\0' && strcasecmp(c->name, name) == 0)
            return true;
    return false;
}

/* An alias is for an error alone, so it is no event, and what it suggests is one. It has one row. */
START_TEST(an_alias_suggests_an_event)
{
    ck_assert_msg(is_event(aliases[_i].name), "%s: there is no event %s", aliases[_i].perf, aliases[_i].name);
    ck_assert_msg(!is_event(aliases[_i].perf), "%s is an event", aliases[_i].perf);
    for (int n = 0; n < _i; n++)
        ck_assert_msg(strcasecmp(aliases[n].perf, aliases[_i].perf) != 0, "%s has two rows", aliases[n].perf);
}
END_TEST

/* Lists that --profile rejects, in one line each. */
START_TEST(wrong_texts)
{
    static const struct refused wrong[] = {
        {"counter", "--profile: 'counter' needs the option 'event=NAME[+NAME...]'; --profile help lists the names"},
        {"counter:event", "--profile: counter: expected 'event=NAME[+NAME...]', found 'event'"},
        {"counter:event=dcache-mis",
         "--profile: counter: there is no event 'dcache-mis' (did you mean 'dcache-miss'?); --profile help lists them"},
        {"counter:event=INST.RED",
         "--profile: counter: there is no event 'INST.RED' (did you mean 'INST.RET'?); --profile help lists them"},
        {"counter:event=load-latency",
         "--profile: counter: there is no event 'load-latency'; --profile help lists them"},
        {"counter:event=", "--profile: counter: there is no event ''; --profile help lists them"},
        {"counter:event=retired+INST.RET:rotate=9", "--profile: counter: the event 'INST.RET' is given twice"},
        {"counter:event=cycles:period=0",
         "--profile: counter: expected from 1 to 1099511627775 events after 'period=', found '0'"},
        {"counter:event=cycles:period=1099511627776",
         "--profile: counter: expected from 1 to 1099511627775 events after 'period=', found '1099511627776'"},
        {"counter:event=cycles:delay=0",
         "--profile: counter: expected from 1 to 1000000 cycles after 'delay=', found '0'"},
        {"counter:event=cycles+retired",
         "--profile: counter: several events share the counter in turns of N cycles: expected rotate=N"},
        {"counter:event=cycles:rotate=9",
         "--profile: counter: one event has no turns: expected event=NAME+NAME with rotate=N"},
        {"counter:event=cycles:skid",
         "--profile: counter: skid: expected an event of single instructions that can retire, such as dcache-miss"},
        {"counter:event=cycles:cost=1:collect", "--profile: counter: the time of the driver that collects the samples "
                                                "follows from the keys host_...: expected "
                                                "collect without cost"},
        {"counter:event=cycles:cost=1,counter:event=cycles:cost=2,counter:event=cycles:cost=3,"
         "counter:event=cycles:cost=4,counter:event=cycles:cost=5,counter:event=cycles:cost=6,"
         "counter:event=cycles:cost=7",
         "--profile: more than 6 profilers whose interrupts cost time"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        expect_refused(&wrong[i]);
}
END_TEST

/* Only events of an instruction have one that is to blame. */
START_TEST(counters_with_instructions)
{
    ck_assert(counter_has_instruction(COUNT_DCACHE_MISS));
    ck_assert(!counter_has_instruction(COUNT_RETIRED));
    ck_assert(!counter_has_instruction(COUNT_SQUASHED));
    ck_assert(!counter_has_instruction(COUNT_CYCLES));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("counter");
    TCase *t = tcase_create("counter");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, totals_are_the_statistics, 0, 2);
    tcase_add_loop_test(t, samples_are_those_of_a_look_at_everything, 0, 24);
    tcase_add_loop_test(t, both_ways_name_the_same_instruction, 0, 12);
    tcase_add_loop_test(t, a_handler_leaves_time_for_the_program, 0, 2);
    tcase_add_loop_test(t, what_is_collected_is_what_was_sampled, 0, 4);
    tcase_add_loop_test(t, turns_share_the_cycles, 0, 2);
    tcase_add_loop_test(t, random_periods_lie_below_the_period, 0, 2);
    tcase_add_loop_test(t, figure_2, 0, 2);
    tcase_add_loop_test(t, an_alias_suggests_an_event, 0, ALIASES);
    tcase_add_test(t, wrong_texts);
    tcase_add_test(t, counters_with_instructions);
    suite_add_tcase(s, t);
    return run_suite(s);
}
