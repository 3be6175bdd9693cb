/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recorded stream against the live one: every callback, in order, with all of its fields, the instructions that
 * observers tag included. */
#include "core-model/prof/log/recorder.h"
#include "core-model/record/replay.h"

#include "tests/unit/guest_mix.h"
#include "tests/unit/suite.h"

enum { MOST_CYCLES = 1 << 18, INTERRUPT_PERIOD = 700, HANDLER_CYCLES = 60 };

/* Hashes all calls. Its hash at the end of each token is kept, so that a difference has a cycle. */
struct witness {
    uint64_t hash, calls, tokens;
    bool values;
    uint64_t *after; /* by token */
    uint64_t *cycle;
    struct core *core; /* whose interrupt line it raises; NULL: none */
    unsigned line;
    uint64_t next_interrupt;
};

static void mix(struct witness *w, uint64_t n)
{
    w->hash = (w->hash ^ n) * UINT64_C(0x9e3779b97f4a7c15);
    w->hash ^= w->hash >> 29;
}

static void mix_oir(struct witness *w, const struct probe_oir *o)
{
    mix(w, o->pc);
    mix(w, o->events);
    mix(w, (uint64_t)(o->mispredicted | o->flush << 1 | o->exception << 2));
}

static void mix_insn(struct witness *w, const struct probe_insn *in, uint64_t what, uint64_t cycle)
{
    w->calls++;
    mix(w, what);
    mix(w, cycle);
    mix(w, in->seq);
    mix(w, in->pc);
    mix(w, in->insn->word);
    mix(w, in->insn->op);
    mix(w, in->history);
    mix(w, in->events);
    mix(w, in->cause);
    if (what == PROBE_RETIRED || (what == PROBE_STAGE_COUNT && in->cause == PROBE_CAUSE_NONE)) {
        mix(w, in->retired_before);
        mix(w, in->outcome->next_pc);
        mix(w, in->outcome->taken);
        mix_oir(w, &in->before);
    }
    for (int s = 0; s < PROBE_STAGE_COUNT; s++)
        mix(w, in->stage_cycle[s]);
    if (!w->values)
        return;
    const struct rv_outcome *o = in->outcome;
    mix(w, o->next_pc);
    mix(w, o->value);
    mix(w, o->ea);
    mix(w, o->operand[0]);
    mix(w, o->operand[1]);
    mix(w, (uint64_t)(o->mem_bytes | o->wrote_mem << 8 | o->taken << 9 | o->trap << 10));
}

