/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two co-processors of the debugger: the live one, which is watched and whose inputs are recorded, and the one that shows the past. Both
 * stop by the same conditions, seen through the same watch callbacks; so what is passed going forward is found again going back.
 *
 * The live one stops within a callback: the prompt runs there. The one of the past cannot be stopped within a call that advances it: at
 * the moment of the stop its state is copied, the call ends, and the copy is put back. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/debug/debugger.h"

enum { CHUNK_CYCLES = 1 << 14 }; /* of the past, between two looks at Ctrl-C */

/* What the signal handler knows. */
static volatile sig_atomic_t interrupted;
static volatile int *stop_core;
static pid_t owner; /* a process of the guest's that is our fork has no debugger */

static void on_interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
    if (stop_core != NULL)
        *stop_core = 1;
}

bool machine_interrupted(void)
{
    bool was = interrupted != 0;
    interrupted = 0;
    return was;
}

bool machine_is_interrupted(void) { return interrupted != 0; }

struct moment machine_at(const struct machine *m) { return (struct moment){m->words, m->inputs, m->phase}; }

struct formula_scope machine_scope(struct machine *m)
{
    const struct debug_services *s = &m->d->s;
    return (struct formula_scope){.cop = m->cop, .image = m->d->image, .position = m->words, .samples = m->samples, .ctx = s->ctx,
                                  .guest_register = s->guest_register, .guest_symbol = s->guest_symbol, .guest_memory = s->guest_memory};
}

/* ---- the live one ---- */

static void stop_live(struct debugger *d, const struct reason *why)
{
    d->why = *why;
    d->goal = (struct goal){.kind = GOAL_NONE};
    d->shown = &d->live;
    show_stop(d, why);
    command_prompt(d);
    stops_look(&d->live);
}

static void live_event(struct machine *m, enum event e)
{
    struct reason why = {.kind = REASON_KEY, .event = e};
    bool key = e == EVENT_WORD && interrupted;
    if (m->d->prompting || (!key && !stops_reason(m, e, &why)) || getpid() != owner)
        return;
    if (key)
        (void)machine_interrupted();
    stop_live(m->d, &why);
}

static uint64_t count_of(const struct cop *c, enum bus_address counter)
{
    struct cop_place place = {counter, 0};
    uint64_t v = 0;
    if (cop_peek(c, &place, &v) != ST_OK)
        BUG("the counter at 0x%x cannot be read", (unsigned)counter);
    return v;
}

static void record(struct machine *m, struct history_input *in)
{
    in->offered = count_of(m->cop, BUS_OFFERED);
    in->filtered = count_of(m->cop, BUS_FILTERED);
    history_add(&m->d->history, in);
}

static struct snapshot snapshot_of(const struct machine *m)
{
    return (struct snapshot){.cop = cop_clone(m->cop), .at = machine_at(m), .samples = m->samples, .fresh = m->fresh,
                             .cursor = m->live ? m->d->history.end : m->cursor};
}

static void keep_snapshot(struct machine *m)
{
    struct moment at = machine_at(m);
    if (!history_wants_snapshot(&m->d->history, &at))
        return;
    struct snapshot s = snapshot_of(m);
    history_keep(&m->d->history, &s);
}

/* ---- the past one ---- */

static void freeze(struct machine *m)
{
    m->frozen = cop_clone(m->cop);
    cop_watch(m->cop, NULL);
}

void machine_add_hit(struct machine *m, const struct reason *why)
{
    if (m->hit_count == m->hit_room) {
        m->hit_room = m->hit_room * 2 + 256;
        m->hits = xrealloc(m->hits, m->hit_room * sizeof *m->hits);
    }
    m->hits[m->hit_count++] = (struct hit){machine_at(m), *why};
}

static void past_event(struct machine *m, enum event e)
{
    struct moment now = machine_at(m);
    struct reason why;
    int distance = moment_compare(&now, &m->limit);
    if (distance > 0 || (distance == 0 && !m->limit_counts)) {
        m->reached = true;
        freeze(m);
        return;
    }
    if (m->mode == RUN_TO_MOMENT || moment_compare(&now, &m->from) <= 0 || !stops_reason(m, e, &why))
        return;
    if (m->mode == RUN_SCAN)
        return; /* they are noted */
    m->d->why = why;
    m->stopped = true;
    freeze(m);
}

/* ---- the watch callbacks of both ---- */

static void event(struct machine *m, enum event e, enum phase phase)
{
    m->event = e;
    m->phase = phase;
    if (m->live)
        live_event(m, e);
    else
        past_event(m, e);
    m->by_word = false;
}

