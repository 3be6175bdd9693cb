/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sampler `profileme`, and the fields that its records and those of retired instructions have, against the stages
 * of every instruction of the run as an observer has noted them. */
#include "core-model/prof/sampler/sampler.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/pipe_guest.h"
#include "tests/unit/suite.h"

enum { MOST = 1 << 15, WAYS = 2, LINE = 64, SETS = 8, ROUNDS = 2000 };

struct fed {
    struct event_filter filter, due;
    struct trace *trace;
    unsigned asked, rejected, samples, times;
    uint64_t first;     /* fetch number of the instruction that was accepted last */
    uint64_t seq[MOST]; /* of each sample's */
    struct sample sample[MOST];
    struct sampler_selections selections;
};

/* Rejects multiplications. The trace has seen the instruction that is asked about, which is being fetched. */
static bool take(void *ctx, enum opclass c, uint64_t pc, uint64_t cycle)
{
    struct fed *f = ctx;
    ck_assert_uint_eq(f->trace->life[f->trace->last_seq].pc, pc);
    ck_assert_uint_eq(f->trace->life[f->trace->last_seq].at[PROBE_FETCHED], cycle);
    f->asked++;
    f->rejected += c == OPCLASS_MUL;
    f->first = f->trace->last_seq;
    return c != OPCLASS_MUL;
}

static bool take_all(void *ctx, enum opclass c, uint64_t pc, uint64_t cycle)
{
    (void)ctx, (void)c, (void)pc, (void)cycle;
    return true;
}

static void deliver(void *ctx, const struct sample *s)
{
    struct fed *f = ctx;
    ck_assert_uint_lt(f->samples, MOST);
    f->seq[f->samples] = f->first;
    f->sample[f->samples++] = *s;
}

static void pass_time(void *ctx, uint64_t cycle)
{
    struct fed *f = ctx;
    f->due.from = cycle + 50;
    f->times++;
}

/* Runs the program under the trace and the sampler, which supplies all fields that it can. */
static struct fed *run(const struct program *p, const struct core_config *cfg, const char *text,
                       bool (*accept)(void *, enum opclass, uint64_t, uint64_t), struct run *r)
{
    struct fed *f = xcalloc(1, sizeof *f);
    struct sampler_setup setup;
    struct errmsg err;
    ck_assert_msg(sampler_parse("--sampler", text, &setup, &err) == ST_OK, "%s", err.text);
    guest_of(&r->guest, p);
    r->core = core_new(cfg, &r->guest);
    r->trace = (struct trace){.core = r->core, .life = xcalloc(TRACE_MIN, sizeof *r->trace.life), .lives = TRACE_MIN};
    struct probe_listener o = {.ctx = &r->trace,
                               .cycles = PROBE_ALL_CYCLES,
                               .stage = {trace_fetched, trace_mapped, trace_ready, trace_issued, trace_loaded,
                                         trace_done, trace_retired, trace_squashed}};
    f->trace = &r->trace;
    f->filter.classes = UINT32_MAX;
    struct sample_sink sink = {
        .ctx = f, .filter = &f->filter, .due = &f->due, .pass_time = pass_time, .accept = accept, .deliver = deliver};
    for (unsigned i = 0; i < FIELD_COUNT; i++)
        if (sampler_check_field(&setup, (enum sample_field)i, NULL) == ST_OK)
            field_set_add(&sink.wanted, i);
    struct observer *sampler = sampler_new(&setup, 1, &sink);
    sampler_count_selections(sampler, &f->selections);
    core_subscribe(r->core, &o);
    observer_attach(sampler, r->core);
    ck_assert_int_eq(core_run(r->core, UINT64_MAX), RV_TRAP_NONE);
    observer_release(sampler);
    return f;
}

static void end(struct run *r, struct fed *f)
{
    core_free(r->core);
    guest_fini(&r->guest);
    free(r->trace.life);
    free(f);
}

static uint64_t apart(const struct life *l, enum probe_stage from, enum probe_stage to)
{
    return l->at[from] != 0 && l->at[to] != 0 ? l->at[to] - l->at[from] : 0;
}

