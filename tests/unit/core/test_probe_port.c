/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of both cores at the probe port, against counts that the observer does not make: the core's statistics,
 * the events that the instructions have at their end, the commit tokens. */
#include "tests/unit/guest_mix.h"
#include "tests/unit/suite.h"

enum { ROUNDS = 300 };

/* How often each event was reported as it happened, and how many instructions had it at their end. */
struct counts {
    const struct core *core;
    uint64_t happened[PROBE_EVENT_COUNT], had[PROBE_EVENT_COUNT], stores_had;
    uint32_t sent; /* a bit for each event reported in cycle `at` */
    uint64_t at;
};

static void happens(void *ctx, enum probe_event_bit e, uint64_t cycle)
{
    struct counts *n = ctx;
    MUST(cycle == core_clock(n->core));
    n->sent = n->at == cycle ? n->sent | 1u << e : 1u << e;
    n->at = cycle;
    n->happened[e]++;
}
#define EVENT(sym, name, meaning) \
    static void happens_##sym(void *ctx, uint64_t cycle) { happens(ctx, PROBE_BIT_##sym, cycle); }
#include "core-model/probe/probe.def"

static void ends(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct counts *n = ctx;
    (void)cycle;
    for (int e = 0; e < PROBE_EVENT_COUNT; e++)
        n->had[e] += in->events >> e & 1;
    n->stores_had += in->insn->unit == RV_UNIT_STORE && (in->events & PROBE_DCACHE_MISS) != 0;
}

/* It has been reported in the cycle in which it got it. */
static void done(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    const struct counts *n = ctx;
    const uint32_t now = in->events & (PROBE_MISPREDICTED | PROBE_TAKEN);
    MUST(now == 0 || (n->at == cycle && (n->sent & now) == now));
}

static struct probe_listener counting(struct counts *n)
{
    return (struct probe_listener){
        .ctx = n,
        .stage = {[PROBE_READY_TO_RETIRE] = done, [PROBE_RETIRED] = ends, [PROBE_SQUASHED] = ends},
        .event = {
#define EVENT(sym, name, meaning) happens_##sym,
#include "core-model/probe/probe.def"
        }};
}