static void on_before(void *ctx, uint64_t cycle)
{
    struct machine *m = ctx;
    (void)cycle;
    m->phase = PHASE_WORD;
    if (m->live)
        keep_snapshot(m);
    event(m, EVENT_WORD, PHASE_WORD);
}

static void on_after(void *ctx, const struct cop_step *step)
{
    struct machine *m = ctx;
    m->words++;
    m->fresh = false;
    m->by_word = m->knows_last = true;
    m->last = *step;
    m->last_uop = *step->uop;
    m->last.uop = &m->last_uop;
}

static void on_dispatched(void *ctx, uint64_t cycle, enum opclass opclass)
{
    struct machine *m = ctx;
    (void)cycle;
    (void)opclass;
    m->samples++;
    m->fresh = true;
}

static void on_done(void *ctx, uint64_t cycle)
{
    (void)cycle;
    event(ctx, EVENT_DONE, PHASE_DONE);
}

static void on_halt(void *ctx, uint64_t cycle)
{
    (void)cycle;
    event(ctx, EVENT_INTERRUPT, PHASE_HALT);
}

static void on_fault(void *ctx, uint64_t cycle)
{
    (void)cycle;
    event(ctx, EVENT_FAULT, PHASE_HALT);
}

static void take_sample(struct machine *m, struct history_input *in, enum event e)
{
    in->kind = INPUT_SAMPLE;
    if (m->live)
        record(m, in);
    m->inputs++;
    event(m, e, PHASE_INPUT);
}

static void on_delivered(void *ctx, const struct cop_arrival *a)
{
    struct history_input in = {.cycle = a->cycle, .opclass = a->opclass, .fields = a->fields};
    memcpy(in.field, a->field, a->fields * sizeof in.field[0]);
    take_sample(ctx, &in, EVENT_INPUT);
}

/* The sample field at each position of the record: 0xff for none. */
static void read_format(const struct cop *c, uint64_t format[ISA_FIELDS])
{
    for (unsigned i = 0; i < ISA_FIELDS; i++) {
        struct cop_place place = {BUS_FORMAT, i};
        if (cop_peek(c, &place, &format[i]) != ST_OK)
            format[i] = 0xff;
    }
}

static void on_dropped(void *ctx, const struct sample *s, enum cop_drop drop)
{
    struct machine *m = ctx;
    struct history_input in = {.cycle = s->cycle, .opclass = s->opclass};
    uint64_t format[ISA_FIELDS];
    (void)drop;
    read_format(m->cop, format);
    for (unsigned i = 0; i < ISA_FIELDS && format[i] < FIELD_COUNT; i++)
        in.field[in.fields++] = s->field[format[i]];
    take_sample(m, &in, EVENT_DROP);
}

/* Of the live one only. */
static void on_bus(void *ctx, uint64_t cycle, bool write, uint32_t address, uint64_t value)
{
    struct machine *m = ctx;
    if (!write)
        return;
    struct history_input in = {.kind = INPUT_WRITE, .cycle = cycle, .place = {(enum bus_address)address, 0}, .value = value};
    record(m, &in);
    m->inputs++;
}

static void watch_live(struct machine *m)
{
    struct cop_watch w = {.ctx = m, .before = on_before, .after = on_after, .delivered = on_delivered, .dropped = on_dropped,
                          .dispatched = on_dispatched, .done = on_done, .stopped = on_fault, .bus = on_bus};
    cop_watch(m->cop, &w);
}

static void watch_past(struct machine *m)
{
    struct cop_watch w = {.ctx = m, .before = on_before, .after = on_after, .delivered = on_delivered, .dropped = on_dropped,
                          .dispatched = on_dispatched, .done = on_done, .interrupt = on_halt, .stopped = on_fault};
    cop_watch(m->cop, &w);
}

/* ---- running the past ---- */

static void place(struct debugger *d, const struct snapshot *s)
{
    struct machine *m = &d->past;
    if (m->cop == NULL)
        m->cop = cop_clone(s->cop);
    else
        cop_restore(m->cop, s->cop);
    m->words = s->at.words;
    m->inputs = s->at.inputs;
    m->phase = s->at.phase;
    m->event = s->at.phase == PHASE_WORD ? EVENT_WORD : EVENT_INPUT;
    m->samples = s->samples;
    m->fresh = s->fresh;
    m->cursor = s->cursor;
    m->knows_last = m->by_word = false;
    watch_past(m);
}

