/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampling at retirement, on both cores: the instructions for which the sink is called, what is delivered, and that
 * latencies are those of the pipeline, with the cycles of no more stages than they need. */
#include "contract/opclass.h"
#include "core-model/prof/sampler/sampler.h"
#include "isa/pc_filters.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/pipe_guest.h"
#include "tests/unit/suite.h"

enum { ROUNDS = 500, OPEN_FROM = 2000, OPEN_TO = 2500 };

/* A sink that takes some loads, and is asked about all instructions of some cycles. */
struct sink {
    struct event_filter filter;
    uint64_t entered, asked, others, accepted, delivered, squashed;
};

static bool take(void *ctx, enum opclass c, uint64_t pc, uint64_t cycle)
{
    struct sink *d = ctx;
    (void)pc;
    d->asked++;
    d->filter.from = cycle < OPEN_TO ? OPEN_FROM : UINT64_MAX;
    d->others += c != OPCLASS_LOAD;
    ck_assert(c == OPCLASS_LOAD || cycle >= OPEN_FROM);
    if (c != OPCLASS_LOAD || d->asked % 2 == 0)
        return false;
    d->accepted++;
    return true;
}

static void deliver(void *ctx, const struct sample *s)
{
    struct sink *d = ctx;
    d->delivered++;
    ck_assert_int_eq(s->opclass, OPCLASS_LOAD);
    ck_assert_uint_ge(s->field[FIELD_DISPATCH], 1);
    ck_assert_uint_eq(s->field[FIELD_TOTAL], s->field[FIELD_DISPATCH] + s->field[FIELD_ISSUE] +
                                                 s->field[FIELD_EXECUTION] + s->field[FIELD_RETWAIT]);
    ck_assert_uint_ge(s->field[FIELD_MEMLAT], 1);
}

static void entered(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    (void)in;
    (void)cycle;
    ((struct sink *)ctx)->entered++;
}

static void squashed(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    (void)cycle;
    ck_assert_int_ne(in->cause, PROBE_CAUSE_NONE);
    ((struct sink *)ctx)->squashed++;
}

enum { LATENCIES = FIELD_MEMLAT - FIELD_DISPATCH + 1 };

/* The sums of some latencies, over the samples of all loads. */
struct sums {
    struct event_filter filter;
    uint32_t stages; /* whose cycles the sampler reads */
    struct field_set wanted;
    uint64_t of[LATENCIES];
};

static bool take_all(void *ctx, enum opclass c, uint64_t pc, uint64_t cycle)
{
    (void)ctx;
    (void)c;
    (void)pc;
    (void)cycle;
    return true;
}

static void sum_up(void *ctx, const struct sample *s)
{
    struct sums *x = ctx;
    for (unsigned i = 0; i < LATENCIES; i++)
        if (field_set_has(&x->wanted, FIELD_DISPATCH + i))
            x->of[i] += s->field[FIELD_DISPATCH + i];
}

/* Of the latencies number `from` to `to`, counted from FIELD_DISPATCH. */
static void sum_latencies(int core, unsigned from, unsigned to, struct sums *x)
{
    struct field_set wanted = {{0}};
    struct bench b;
    struct core_config cfg = config_of(core);
    for (unsigned i = from; i <= to; i++)
        field_set_add(&wanted, FIELD_DISPATCH + i);
    bench_open(&b, guess_loop(ROUNDS), &cfg);
    *x = (struct sums){.filter = {.classes = 1u << OPCLASS_LOAD, .from = UINT64_MAX}, .wanted = wanted};
    const struct sampler_setup setup = {.sampler = SAMPLER_RETIRE};
    struct sample_sink sink = {.ctx = x, .wanted = wanted, .filter = &x->filter, .accept = take_all, .deliver = sum_up};
    struct observer *sampler = sampler_new(&setup, 1, &sink);
    x->stages = sampler->probe.cycles;
    observer_attach(sampler, b.core);
    bench_finish(&b);
    observer_release(sampler);
    bench_close(&b);
}

/* A latency alone, for which the core notes two stages only, is what it is among all. */
START_TEST(a_latency_needs_its_stages_only)
{
    struct sums all, one;
    sum_latencies(_i, 0, LATENCIES - 1, &all);
    for (unsigned i = 0; i < LATENCIES; i++) {
        sum_latencies(_i, i, i, &one);
        ck_assert_uint_gt(all.of[i], 0);
        ck_assert_uint_eq(one.of[i], all.of[i]);
        ck_assert_int_eq(__builtin_popcount(one.stages), 2);
    }
}
END_TEST

