/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event counters that overflow, the profiler of every processor (DCPI paper, section 4.1; ProfileMe paper, section
 * 2.2). A counter counts an event, or several by time multiplexing. It overflows at the last event of each period; its
 * interrupt is due `delay` cycles later. The sample is the address of the instruction before which the core takes the
 * interrupt, so it is some instructions after the one with the event (skid).
 *
 * Without a cost the run is not perturbed: the address is that of the commit token (probe.h, interrupt_pc). With a cost
 * the counter raises an interrupt of the core, whose handler takes that number of cycles; the handler of a counter that
 * is collected is the driver's, which says how long it takes. Interrupts are held pending
 * while a handler runs, so events in handlers are attributed to the instruction after the handler: the blind spot in
 * both papers. The counter continues to count after an overflow, whereas DCPI's handler resets it at its end. */
#include <stdlib.h>

#include "base/random.h"
#include "contract/counterprof.h"
#include "contract/event_alias.h"
#include "core-model/prof/count/count_table.h"
#include "core-model/prof/count/counter_signal.h"
#include "core-model/prof/count/counter_skid.h"
#include "core-model/prof/stack/call_tracker.h"

enum counter_option {
    COUNTER_EVENT,
    COUNTER_PERIOD,
    COUNTER_RANDOM,
    COUNTER_SEED,
    COUNTER_DELAY,
    COUNTER_COST,
    COUNTER_ROTATE,
    COUNTER_SKID,
    COUNTER_COLLECT,
};

static const struct text_option options[] = {
    [COUNTER_EVENT] =
        {.name = "event", .choices = counter_choices, .choice = "event", .alias = event_alias, .required = true},
    [COUNTER_PERIOD] =
        {.name = "period", .unit = "events", .least = 1, .most = (UINT64_C(1) << 40) - 1, .otherwise = 10007},
    [COUNTER_RANDOM] = {.name = "random"},
    [COUNTER_SEED] = {.name = "seed", .unit = "numbers", .most = UINT64_MAX, .otherwise = TEXT_OPTION_SEED},
    [COUNTER_DELAY] =
        {.name = "delay", .unit = "cycles", .least = 1, .most = 1000000, .usual = "the core's interrupt_cycles"},
    [COUNTER_COST] = {.name = "cost", .unit = "cycles", .most = 1000000},
    [COUNTER_ROTATE] = {.name = "rotate", .unit = "cycles", .least = 1, .most = (UINT64_C(1) << 40) - 1},
    [COUNTER_SKID] = {.name = "skid"},
    [COUNTER_COLLECT] = {.name = "collect"},
    {.name = NULL},
};

/* One of the counter's events. Its count increases during the whole run, also while other events are selected. */
struct tally {
    enum count_kind kind;
    const struct counter_signal *signal;
    bool polled; /* event is retirement: the count is core_retired, read at tokens, which costs less than callbacks */
    uint64_t count; /* count kept by callbacks: for events other than cycles and all instructions of a stage */
    uint64_t next;  /* count at the next overflow; UINT64_MAX while another event is selected */
    uint64_t left;  /* while another event is selected: events left to the next overflow */
    uint64_t since; /* count when the event was selected */
};

struct counter {
    struct observer base;
    struct core *core; /* NULL before attach */
    uint64_t option[OBSERVER_OPTIONS];
    struct tally tally[COUNT_KINDS];
    struct counter_event event[COUNT_KINDS];
    unsigned events, turn;  /* turn: index of the selected event */
    uint64_t start;         /* first cycle */
    uint64_t start_retired; /* core_retired in that cycle */
    uint64_t poll;          /* cycle of the next poll of a polled count */
    uint64_t turned,
        boundary; /* first cycle of this turn; first cycle of the next turn, UINT64_MAX without multiplexing */
    struct random random;
    struct event_filter filter[PROBE_STAGE_COUNT];
    uint64_t passed[PROBE_STAGE_COUNT]; /* instructions that passed the filter */
    uint64_t width, in_flight;          /* maximum number of instructions fetched per cycle; in flight */
    uint64_t token_from;

    bool pending; /* an interrupt is pending */
    unsigned pending_event;
    uint64_t due; /* cycle in which it is due */
    uint64_t delay, interrupt_cycles;
    bool interrupts;  /* samples are taken by interrupts of the core */
    unsigned line;    /* of these interrupts */
    uint64_t retired; /* core_retired at the last one */