static void deliver(struct machine *m, const struct history_input *in)
{
    struct sample s = {.opclass = in->opclass, .cycle = in->cycle};
    struct sample_sink sink = cop_sink(m->cop);
    uint64_t format[ISA_FIELDS];
    read_format(m->cop, format);
    for (unsigned i = 0; i < in->fields && format[i] < FIELD_COUNT; i++)
        s.field[format[i]] = in->field[i];
    sink.deliver(sink.ctx, &s);
}

/* Does an input, whose cycle has come. */
static enum status apply(struct machine *m, const struct history_input *in)
{
    struct bus bus = cop_bus(m->cop);
    enum status st = ST_OK;
    cop_set_offered(m->cop, in->offered, in->filtered);
    switch (in->kind) {
    case INPUT_SAMPLE: deliver(m, in); break;
    case INPUT_WRITE: st = bus.write(bus.ctx, in->place.region, in->value); break;
    case INPUT_POKE: st = cop_poke(m->cop, &in->place, in->value); break;
    case INPUT_PC: st = cop_set_pc(m->cop, (unsigned)in->value) ? ST_OK : ST_RANGE; break;
    }
    if (in->kind != INPUT_SAMPLE && st == ST_OK) {
        m->inputs++;
        m->by_word = false;
    }
    return st;
}

static void thaw(struct machine *m)
{
    cop_restore(m->cop, m->frozen);
    cop_free(m->frozen);
    m->frozen = NULL;
    watch_past(m);
}

/* Lets time pass; true where the machine has stopped on the way. */
static bool pass_time(struct machine *m, uint64_t until)
{
    for (uint64_t at = cop_cycle(m->cop); at < until;) {
        at = until - at < CHUNK_CYCLES ? until : at + CHUNK_CYCLES;
        cop_advance(m->cop, at);
        if (m->frozen != NULL) {
            thaw(m);
            return true;
        }
        if (interrupted) {
            (void)machine_interrupted();
            m->d->why = (struct reason){.kind = REASON_KEY};
            m->phase = PHASE_BETWEEN;
            return m->stopped = true;
        }
    }
    return false;
}

/* Is this the moment itself, though no event of the watch port marks it? */
static bool is_there(const struct machine *m)
{
    return m->mode == RUN_TO_MOMENT && m->limit.phase >= PHASE_BETWEEN && m->words == m->limit.words && m->inputs == m->limit.inputs;
}

/* Runs with the recorded inputs until it stops, reaches its limit, or the inputs and the time recorded are used up. */
static void run(struct machine *m)
{
    struct debugger *d = m->d;
    m->stopped = m->reached = false;
    for (;;) {
        struct history_cursor next = m->cursor;
        struct history_input in;
        bool more = history_read(&d->history, &next, &in);
        if (pass_time(m, more ? in.cycle : cop_cycle(d->live.cop)))
            return;
        if (is_there(m)) {
            m->phase = m->limit.phase;
            m->reached = true;
            return;
        }
        if (!more)
            return;
        /* A change that a what-if has made impossible is left out. */
        if (apply(m, &in) != ST_OK)
            m->inputs++;
        m->cursor = next;
        if (m->frozen != NULL) {
            thaw(m);
            return;
        }
    }
}

static const struct moment never = {UINT64_MAX, UINT64_MAX, PHASE_WORD};

static void seek(struct debugger *d, const struct moment *to)
{
    struct machine *m = &d->past;
    place(d, d->what_if ? &d->root : &d->history.snapshot[history_before(&d->history, to)]);
    m->mode = RUN_TO_MOMENT;
    m->limit = *to;
    m->limit_counts = false;
    d->shown = m;
    struct moment now = machine_at(m);
    if (moment_compare(&now, to) < 0)
        run(m);
    m->event = m->phase == PHASE_WORD ? EVENT_WORD : EVENT_INPUT;
}

void machine_to_present(struct debugger *d)
{
    if (d->what_if)
        cop_free(d->root.cop);
    d->what_if = false;
    d->shown = &d->live;
}

static void stop_shown(struct debugger *d, const struct reason *why)
{
    struct reason copy = *why;
    d->goal = (struct goal){.kind = GOAL_NONE};
    d->why = copy;
    show_stop(d, &copy);
}

/* The past has caught up with the present: stops there if the goal, or a breakpoint, is met in it; else the live one goes on. */
static void arrive(struct debugger *d)
{
    struct reason why = {.kind = REASON_END};
    if (d->what_if) {
        stop_shown(d, &why);
        return;
    }
    memcpy(d->live.old, d->past.old, sizeof d->live.old);
    memcpy(d->live.known, d->past.known, sizeof d->live.known);
    machine_to_present(d);
    if (!d->ended && !stops_reason(&d->live, d->live.event, &why))
        d->leave = true;
    else
        stop_shown(d, &why);
}