START_TEST(asks_and_delivers)
{
    struct sink d = {.filter = {.classes = 1u << OPCLASS_LOAD, .from = OPEN_FROM}};
    struct bench b;
    struct core_config cfg = config_of(_i);
    bench_open(&b, guess_loop(ROUNDS), &cfg);
    const struct sampler_setup setup = {.sampler = SAMPLER_RETIRE};
    struct sample_sink sink = {.ctx = &d, .filter = &d.filter, .accept = take, .deliver = deliver};
    for (unsigned f = FIELD_DISPATCH; f <= FIELD_MEMLAT; f++)
        field_set_add(&sink.wanted, f);
    struct observer *sampler = sampler_new(&setup, 1, &sink);
    struct probe_listener count = {.ctx = &d, .stage = {[PROBE_SQUASHED] = squashed}};
    count.stage[_i == OOO ? PROBE_MAPPED : PROBE_ISSUED] = entered;
    core_subscribe(b.core, &count);
    observer_attach(sampler, b.core);
    bench_finish(&b);
    ck_assert_uint_eq(d.asked + d.filter.rejected, d.entered);
    ck_assert_uint_gt(d.others, 10);
    ck_assert_uint_gt(d.filter.rejected, d.others);
    ck_assert_uint_gt(d.delivered, ROUNDS / 2);
    ck_assert_uint_gt(d.squashed, 0);
    if (_i == OOO) /* in the other, nothing that is on the wrong path issues */
        ck_assert_uint_lt(d.delivered, d.accepted);
    observer_release(sampler);
    bench_close(&b);
}
END_TEST

/* A sink whose answers are those of its PC filters. */
struct filtering {
    struct event_filter filter;
    struct pc_filters pc_filters;
    uint64_t asked, accepted, delivered;
};

static bool take_filtered(void *ctx, enum opclass c, uint64_t pc, uint64_t cycle)
{
    struct filtering *f = ctx;
    const bool accepts = c == OPCLASS_LOAD && pc_filters_pass(&f->pc_filters, pc);
    (void)cycle;
    f->asked++;
    f->accepted += accepts;
    return accepts;
}

static void count_delivered(void *ctx, const struct sample *s)
{
    (void)s;
    ((struct filtering *)ctx)->delivered++;
}

/* `open`: PC filter 1 passes all loads; else none. */
static void sample_filtered(int core, bool open, uint32_t known, struct filtering *f)
{
    struct bench b;
    struct core_config cfg = config_of(core);
    *f = (struct filtering){.filter = {.classes = 1u << OPCLASS_LOAD, .known = known, .from = UINT64_MAX},
                            .pc_filters = {.match1 = open ? 0 : 1, .bits2 = FILTER2_BITS}};
    bench_open(&b, guess_loop(ROUNDS), &cfg);
    const struct sampler_setup setup = {.sampler = SAMPLER_RETIRE};
    struct sample_sink sink = {.ctx = f,
                               .filter = &f->filter,
                               .pc_filters = &f->pc_filters,
                               .accept = take_filtered,
                               .deliver = count_delivered};
    struct observer *sampler = sampler_new(&setup, 1, &sink);
    observer_attach(sampler, b.core);
    bench_finish(&b);
    observer_release(sampler);
    bench_close(&b);
}

/* Known answers are those that the sink gives, and are counted instead of a call. */
START_TEST(a_known_answer_needs_no_call)
{
    struct filtering asked, known;
    const bool open = _i / 2 != 0;
    sample_filtered(_i % 2, open, 0, &asked);
    sample_filtered(_i % 2, open, 1u << OPCLASS_LOAD, &known);
    ck_assert_uint_gt(asked.asked, ROUNDS);
    ck_assert_uint_eq(asked.accepted, open ? asked.asked : 0);
    ck_assert_uint_eq(known.asked, 0);
    ck_assert_uint_eq(known.filter.accepted, asked.accepted);
    ck_assert_uint_eq(known.filter.refused, asked.asked - asked.accepted);
    ck_assert_uint_eq(known.filter.rejected, asked.filter.rejected);
    ck_assert_uint_eq(known.delivered, asked.delivered);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("retire sampler");
    TCase *t = tcase_create("both cores");
    tcase_add_loop_test(t, asks_and_delivers, 0, 2);
    tcase_add_loop_test(t, a_known_answer_needs_no_call, 0, 4);
    tcase_add_loop_test(t, a_latency_needs_its_stages_only, 0, 2);
    suite_add_tcase(s, t);
    return run_suite(s);
}