static void expect_first(const struct sample *s, const struct life *l)
{
    const uint64_t *f = s->field;
    ck_assert_uint_eq(f[FIELD_PC], l->pc);
    ck_assert_uint_eq(f[FIELD_CAUSE], l->cause);
    ck_assert_uint_eq(f[FIELD_RETIRED], l->at[PROBE_RETIRED] != 0);
    ck_assert_uint_eq(f[FIELD_DATAREADY], apart(l, PROBE_MAPPED, PROBE_DATA_READY));
    ck_assert_uint_eq(f[FIELD_UNITWAIT], apart(l, PROBE_DATA_READY, PROBE_ISSUED));
    ck_assert_uint_eq(f[FIELD_ISSUE], apart(l, PROBE_MAPPED, PROBE_ISSUED));
    ck_assert_uint_eq(f[FIELD_PROGRESS], apart(l, PROBE_FETCHED, PROBE_READY_TO_RETIRE));
    ck_assert_uint_eq(f[FIELD_TOTAL], apart(l, PROBE_FETCHED, PROBE_RETIRED));
}

static void expect_second(const struct sample *s, const struct life *first, const struct life *l)
{
    const uint64_t *f = s->field;
    uint64_t issued = l->at[PROBE_ISSUED];
    ck_assert_uint_eq(f[FIELD_PAIRPC], sample_pc32(l->pc));
    ck_assert_uint_eq(f[FIELD_PAIRRETIRED], l->at[PROBE_RETIRED] != 0);
    ck_assert_uint_eq(f[FIELD_PAIRISSUE], issued != 0 ? issued - first->at[PROBE_FETCHED] : 0);
    ck_assert_uint_eq(f[FIELD_PAIRPROGRESS], apart(l, PROBE_FETCHED, PROBE_READY_TO_RETIRE));
    ck_assert_uint_eq(f[FIELD_PAIRTOTAL], apart(l, PROBE_FETCHED, PROBE_RETIRED));
    ck_assert_uint_eq(f[FIELD_INTRAPAIR], l->at[PROBE_FETCHED] - first->at[PROBE_FETCHED]);
}

/* Each field of a pair is what the stages of both instructions say; the distances fill the window evenly. */
START_TEST(pairs)
{
    enum { WINDOW = 8 };
    struct core_config cfg = config_of(_i);
    struct run r;
    unsigned at[WINDOW + 1] = {0}, squashed = 0;
    struct fed *f = run(guess_loop(ROUNDS), &cfg, "profileme:period=9:pair:window=8", take, &r);
    ck_assert_uint_gt(f->samples, 100);
    ck_assert_uint_gt(f->rejected, 10);
    ck_assert_uint_gt(f->times, 10);
    for (unsigned n = 0; n < f->samples; n++) {
        const struct sample *s = &f->sample[n];
        uint64_t distance = s->field[FIELD_DISTANCE];
        ck_assert_uint_ge(distance, 1);
        ck_assert_uint_le(distance, WINDOW);
        ck_assert_uint_eq(s->field[FIELD_SEQ], n);
        ck_assert_uint_eq(s->opclass, s->field[FIELD_CLASS]);
        ck_assert_int_ne(s->opclass, OPCLASS_MUL);
        expect_first(s, &r.trace.life[f->seq[n]]);
        expect_second(s, &r.trace.life[f->seq[n]], &r.trace.life[f->seq[n] + distance]);
        at[distance]++;
        squashed += s->field[FIELD_PAIRRETIRED] == 0;
    }
    for (unsigned d = 1; d <= WINDOW; d++)
        ck_assert_uint_gt(at[d], f->samples / WINDOW / 2);
    if (_i == OOO)
        ck_assert_uint_gt(squashed, 10);
    end(&r, f);
}
END_TEST

/* Single instructions, on both paths. */
START_TEST(alone)
{
    struct core_config cfg = config_of(_i);
    struct run r;
    unsigned squashed = 0;
    struct fed *f = run(guess_loop(ROUNDS), &cfg, "profileme:period=5", take, &r);
    ck_assert_uint_gt(f->samples, 200);
    for (unsigned n = 0; n < f->samples; n++) {
        expect_first(&f->sample[n], &r.trace.life[f->seq[n]]);
        squashed += f->sample[n].field[FIELD_RETIRED] == 0;
    }
    if (_i == OOO)
        ck_assert_uint_gt(squashed, 10);
    end(&r, f);
}
END_TEST