#define STAGE(sym, name, meaning)                                                 \
    static void saw_##sym(void *ctx, const struct probe_insn *in, uint64_t cycle) \
    {                                                                             \
        mix_insn(ctx, in, PROBE_##sym, cycle);                                    \
    }
#include "core-model/probe/probe.def"

#define EVENT(sym, name, meaning)                         \
    static void happened_##sym(void *ctx, uint64_t cycle) \
    {                                                     \
        mix(ctx, PROBE_##sym);                            \
        mix(ctx, cycle);                                  \
    }
#include "core-model/probe/probe.def"

static void saw_result(void *ctx, enum opclass opclass, uint64_t pc, uint64_t value)
{
    struct witness *w = ctx;
    mix(w, opclass);
    mix(w, pc);
    mix(w, w->values ? value : 0); /* which a recording may lack */
}

static void saw_token(void *ctx, const struct probe_token *t)
{
    struct witness *w = ctx;
    mix(w, t->cycle);
    mix(w, t->repeat);
    mix(w, (uint64_t)(t->committing | t->banks << 8 | t->head << 16));
    mix(w, (uint64_t)(t->rob_empty | t->exception << 1 | t->ordering << 2 | t->handler << 3 | t->dispatching << 4 |
                      t->blocked << 5 | t->last_handler << 6));
    mix(w, t->exception_pc);
    mix(w, t->dispatch_pc);
    mix(w, t->interrupt_pc);
    mix_oir(w, &t->oir);
    mix(w, t->last_commit);
    for (unsigned b = 0; b < t->banks; b++) {
        mix(w, t->bank[b].pc);
        mix(w, t->bank[b].events);
        mix(w, (uint64_t)(t->bank[b].valid | t->bank[b].commits << 1 | t->bank[b].mispredicted << 2 |
                          t->bank[b].flushes << 3));
    }
    MUST(w->tokens < MOST_CYCLES);
    w->after[w->tokens] = w->hash;
    w->cycle[w->tokens++] = t->cycle;
    if (w->core != NULL && t->cycle >= w->next_interrupt) {
        core_raise_interrupt(w->core, w->line, t->cycle);
        w->next_interrupt = t->cycle + INTERRUPT_PERIOD;
    }
}

static unsigned tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    struct witness *w = ctx;
    mix(w, seq);
    mix(w, pc);
    mix(w, opclass);
    mix(w, cycle);
    return seq % 3 == 0 ? (unsigned)(seq / 3 % 4) : 0;
}

static void tagged(void *ctx, const struct probe_insn *in, unsigned number, uint64_t cycle)
{
    mix(ctx, number);
    mix_insn(ctx, in, PROBE_STAGE_COUNT, cycle);
}

static uint64_t handle(void *ctx, uint64_t cycle, uint64_t pc)
{
    (void)ctx, (void)cycle, (void)pc;
    return HANDLER_CYCLES;
}

/* Columns of a witness: all; no more than a replay can send without the columns of what happens between rename and
 * retirement; tokens. */
enum seen { SEES_ALL, SEES_ENDS, SEES_TOKENS };

static void witness_open(struct witness *w, struct core *core, bool values, enum seen seen)
{
    *w = (struct witness){.values = values, .after = xcalloc(MOST_CYCLES, 8), .cycle = xcalloc(MOST_CYCLES, 8)};
    struct probe_listener o = {
        .ctx = w, .cycles = PROBE_ALL_CYCLES, .token = saw_token, .result = saw_result, .result_classes = UINT32_MAX};
#define STAGE(sym, name, meaning) o.stage[PROBE_##sym] = saw_##sym;
#define EVENT(sym, name, meaning) o.event[PROBE_BIT_##sym] = happened_##sym;
#include "core-model/probe/probe.def"
    o.tagger = (struct probe_tagger){.at = PROBE_FETCHED, .bits = 2, .tag = tag, .tagged = tagged, .squashed = true};
    if (seen == SEES_TOKENS) {
        const struct probe_listener tokens = {.ctx = w, .token = saw_token};
        core_subscribe(core, &tokens);
        return;
    }
    if (seen == SEES_ENDS) {
        memset(o.event, 0, sizeof o.event);
        o.cycles = 1u << PROBE_RETIRED;
        for (int s = PROBE_DATA_READY; s <= PROBE_READY_TO_RETIRE; s++)
            o.stage[s] = NULL;
    }
    core_subscribe(core, &o);
    struct probe_listener late = {.ctx = w};
    late.tagger = (struct probe_tagger){.at = PROBE_MAPPED, .bits = 2, .tag = tag, .tagged = tagged};
    core_subscribe(core, &late);
    late.tagger.at = PROBE_FETCHED;
    late.tagger.complete = true;
    core_subscribe(core, &late);
}

static void witness_close(struct witness *w)
{
    free(w->after);
    free(w->cycle);
}

/* A recorded run, with what a witness beside the recorder saw. */
struct recorded {
    char *text;
    size_t bytes;
    struct core_stats stats;
    struct witness live, part;
};

/* This run without the recorder. */
static void run_alone(struct witness *w, const struct program *p, const struct core_config *config, bool interrupts,
                      enum seen seen)
{
    struct bench b;
    bench_open(&b, p, config);
    witness_open(w, b.core, false, seen);
    if (interrupts) {
        w->line = core_connect_interrupt(b.core, handle, NULL);
        w->core = b.core;
    }
    bench_finish(&b);
    bench_close(&b);
}

static void record(struct recorded *d, const struct program *p, const struct core_config *config, bool values,
                   bool interrupts)
{
    struct bench b;
    FILE *out = open_memstream(&d->text, &d->bytes);
    bench_open(&b, p, config);
    const struct record_head head = {.config = *config, .machine = "a machine", .guest = "a guest", .values = values};
    struct recorder *r = recorder_new(out, b.core, &head);
    struct observer *o = recorder_observer(r);
    observer_attach(o, b.core);
    witness_open(&d->live, b.core, values, SEES_ALL);
    if (interrupts) {
        d->live.line = core_connect_interrupt(b.core, handle, NULL);
        d->live.core = b.core;
    }
    bench_finish(&b);
    d->stats = core_statistics(b.core);
    struct record_tail tail = {.cycles = core_cycle(b.core), .instructions = core_retired(b.core), .stats = d->stats};
    o->kind->finish(o, tail.cycles, &b.guest.hart);
    recorder_conclude(r, &tail);
    observer_release(o);
    bench_close(&b);
    fclose(out);
}

static void compare_witnesses(const struct witness *live, const struct witness *again)
{
    for (uint64_t n = 0; n < live->tokens && n < again->tokens; n++)
        ck_assert_msg(live->after[n] == again->after[n] && live->cycle[n] == again->cycle[n],
                      "token %llu: the replay differs in the cycle before %llu", (unsigned long long)n,
                      (unsigned long long)live->cycle[n]);
    ck_assert_uint_eq(live->tokens, again->tokens);
    ck_assert_uint_eq(live->calls, again->calls);
    ck_assert_uint_eq(live->hash, again->hash);
}

static void replay_for(const struct recorded *d, const struct witness *live, enum seen seen)
{
    struct core_replay *r;
    struct errmsg err = {{0}};
    struct witness again;
    struct guest nothing = {0};
    FILE *in = fmemopen(d->text, d->bytes, "r");
    ck_assert_msg(replay_open(&r, in, "a recording", &err) == ST_OK, "%s", err.text);
    struct core *core = replay_core(r, &nothing);
    witness_open(&again, core, live->values, seen);
    ck_assert_int_eq(core_run(core, UINT64_MAX), RV_TRAP_NONE);
    compare_witnesses(live, &again);
    ck_assert_msg(replay_error(r, &err) == ST_OK, "%s", err.text);
    struct core_stats stats = core_statistics(core);
    ck_assert_mem_eq(&stats, &d->stats, sizeof stats);
    core_free(core);
    replay_close(r);
    fclose(in);
    witness_close(&again);
}

static const struct {
    const char *config;
    bool values, interrupts, page_faults;
} variants[] = {
    {"boom", false, false, false}, {"ev6", false, false, false}, {"ev5", false, false, false},
    {"boom", true, false, false},  {"ev6", true, true, false},   {"ev5", true, true, false},
    {"boom", false, true, true},   {"ev6", false, true, true},   {"ev5", false, false, true},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static void load_config(struct core_config *config, int variant)
{
    struct errmsg err;
    char path[64];
    core_config_default(config);
    snprintf(path, sizeof path, "core-model/config/%s.conf", variants[variant].config);
    ck_assert_msg(core_config_load(path, config, &err) == ST_OK, "%s", err.text);
    if (variants[variant].page_faults)
        config->page_fault_cycles = 300;
}

/* A load that overtakes a store to its address, whose own address comes late. */
static const struct program *overtaking(void)
{
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    addi(p, T0, ZERO, 200);
    uint32_t top = p->count;
    div_(p, T1, ZERO, T0);
    add(p, T2, S2, T1);
    sd(p, T0, T2, 0);
    ld(p, T3, S2, 0);
    add(p, T4, T4, T3);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    exit_with(p, ZERO);
    return p;
}

static void check_guest(int variant, const struct program *p)
{
    struct core_config config;
    struct recorded d = {0};
    load_config(&config, variant);
    record(&d, p, &config, variants[variant].values, variants[variant].interrupts);
    MUST(d.live.calls > 1000 && d.stats.squashed_mispredict > 0);
    replay_for(&d, &d.live, SEES_ALL);
    replay_for(&d, &d.live, SEES_ALL);
    witness_close(&d.live);
    for (int seen = SEES_ENDS; seen <= SEES_TOKENS; seen++) {
        run_alone(&d.part, p, &config, variants[variant].interrupts, (enum seen)seen);
        replay_for(&d, &d.part, (enum seen)seen);
        witness_close(&d.part);
    }
    free(d.text);
}

START_TEST(branches) { check_guest(_i, busy_loop(REPETITIONS(2000))); }
END_TEST
START_TEST(everything) { check_guest(_i, loop_of_everything(REPETITIONS(300))); }
END_TEST
START_TEST(ordering) { check_guest(_i, overtaking()); }
END_TEST

int main(void)
{
    Suite *s = suite_create("record");
    TCase *stream = tcase_create("stream");
    tcase_set_timeout(stream, 60);
    tcase_add_loop_test(stream, branches, 0, VARIANTS);
    tcase_add_loop_test(stream, everything, 0, VARIANTS);
    tcase_add_loop_test(stream, ordering, 0, VARIANTS);
    suite_add_tcase(s, stream);
    return run_suite(s);
}