    struct skid *skid; /* owned; NULL: not requested */

    struct count_table table;
    struct counter_profile profile; /* valid after finish, like the next member */
    struct counter_skid *distances;
};

/* Count of a tally up to the start of cycle `now`; in the callback of its stage, up to the current instruction. */
static uint64_t counter_count_of(const struct counter *c, const struct tally *t, uint64_t now)
{
    const struct counter_signal *s = t->signal;
    if (s->source == SOURCE_CYCLES)
        return now - c->start;
    if (t->polled)
        return c->core != NULL ? core_retired(c->core) - c->start_retired : 0;
    return s->source == SOURCE_STAGE && s->all ? c->passed[s->of] + c->filter[s->of].rejected : t->count;
}

static double mean_period(const struct counter *c)
{
    uint64_t most = c->option[COUNTER_PERIOD];
    return c->option[COUNTER_RANDOM] != 0 ? (double)most - (double)(most / 16) / 2 : (double)most;
}

/* DCPI's random periods lie between 60K and 64K (DCPI paper, section 4.1.1): here in the last 16th of the period. */
static uint64_t draw_period(struct counter *c)
{
    uint64_t most = c->option[COUNTER_PERIOD];
    return c->option[COUNTER_RANDOM] != 0 ? most - random_bits(&c->random) % (most / 16 + 1) : most;
}

/* Cycle at whose end a counter of cycles overflows; UINT64_MAX for other events. */
static uint64_t cycles_overflow(const struct counter *c)
{
    const struct tally *t = &c->tally[c->turn];
    return t->signal->source == SOURCE_CYCLES ? c->start + t->next - 1 : UINT64_MAX;
}

static bool samples_token(const struct counter *c) { return c->pending && !c->interrupts; }

static uint64_t counter_next_token(const struct counter *c)
{
    uint64_t next = c->boundary != UINT64_MAX ? c->boundary - 1 : UINT64_MAX, over = cycles_overflow(c);
    next = over < next ? over : next;
    next = c->poll < next ? c->poll : next;
    return samples_token(c) && c->due < next ? c->due : next;
}

/* Sets the next token; not to be called while a token is processed. */
static void move_token(struct counter *c)
{
    uint64_t next = counter_next_token(c);
    bool earlier = next < c->token_from;
    c->token_from = next;
    if (earlier && c->core != NULL)
        core_expect_token(c->core);
}

/* Lower bound on the overflow cycle of a tally of all instructions that pass a stage: only those in flight and `width`
 * more per cycle can pass. */
static uint64_t overflow_bound(const struct counter *c, const struct tally *t, uint64_t now)
{
    uint64_t left = t->next - counter_count_of(c, t, now);
    return left > c->in_flight ? now + (left - c->in_flight - 1) / c->width : now;
}

/* Sets the cycle from which the stage's callback, or `token`, must check for an overflow. */
static void look_ahead(struct counter *c, enum probe_stage stage, uint64_t now)
{
    const struct tally *t = &c->tally[c->turn];
    bool counts = t->signal->source == SOURCE_STAGE && t->signal->of == stage && t->signal->all;
    c->filter[stage].from = counts && !t->polled ? overflow_bound(c, t, now) : UINT64_MAX;
    if (stage == PROBE_RETIRED)
        c->poll = counts && t->polled ? overflow_bound(c, t, now) : UINT64_MAX;
}

/* No interrupt of the core is raised before the program has retired an instruction since the last one; otherwise it
 * could make no progress. */
static bool is_stuck(const struct counter *c)
{
    return c->interrupts && c->core != NULL && core_retired(c->core) == c->retired;
}

static void overflow(struct counter *c, unsigned event, uint64_t cycle)
{
    c->event[event].overflows++;
    c->tally[event].next += draw_period(c);
    if (c->pending || is_stuck(c)) {
        c->event[event].lost++;
        return;
    }
    c->pending = true;
    c->pending_event = event;
    c->due = cycle + c->delay;
    if (c->interrupts)
        core_raise_interrupt(c->core, c->line,
                             c->due - c->interrupt_cycles); /* the core adds interrupt_cycles; modulo 2^64 */
}