static void run_past(struct debugger *d)
{
    struct machine *m = &d->past;
    m->limit = d->what_if ? never : machine_at(&d->live);
    m->limit_counts = false;
    d->shown = m;
    stops_look(m);
    run(m);
    if (m->stopped)
        stop_shown(d, &d->why);
    else
        arrive(d);
}

void machine_forward(struct debugger *d, const struct goal *goal)
{
    d->goal = *goal;
    if (d->shown == &d->live) {
        if (d->ended)
            fprintf(d->out, "the run is over\n");
        else
            d->leave = true;
        return;
    }
    d->past.mode = RUN_TO_STOP;
    d->past.from = machine_at(&d->past);
    run_past(d);
}

/* What was passed from a snapshot on to the limit. */
static void scan(struct debugger *d, const struct snapshot *s, const struct moment *limit, bool limit_counts)
{
    struct machine *m = &d->past;
    place(d, s);
    m->hit_count = 0;
    m->mode = RUN_SCAN;
    m->from = (struct moment){0, 0, PHASE_INPUT};
    m->limit = *limit;
    m->limit_counts = limit_counts;
    stops_look(m);
    run(m);
}

/* The last of the moments passed at which to stop. What happens at the snapshot itself is the interval's before it, if there is one. */
static const struct hit *choose(struct debugger *d, const struct snapshot *s, bool first, uint64_t *left)
{
    const struct hit *hits = d->past.hits;
    for (size_t end = d->past.hit_count, start; end > 0; end = start) { /* what one moment hit, in the order of going forwards */
        for (start = end - 1; start > 0 && moment_compare(&hits[start - 1].at, &hits[end - 1].at) == 0;)
            start--;
        if (!first && moment_compare(&hits[start].at, &s->at) == 0)
            continue;
        for (size_t i = start; i < end; i++) {
            const struct reason *why = &hits[i].why;
            if (why->kind == REASON_GOAL ? --*left == 0 : why->kind != REASON_STOP || !stops_ignore(&d->stop[why->stop]))
                return &hits[i];
        }
    }
    return NULL;
}

void machine_backward(struct debugger *d, const struct goal *goal)
{
    struct moment now = machine_at(d->shown), limit = now;
    struct reason why = {.kind = REASON_BEGIN};
    uint64_t left = goal->count;
    bool limit_counts = false;
    unsigned n = d->what_if ? 0 : history_before(&d->history, &now);
    for (;; n--) {
        const struct snapshot *s = d->what_if ? &d->root : &d->history.snapshot[n];
        d->goal = *goal;
        d->goal.count = 1;
        scan(d, s, &limit, limit_counts);
        if (d->past.stopped) { /* by Ctrl-C */
            why.kind = REASON_KEY;
            if (d->what_if || now.words != d->live.words || now.inputs != d->live.inputs)
                seek(d, &now);
            else
                machine_to_present(d);
            break;
        }
        const struct hit *h = choose(d, s, n == 0, &left);
        if (h != NULL) {
            struct moment to = h->at;
            why = h->why;
            seek(d, &to);
            break;
        }
        if (n == 0) {
            place(d, s);
            d->shown = &d->past;
            break;
        }
        limit = s->at;
        limit_counts = true;
    }
    stop_shown(d, &why);
}

static bool comes_before(const struct snapshot *s, const struct goal *goal)
{
    switch (goal->kind) {
    case GOAL_POSITION: return s->at.words < goal->count;
    case GOAL_CYCLE: return cop_cycle(s->cop) < goal->count;
    default: return s->samples < goal->count;
    }
}

void machine_go(struct debugger *d, const struct goal *goal)
{
    const struct snapshot *s = d->what_if ? &d->root : &d->history.snapshot[0];
    d->goal = *goal;
    for (unsigned i = 1; !d->what_if && i < d->history.snapshots && comes_before(&d->history.snapshot[i], goal); i++)
        s = &d->history.snapshot[i];
    place(d, s);
    d->past.mode = RUN_TO_GOAL;
    d->past.from = (struct moment){0, 0, PHASE_INPUT};
    run_past(d);
}

/* ---- changes ---- */

static void set_root(struct debugger *d)
{
    if (d->what_if)
        cop_free(d->root.cop);
    d->root = snapshot_of(&d->past);
    d->what_if = true;
}