/* Each selection is delivered or lost, except for the one in flight at the end. About one in five instructions fetched
 * is selected. */
START_TEST(selections)
{
    struct core_config cfg = config_of(_i);
    struct run r;
    struct fed *f = run(guess_loop(ROUNDS), &cfg, "profileme:period=5", take_all, &r);
    const struct sampler_selections *n = &f->selections;
    ck_assert_uint_gt(n->lost, 0);
    ck_assert_uint_ge(n->selected - n->lost, f->samples);
    ck_assert_uint_le(n->selected - n->lost, f->samples + 1);
    ck_assert_double_eq_tol(5. * (double)n->selected / (double)r.trace.last_seq, 1, 0.1);
    end(&r, f);
}
END_TEST

/* An access that steps by the size of the L1 data cache's ways: from the third line on each evicts the one that is WAYS
 * older. The stack pointer moves; of an instruction that reads it first, it is the first operand. */
static void walk(struct program *p)
{
    lui(p, S2, DATA_START);
    lui(p, SP, DATA_START + 0x8000);
    addi(p, T0, ZERO, 20);
    uint32_t round = p->count;
    ld(p, T2, S2, 0);
    addi(p, S2, S2, SETS * LINE);
    addi(p, SP, SP, -16);
    sd(p, T2, SP, 0);
    addi(p, SP, SP, 8);
    add(p, SP, SP, T1);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, round);
    exit_with(p, ZERO);
}

START_TEST(stack_and_evictions)
{
    struct core_config cfg = config_of(_i);
    struct program *p = program_begin();
    struct run r;
    unsigned reads = 0, evictions = 0;
    struct errmsg err;
    cfg.l1d_bytes = SETS * WAYS * LINE;
    cfg.l1d_ways = WAYS;
    cfg.l1d_next_line = 0;
    ck_assert_msg(core_config_check(&cfg, &err) == ST_OK, "%s", err.text);
    walk(p);
    struct fed *f = run(p, &cfg, "retire", take_all, &r);
    for (unsigned n = 0; n < f->samples; n++) {
        const uint64_t *s = f->sample[n].field;
        if (s[FIELD_RS1] == SP && s[FIELD_CLASS] != OPCLASS_SYSTEM) {
            ck_assert_uint_eq(s[FIELD_SP], s[FIELD_OPERAND1]);
            reads++;
        }
        if (s[FIELD_CLASS] != OPCLASS_LOAD)
            continue;
        uint64_t older = s[FIELD_EA] - WAYS * SETS * LINE;
        ck_assert_uint_eq(s[FIELD_L1MISS], 1);
        if (s[FIELD_EVICTED] == 0)
            continue;
        ck_assert_uint_eq(s[FIELD_EVICTED] % LINE, 0);
        evictions += s[FIELD_EVICTED] == older;
    }
    ck_assert_uint_eq(reads, 4 * 20);
    ck_assert_uint_ge(evictions, 15);
    end(&r, f);
}
END_TEST

/* The retire delays of all retired instructions add up to the time from the first retirement to the last. */
START_TEST(retire_delays_add_up)
{
    struct core_config cfg = config_of(_i);
    struct run r;
    uint64_t sum = 0;
    struct fed *f = run(guess_loop(ROUNDS), &cfg, "retire", take_all, &r);
    ck_assert_uint_eq(f->samples, core_retired(r.core));
    for (unsigned n = 1; n < f->samples; n++) {
        const uint64_t *s = f->sample[n].field;
        ck_assert_uint_eq(s[FIELD_RETDELAY], s[FIELD_CYCLE] - f->sample[n - 1].field[FIELD_CYCLE]);
        sum += s[FIELD_RETDELAY];
    }
    ck_assert_uint_eq(sum, f->sample[f->samples - 1].cycle - f->sample[0].cycle);
    end(&r, f);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("profileme sampler");
    TCase *t = tcase_create("both cores");
    tcase_add_loop_test(t, pairs, 0, 2);
    tcase_add_loop_test(t, alone, 0, 2);
    tcase_add_loop_test(t, selections, 0, 2);
    tcase_add_loop_test(t, stack_and_evictions, 0, 2);
    tcase_add_loop_test(t, retire_delays_add_up, 0, 2);
    suite_add_tcase(s, t);
    return run_suite(s);
}