/* Handles an event counted in a callback of `cycle`. */
static void counter_counted(struct counter *c, unsigned event, uint64_t cycle)
{
    struct tally *t = &c->tally[event];
    uint64_t count = counter_count_of(c, t, cycle);
    if (count < t->next)
        return;
    while (count >= t->next)
        overflow(c, event, cycle);
    move_token(c);
}

/* Takes the sample of the pending interrupt in `cycle`, at an address or place; returns the time of its handler. */
static uint64_t counter_take_sample(struct counter *c, uint64_t pc, uint64_t cycle)
{
    struct count_row *row = count_table_at(&c->table, pc);
    row->samples++;
    row->count[c->tally[c->pending_event].kind]++;
    c->event[c->pending_event].samples++;
    c->pending = false;
    if (c->skid != NULL)
        skid_sample(c->skid, c->pending_event, pc);
    const struct counter_handler *h = c->base.handler;
    return h != NULL ? h->handle(h->ctx, c->base.number, c->tally[c->pending_event].kind, call_place_pc(pc), cycle)
                     : c->option[COUNTER_COST];
}

static void counter_passes(struct counter *c, enum probe_stage stage, const struct probe_insn *in, uint64_t cycle)
{
    c->passed[stage]++;
    if (c->skid != NULL && stage == PROBE_RETIRED)
        skid_retire(c->skid, in);
    for (unsigned n = 0; n < c->events; n++) {
        struct tally *t = &c->tally[n];
        if (t->signal->source != SOURCE_STAGE || t->signal->of != stage || t->polled)
            continue;
        if (!t->signal->all && !count_adds(t->kind, in))
            continue;
        t->count++;
        counter_counted(c, n, cycle);
        if (t->signal->all)
            look_ahead(c, stage, cycle);
    }
}

static void happens(struct counter *c, enum probe_event_bit event, uint64_t cycle)
{
    for (unsigned n = 0; n < c->events; n++) {
        struct tally *t = &c->tally[n];
        if (t->signal->source != SOURCE_EVENT || t->signal->of != event)
            continue;
        t->count++;
        counter_counted(c, n, cycle);
    }
}