enum status machine_may_change(struct debugger *d, struct errmsg *err)
{
    if (d->shown->phase == PHASE_INPUT || d->shown->phase == PHASE_DONE)
        return fail(err, ST_INPUT, "nothing can be changed between a %s and what follows: step first",
                    d->shown->phase == PHASE_DONE ? "done" : "sample's arrival");
    if (d->shown == &d->live && d->ended)
        return fail(err, ST_INPUT, "the run is over: go back, and change something there");
    return ST_OK;
}

enum status machine_input(struct debugger *d, const struct history_input *in, struct errmsg *err)
{
    struct machine *m = d->shown;
    struct history_input copy = *in;
    enum status st = machine_may_change(d, err);
    if (st != ST_OK)
        return st;
    copy.cycle = cop_cycle(m->cop);
    copy.offered = count_of(m->cop, BUS_OFFERED);
    copy.filtered = count_of(m->cop, BUS_FILTERED);
    bool fresh = m->fresh;
    enum phase phase = m->phase;
    uint64_t inputs = m->inputs;
    if (!m->live) {
        m->limit = never;
        m->mode = RUN_TO_MOMENT;
    }
    st = apply(m, &copy);
    m->phase = phase;
    m->fresh = fresh;
    if (st != ST_OK)
        return fail(err, ST_RANGE, "the co-processor does not take this value here");
    m->inputs = inputs + 1;
    if (!m->live)
        set_root(d);
    else if (in->kind == INPUT_POKE || in->kind == INPUT_PC)
        record(m, &copy);
    return ST_OK;
}

struct snapshot machine_snapshot(struct debugger *d) { return snapshot_of(d->shown); }

enum status machine_show(struct debugger *d, const struct snapshot *at, bool what_if, struct errmsg *err)
{
    if (!history_has(&d->history, &at->cursor))
        return fail(err, ST_RANGE, "what came after it has been forgotten: the history begins at position %llu",
                    (unsigned long long)d->history.snapshot[0].at.words);
    struct reason why = {.kind = REASON_PAUSE};
    struct moment live = machine_at(&d->live);
    machine_to_present(d);
    if (what_if || moment_compare(&at->at, &live) != 0) {
        place(d, at);
        d->shown = &d->past;
        if (what_if)
            set_root(d);
    }
    stop_shown(d, &why);
    return ST_OK;
}

void machine_forget(struct debugger *d)
{
    machine_to_present(d);
    history_clear(&d->history);
    for (int i = 0; i < MAX_MARKS; i++) {
        free(d->mark[i].name);
        cop_free(d->mark[i].at.cop);
        d->mark[i] = (struct mark){.name = NULL};
    }
    keep_snapshot(&d->live);
}

/* ---- the debugger's life ---- */

void machine_begin(struct debugger *d)
{
    struct sigaction act = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
    owner = getpid();
    stop_core = d->s.stop_core;
    sigaction(SIGINT, &act, NULL);
    d->live.live = true;
    d->live.d = d->past.d = d;
    d->live.phase = PHASE_BETWEEN;
    d->shown = &d->live;
    watch_live(&d->live);
    keep_snapshot(&d->live);
}

void machine_free(struct debugger *d)
{
    machine_to_present(d);
    cop_watch(d->live.cop, NULL);
    cop_free(d->past.cop);
    free(d->past.hits);
    stop_core = NULL;
}

void debug_begin(struct debugger *d)
{
    struct reason why = {.kind = REASON_PAUSE};
    machine_begin(d);
    stop_live(d, &why);
    d->running = true;
}

void debug_interrupt(struct debugger *d) { event(&d->live, EVENT_INTERRUPT, PHASE_HALT); }

static void pause_live(struct debugger *d, const struct reason *why)
{
    d->live.phase = PHASE_BETWEEN;
    d->live.event = EVENT_INPUT;
    stop_live(d, why);
}

bool debug_retired(struct debugger *d, uint64_t pc)
{
    struct reason why;
    if (d->guest_stops == 0 || !stops_on_guest(d, pc, &why) || getpid() != owner)
        return false;
    d->why = why;
    d->guest_stopped = true;
    return true;
}

bool debug_wants_pause(const struct debugger *d) { return d->guest_stopped || interrupted; }

void debug_pause(struct debugger *d)
{
    struct reason why = {.kind = machine_interrupted() ? REASON_KEY : REASON_PAUSE};
    if (d->guest_stopped)
        why = d->why;
    d->guest_stopped = false;
    pause_live(d, &why);
}

void debug_end(struct debugger *d, const char *how)
{
    struct reason why = {.kind = REASON_END};
    d->ended = true;
    fprintf(d->out, "%s\n", how);
    pause_live(d, &why);
}