#define BOTH(n, event)                                                                  \
    do {                                                                                \
        ck_assert_uint_gt((n).happened[PROBE_BIT_##event], 0);                          \
        ck_assert_uint_eq((n).happened[PROBE_BIT_##event], (n).had[PROBE_BIT_##event]); \
    } while (0)
#define STAT_IS(b, n, event, name)                                                             \
    do {                                                                                       \
        ck_assert_uint_gt((n).happened[PROBE_BIT_##event], 0);                                 \
        ck_assert_uint_eq((n).happened[PROBE_BIT_##event], (uint64_t)stat_of((b).core, name)); \
    } while (0)

START_TEST(events_are_reported_as_they_happen)
{
    struct core_config cfg = faulting(_i);
    struct counts n = {0};
    struct bench b;
    cfg.store_queue = 2;
    cfg.dtlb_entries = 4;
    bench_open(&b, eventful_loop(ROUNDS), &cfg);
    n.core = b.core;
    struct probe_listener o = counting(&n);
    core_subscribe(b.core, &o);
    core_subscribe(b.core, &(struct probe_listener){.ctx = &n}); /* wants nothing */
    bench_finish(&b);
    STAT_IS(b, n, ICACHE_MISS, "l1i_misses");
    STAT_IS(b, n, ITLB_MISS, "itlb_misses");
    STAT_IS(b, n, DCACHE_MISS, "l1d_misses"); /* stores, which have retired, too */
    STAT_IS(b, n, DTLB_MISS, "dtlb_misses");
    /* Several accesses wait for one walk. */
    ck_assert_uint_ge(n.happened[PROBE_BIT_ITLB_WALK] + n.happened[PROBE_BIT_DTLB_WALK],
                      (uint64_t)stat_of(b.core, "l2tlb_misses"));
    ck_assert_uint_gt(n.happened[PROBE_BIT_ITLB_WALK], 0);
    ck_assert_uint_lt(n.happened[PROBE_BIT_DTLB_WALK], n.happened[PROBE_BIT_DTLB_MISS]);
    STAT_IS(b, n, PAGE_FAULT, "page_faults");
    STAT_IS(b, n, FORWARDED, "forwarded");
    ck_assert_uint_gt(n.happened[PROBE_BIT_DCACHE_MISS], n.had[PROBE_BIT_DCACHE_MISS]);
    ck_assert_uint_eq(n.stores_had, 0);
    ck_assert_uint_ge(n.happened[PROBE_BIT_DCACHE_MISS], n.happened[PROBE_BIT_L2_MISS]);
    ck_assert_uint_ge(n.happened[PROBE_BIT_L2_MISS], n.happened[PROBE_BIT_LLC_MISS]);
    ck_assert_uint_gt(n.happened[PROBE_BIT_LLC_MISS], 0);
    BOTH(n, DTLB_MISS);
    BOTH(n, DTLB_WALK);
    BOTH(n, STORE_QUEUE_FULL);
    BOTH(n, TAKEN);
    BOTH(n, MISPREDICTED);
    BOTH(n, FORWARDED);
    BOTH(n, FLUSHES);
    BOTH(n, WRONG_PATH);
    BOTH(n, PAGE_FAULT);
    if (_i == OOO)
        BOTH(n, REPLAYED);
    bench_close(&b);
}
END_TEST

/* State that the tokens give of what a retiring instruction finds. */
struct retirement {
    const struct core *core;
    int kind;
    uint64_t sum, retired, exceptions, handled, lost, last_cycle;
    struct probe_oir oir; /* by the tokens and the instructions that have retired since */
    uint64_t behind;      /* by them: the cycle of the last commit, or the last of a handler */
    unsigned line;
};

static bool same_oir(const struct probe_oir *a, const struct probe_oir *b)
{
    return a->pc == b->pc && a->mispredicted == b->mispredicted && a->flush == b->flush && a->exception == b->exception;
}

static void retirement_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct retirement *r = ctx;
    MUST(in->stage_cycle[PROBE_RETIRED] == cycle);
    MUST(same_oir(&in->before, &r->oir));
    MUST(in->retired_before == r->behind);
    r->sum += cycle - in->retired_before;
    r->lost += r->behind - r->last_cycle;
    r->oir = (struct probe_oir){.pc = in->pc,
                                .mispredicted = (in->events & PROBE_MISPREDICTED) != 0,
                                .flush = (in->events & PROBE_FLUSHES) != 0};
    r->behind = r->last_cycle = cycle;
    r->retired++;
}

/* In the out-of-order core what has committed is what has retired; in the in-order core it is what has issued, and the
 * exceptions and handlers come when all that has issued has retired. */
static void retirement_token(void *ctx, const struct probe_token *t)
{
    struct retirement *r = ctx;
    MUST(r->kind != OOO || t->committing == 0 || same_oir(&t->oir, &r->oir));
    MUST(r->kind != OOO || t->committing == 0 || t->cycle == r->behind);
    if (t->exception || t->handler)
        r->oir = t->oir;
    if (t->handler)
        r->behind = t->cycle + t->repeat - 1;
    r->exceptions += t->exception;
    r->handled += t->handler;
    if (r->kind == OOO && t->cycle % 1000 < t->repeat)
        core_raise_interrupt((struct core *)r->core, r->line, t->cycle);
}

static uint64_t short_handler(void *ctx, uint64_t cycle, uint64_t pc)
{
    (void)ctx, (void)cycle, (void)pc;
    return 20;
}

/* The cycles between retirements, with those before the end of each handler, are all of the run. */
START_TEST(retirements_know_what_was_before_them)
{
    struct core_config cfg = faulting(_i);
    struct retirement r = {.kind = _i};
    struct bench b;
    bench_open(&b, eventful_loop(ROUNDS), &cfg);
    r.core = b.core;
    r.line = core_connect_interrupt(b.core, short_handler, NULL);
    struct probe_listener o = {.ctx = &r,
                               .stage = {[PROBE_RETIRED] = retirement_retired},
                               .cycles = 1u << PROBE_RETIRED,
                               .token = retirement_token};
    core_subscribe(b.core, &o);
    bench_finish(&b);
    ck_assert_uint_eq(r.retired, core_retired(b.core));
    ck_assert_uint_gt(r.exceptions, 5);
    ck_assert_uint_gt(r.handled, 5);
    ck_assert_uint_eq(r.sum + r.lost + core_cycle(b.core) - r.last_cycle, core_cycle(b.core));
    ck_assert_uint_ge(r.lost, (uint64_t)stat_of(b.core, "page_faults") * PAGE_FAULT_CYCLES);
    bench_close(&b);
}
END_TEST

/* Each instruction as it retired, by its number, and what was delivered of it to an observer of complete
 * stores. */
enum { MOST = 1 << 16 };
struct deliveries {
    const struct core *core;
    struct was {
        uint64_t pc, value, ea, stage_cycle[PROBE_STAGE_COUNT];
        uint32_t events;
        bool store, retired, delivered;
    } * was;
    uint64_t stores, late, with_miss[PROBE_EVENT_COUNT], misses[PROBE_EVENT_COUNT];
    uint64_t seq_period;
    bool complete;
};

static void miss(struct deliveries *d, enum probe_event_bit e) { d->misses[e]++; }
static void deliveries_dcache(void *ctx, uint64_t cycle) { (void)cycle, miss(ctx, PROBE_BIT_DCACHE_MISS); }
static void deliveries_l2(void *ctx, uint64_t cycle) { (void)cycle, miss(ctx, PROBE_BIT_L2_MISS); }
static void deliveries_llc(void *ctx, uint64_t cycle) { (void)cycle, miss(ctx, PROBE_BIT_LLC_MISS); }

static unsigned deliveries_tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    const struct deliveries *d = ctx;
    (void)pc, (void)opclass, (void)cycle;
    return seq % d->seq_period == 0;
}

static void deliveries_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct deliveries *d = ctx;
    (void)cycle;
    MUST(in->seq < MOST);
    struct was *w = &d->was[in->seq];
    *w = (struct was){.pc = in->pc,
                      .value = in->outcome->value,
                      .ea = in->outcome->ea,
                      .events = in->events,
                      .store = in->insn->unit == RV_UNIT_STORE,
                      .retired = true};
    memcpy(w->stage_cycle, in->stage_cycle, sizeof w->stage_cycle);
}

static void deliveries_tagged(void *ctx, const struct probe_insn *in, unsigned tag, uint64_t cycle)
{
    enum { OF_ACCESS = PROBE_DCACHE_MISS | PROBE_L2_MISS | PROBE_LLC_MISS };
    struct deliveries *d = ctx;
    struct was *w = &d->was[in->seq];
    MUST(tag == 1 && in->cause == PROBE_CAUSE_NONE && in->seq % d->seq_period == 0);
    MUST(w->retired && !w->delivered && cycle == core_clock(d->core));
    w->delivered = true;
    MUST(w->pc == in->pc && w->value == in->outcome->value && w->ea == in->outcome->ea);
    MUST((in->insn->unit == RV_UNIT_STORE) == w->store);
    MUST(memcmp(w->stage_cycle, in->stage_cycle, sizeof w->stage_cycle) == 0);
    MUST(w->stage_cycle[PROBE_RETIRED] <= cycle);
    MUST((d->complete && w->store) || (w->events == in->events && w->stage_cycle[PROBE_RETIRED] == cycle));
    MUST((w->events & ~(uint32_t)OF_ACCESS) == (in->events & ~(uint32_t)OF_ACCESS));
    MUST(!w->store || d->complete || (in->events & OF_ACCESS) == 0);
    d->stores += w->store;
    d->late += w->stage_cycle[PROBE_RETIRED] != cycle;
    for (int e = 0; e < PROBE_EVENT_COUNT; e++)
        d->with_miss[e] += in->events >> e & 1;
}

static struct probe_listener delivering(struct deliveries *d, bool complete, unsigned period)
{
    d->was = xcalloc(MOST, sizeof *d->was);
    d->seq_period = period;
    d->complete = complete;
    return (struct probe_listener){
        .ctx = d,
        .stage = {[PROBE_RETIRED] = deliveries_retired},
        .cycles = PROBE_ALL_CYCLES,
        .event = {[PROBE_BIT_DCACHE_MISS] = deliveries_dcache,
                  [PROBE_BIT_L2_MISS] = deliveries_l2,
                  [PROBE_BIT_LLC_MISS] = deliveries_llc},
        .tagger = {
            .at = PROBE_FETCHED, .bits = 1, .tag = deliveries_tag, .tagged = deliveries_tagged, .complete = complete}};
}

static void all_delivered(const struct deliveries *d)
{
    for (uint64_t seq = 0; seq < MOST; seq++)
        MUST(d->was[seq].delivered == (d->was[seq].retired && seq % d->seq_period == 0));
}

/* Every instruction and every seventh; at the same time an observer that has them as they retire. */
START_TEST(stores_are_delivered_with_their_access)
{
    struct core_config cfg = faulting(_i);
    struct deliveries d[3] = {0};
    struct bench b;
    bench_open(&b, eventful_loop(ROUNDS), &cfg);
    for (int n = 0; n < 3; n++) {
        struct probe_listener o = delivering(&d[n], n != 2, n == 1 ? 7 : 1);
        d[n].core = b.core;
        core_subscribe(b.core, &o);
    }
    bench_finish(&b);
    for (int n = 0; n < 3; n++) {
        all_delivered(&d[n]);
        ck_assert_uint_gt(d[n].stores, 100);
        free(d[n].was);
    }
    ck_assert_uint_gt(d[0].late, 10); /* most leave in the cycle in which they retire */
    ck_assert_uint_eq(d[2].late, 0);
    ck_assert_uint_eq(d[0].stores, d[2].stores);
    /* Every instruction is delivered: all misses are those of one, but for wrong paths and what the end cuts off. */
    const enum probe_event_bit of_access[] = {PROBE_BIT_DCACHE_MISS, PROBE_BIT_L2_MISS, PROBE_BIT_LLC_MISS};
    for (int n = 0; n < 3; n++) {
        enum probe_event_bit e = of_access[n];
        ck_assert_uint_gt(d[0].with_miss[e], d[2].with_miss[e]);
        if (_i == OOO)
            ck_assert_uint_le(d[0].with_miss[e], d[0].misses[e]);
    }
    bench_close(&b);
}
END_TEST

/* Stores to lines of their own, nothing speculative: a miss is that of one store. Then two to one line, which a write
 * buffer merges. The run's end leaves some in the store queue. */
START_TEST(each_store_has_its_own_access)
{
    enum { LINES = 40 };
    struct core_config cfg = plain_config(_i);
    cfg.l1d_next_line = 0;
    struct deliveries d = {0};
    struct bench b;
    struct program *p = program_begin();
    lui(p, S2, DATA_START);
    for (int n = 0; n < LINES; n++) {
        sd(p, S2, S2, 0);
        if (n % 4 == 0)
            sd(p, S2, S2, 8);
        addi(p, S2, S2, 512);
    }
    exit_with(p, ZERO);
    bench_open(&b, p, &cfg);
    d.core = b.core;
    struct probe_listener o = delivering(&d, true, 1);
    core_subscribe(b.core, &o);
    ck_assert_int_eq(core_run(b.core, 1 + 2 * LINES + LINES / 4), RV_TRAP_LIMIT);
    uint64_t before = d.stores;
    uint64_t missed = d.with_miss[PROBE_BIT_DCACHE_MISS];
    ck_assert_uint_lt(before, LINES + LINES / 4);
    /* An out-of-order core's second store of a line finds it on its way: a miss, too. One that is merged has no access
     * of its own. */
    ck_assert_uint_eq(d.misses[PROBE_BIT_DCACHE_MISS], missed);
    ck_assert_uint_gt(missed, 10);
    if (_i == OOO)
        ck_assert_uint_eq(missed, before);
    else
        ck_assert_uint_lt(missed, before);
    core_end(b.core);
    ck_assert_uint_eq(d.stores, LINES + LINES / 4);
    ck_assert_uint_eq(d.with_miss[PROBE_BIT_DCACHE_MISS], missed);
    all_delivered(&d);
    core_end(b.core);
    bench_finish(&b); /* their accesses are made now, and deliver nothing more */
    ck_assert_uint_eq(d.stores, LINES + LINES / 4);
    free(d.was);
    bench_close(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("probe port");
    TCase *t = tcase_create("stream");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, events_are_reported_as_they_happen, OOO, INORDER + 1);
    tcase_add_loop_test(t, retirements_know_what_was_before_them, OOO, INORDER + 1);
    tcase_add_loop_test(t, stores_are_delivered_with_their_access, OOO, INORDER + 1);
    tcase_add_loop_test(t, each_store_has_its_own_access, OOO, INORDER + 1);
    suite_add_tcase(s, t);
    return run_suite(s);
}