/* The port's callbacks, one for each stage and each event. */
#define STAGE(sym, name, meaning)                                                    \
    static void passes_##sym(void *ctx, const struct probe_insn *in, uint64_t cycle) \
    {                                                                                \
        counter_passes(ctx, PROBE_##sym, in, cycle);                                 \
    }
#define EVENT(sym, name, meaning) \
    static void happens_##sym(void *ctx, uint64_t cycle) { happens(ctx, PROBE_BIT_##sym, cycle); }
#include "core-model/probe/probe.def"

static void counter_subscribe(struct counter *c, enum probe_stage stage, uint32_t classes)
{
    static void (*const call[])(void *ctx, const struct probe_insn *in, uint64_t cycle) = {
#define STAGE(sym, name, meaning) [PROBE_##sym] = passes_##sym,
#include "core-model/probe/probe.def"
    };
    c->base.probe.stage[stage] = call[stage];
    c->base.probe.filter[stage] = &c->filter[stage];
    c->filter[stage].classes |= classes;
}

static void subscribe_event(struct counter *c, enum probe_event_bit event)
{
    static void (*const call[])(void *ctx, uint64_t cycle) = {
#define EVENT(sym, name, meaning) [PROBE_BIT_##sym] = happens_##sym,
#include "core-model/probe/probe.def"
    };
    c->base.probe.event[event] = call[event];
}

static void begin_turn(struct counter *c, unsigned turn, uint64_t cycle)
{
    struct tally *t = &c->tally[turn];
    c->turn = turn;
    c->turned = cycle;
    c->boundary = c->events > 1 ? cycle + c->option[COUNTER_ROTATE] : UINT64_MAX;
    t->since = counter_count_of(c, t, cycle);
    t->next = t->since + t->left;
    for (int s = 0; s < PROBE_STAGE_COUNT; s++)
        look_ahead(c, (enum probe_stage)s, cycle);
}

static void end_turn(struct counter *c, uint64_t cycle)
{
    struct tally *t = &c->tally[c->turn];
    uint64_t count = counter_count_of(c, t, cycle);
    c->event[c->turn].cycles += cycle - c->turned;
    c->event[c->turn].counted += count - t->since;
    t->left = t->next - count;
    t->next = UINT64_MAX;
}

/* Processes the token's cycles in order: a turn starts at the beginning of a cycle, an interrupt is taken within it, a
 * counter of cycles overflows at its end. Events of a cycle have been counted when its token arrives; repeated cycles
 * have no events. */
static void counter_token(void *ctx, const struct probe_token *t)
{
    struct counter *c = ctx;
    uint64_t end = t->cycle + t->repeat;
    if (c->poll < end) {
        counter_counted(c, c->turn, t->cycle);
        look_ahead(c, PROBE_RETIRED, end);
    }
    for (;;) {
        uint64_t take = samples_token(c) ? c->due : UINT64_MAX, over = cycles_overflow(c);
        if (c->boundary <= end && c->boundary <= take && c->boundary <= over) {
            uint64_t cycle = c->boundary;
            end_turn(c, cycle);
            begin_turn(c, (c->turn + 1) % c->events, cycle);
        } else if (take < end && take <= over) {
            if (t->interrupt_pc != 0)
                counter_take_sample(c, t->interrupt_pc, take);
            else
                c->due = end;
        } else if (over < end) {
            overflow(c, c->turn, over);
        } else {
            break;
        }
    }
    c->token_from = counter_next_token(c);
}

static uint64_t counter_handle(void *ctx, uint64_t cycle, uint64_t pc)
{
    struct counter *c = ctx;
    const struct call_tracker *calls = c->base.calls;
    uint64_t time = counter_take_sample(c, calls != NULL ? call_place(calls->node, pc) : pc, cycle);
    c->retired = core_retired(c->core);
    return time;
}

static const char *counter_objection(const struct observer_setup *setup)
{
    uint64_t events = setup->option[COUNTER_EVENT];
    bool several = (events & (events - 1)) != 0;
    if (several && setup->option[COUNTER_ROTATE] == 0)
        return "several events share the counter in turns of N cycles: expected rotate=N";
    if (!several && setup->option[COUNTER_ROTATE] != 0)
        return "one event has no turns: expected event=NAME+NAME with rotate=N";
    if (setup->option[COUNTER_COLLECT] != 0 && setup->option[COUNTER_COST] != 0)
        return "the time of the driver that collects the samples follows from the keys host_...: expected collect "
               "without cost";
    for (int k = 0; k < COUNT_KINDS; k++)
        if ((events >> k & 1) != 0 && setup->option[COUNTER_SKID] != 0 && !counter_has_instruction((enum count_kind)k))
            return "skid: expected an event of single instructions that can retire, such as dcache-miss";
    return NULL;
}

static void counter_add_event(struct counter *c, enum count_kind kind)
{
    const struct counter_signal *s = &counter_signals[kind];
    c->event[c->events].kind = kind;
    struct tally *t = &c->tally[c->events++];
    *t = (struct tally){.kind = kind, .signal = s, .next = UINT64_MAX, .left = draw_period(c)};
    t->polled = s->source == SOURCE_STAGE && s->of == PROBE_RETIRED && s->all;
    if (s->source == SOURCE_STAGE && !t->polled)
        counter_subscribe(c, (enum probe_stage)s->of, s->all ? 0 : s->classes != 0 ? s->classes : UINT32_MAX);
    else if (s->source == SOURCE_EVENT)
        subscribe_event(c, (enum probe_event_bit)s->of);
}

static void add_skid(struct counter *c)
{
    enum count_kind kinds[COUNT_KINDS];
    for (unsigned n = 0; n < c->events; n++)
        kinds[n] = c->tally[n].kind;
    counter_subscribe(c, PROBE_RETIRED, UINT32_MAX);
    c->skid = skid_new(kinds, c->events);
}

static struct observer *counter_create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    struct counter *c = xcalloc(1, sizeof *c);
    c->base.kind = kind;
    for (int i = 0; i < OBSERVER_OPTIONS; i++)
        c->option[i] = setup->option[i];
    c->random.state = setup->option[COUNTER_SEED];
    c->base.probe = (struct probe_listener){.ctx = c, .token_from = &c->token_from};
    for (int k = 0; k < COUNT_KINDS; k++)
        if ((setup->option[COUNTER_EVENT] >> k & 1) != 0)
            counter_add_event(c, (enum count_kind)k);
    if (setup->option[COUNTER_SKID] != 0)
        add_skid(c);
    bool in_calls = c->tally[0].signal->source != SOURCE_CYCLES && !c->tally[0].polled;
    c->base.probe.token = setup->option[COUNTER_COST] != 0 && c->events == 1 && in_calls ? NULL : counter_token;
    c->width = 1;
    c->in_flight = UINT64_MAX;
    c->delay = setup->option[COUNTER_DELAY] != 0 ? setup->option[COUNTER_DELAY] : 1;
    c->retired = UINT64_MAX;
    c->interrupts = setup->option[COUNTER_COST] != 0;
    c->base.collects = setup->option[COUNTER_COLLECT] != 0;
    c->base.lines = c->interrupts || c->base.collects;
    count_table_init(&c->table);
    begin_turn(c, 0, 0);
    c->token_from = counter_next_token(c);
    return &c->base;
}

/* Starts counting; a warm-up may precede. */
static void counter_attach(struct observer *o, struct core *core)
{
    struct counter *c = (struct counter *)o;
    const struct core_config *cfg = core_configuration(core);
    enum { INORDER_IN_FLIGHT = 256 };
    c->core = core;
    c->start = core_clock(core);
    c->start_retired = core_retired(core);
    c->width = cfg->fetch_width;
    c->in_flight = cfg->rob_entries + cfg->fetch_buffer;
    if (c->in_flight < INORDER_IN_FLIGHT)
        c->in_flight = INORDER_IN_FLIGHT;
    c->interrupt_cycles = cfg->interrupt_cycles;
    if (c->option[COUNTER_DELAY] == 0 && c->interrupt_cycles > 0)
        c->delay = c->interrupt_cycles;
    c->interrupts = c->option[COUNTER_COST] != 0 || (o->handler != NULL && !o->handler->free);
    if (c->interrupts)
        c->line = core_connect_interrupt(core, counter_handle, c);
    begin_turn(c, 0, c->start);
    c->token_from = counter_next_token(c);
}

static void counter_conclude(struct counter *c, const char *label, uint64_t cycles)
{
    free((void *)c->profile.row);
    c->profile = (struct counter_profile){.label = label,
                                          .cycles = cycles,
                                          .period = c->option[COUNTER_PERIOD],
                                          .delay = c->delay,
                                          .cost = c->option[COUNTER_COST],
                                          .collected = c->base.handler != NULL,
                                          .number = c->base.number,
                                          .event = c->event,
                                          .events = c->events,
                                          .has_skid = c->skid != NULL};
    for (unsigned n = 0; n < c->events; n++) {
        struct counter_event *e = &c->event[n];
        e->total = counter_count_of(c, &c->tally[n], c->start + cycles);
        e->estimate = (double)(e->samples + e->lost) * mean_period(c);
        if (e->cycles != 0)
            e->estimate *= (double)cycles / (double)e->cycles;
    }
    c->profile.row = count_table_rows(&c->table, &c->profile.rows);
}

static void counter_finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    struct counter *c = (struct counter *)o;
    (void)hart;
    end_turn(c, c->start + cycles);
    if (c->pending) /* the run has ended before its interrupt */
        c->event[c->pending_event].lost++;
    c->pending = false;
    counter_conclude(c, o->label != NULL ? o->label : o->kind->name, cycles);
    if (c->skid != NULL)
        c->profile.skid = c->distances = skid_finish(c->skid, &c->profile.skids, &c->profile.unplaced);
}

static const struct counter_profile *counter(const struct observer *o) { return &((const struct counter *)o)->profile; }

static void counter_release(struct observer *o)
{
    struct counter *c = (struct counter *)o;
    free((void *)c->profile.row);
    free(c->distances);
    free(c->skid);
    count_table_fini(&c->table);
    free(c);
}

const struct observer_kind observer_counter = {
    .name = "counter",
    .help = "an event counter: an interrupt after each period of events, some instructions late",
    .options = options,
    .objection = counter_objection,
    .create = counter_create,
    .attach = counter_attach,
    .finish = counter_finish,
    .counters = counter,
    .release = counter_release,
};
