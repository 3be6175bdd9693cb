/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The replay of memoised cycles. See memo.h. */
#define LOGGED
#include "core-model/pipe/memo.h"
#include "core-model/pipe/pack.h"

/* Ranges of cases are a GNU C extension. */
#pragma GCC diagnostic ignored "-Wpedantic"

/* Replayed cycles for which one may be recorded. */
enum { CYCLES_PER_CREDIT = 16 };

static void earn(struct memo *m, uint64_t cycles)
{
    m->credit += (int64_t)(cycles / CYCLES_PER_CREDIT);
    if (m->credit >= MEMO_CREDIT)
        memo_fill_credit(m);
}

/* The cycle that is replayed. */
struct replayed_cycle {
    struct ooo *c;
    struct memo *m;
    uint64_t head; /* at its beginning */
    uint32_t store_head;
    const struct memo_action *first; /* list of actions at its beginning */
    bool fetches;
    bool tags;        /* observers may tag renamed instructions */
    uint64_t flushed; /* cycles for which the ROB has been empty and that are not counted yet */
};

/* ---- from the replay to the stages ---- */

static void write_load(struct ooo *c, const struct memo_action *a, uint64_t access)
{
    const uint32_t when = load_when(a);
    effects_log(c, EFFECT_TRANSLATE, a->at, when, (uint64_t)when << 1);
    effects_log(c, EFFECT_WAIT_BIT, a->at, 0, 0);
    effects_log(c, EFFECT_SEARCH, a->at, load_stores(a), 0);
    effects_log(c, EFFECT_ACCESS, a->at, when << 1, access);
}

static void write_run(struct ooo *c, uint32_t at, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        effects_log(c, EFFECT_EXECUTE, at + n, 0, 0);
}

/* Finds the path from the first list of actions to the list `to`, which the replay has reached. Returns the number of
 * its actions, which are in m->path. A replay does not note its path, because it seldom leaves a cycle. */
static uint32_t find_path(struct memo *m, const struct memo_action *first, const struct memo_action *to)
{
    uint32_t steps = 0;
    for (const struct memo_action *list = first; list != to;) {
        if (list != NULL && list->kind != ACTION_END) {
            m->path[steps++] = list;
            list = list->next;
            continue;
        }
        while (steps > 0 && m->path[steps - 1]->alternative == NULL)
            steps--;
        if (steps == 0)
            BUG("a replay has reached no action of its cycle");
        m->path[steps - 1] = m->path[steps - 1]->alternative;
        list = m->path[steps - 1]->next;
    }
    return steps;
}

/* Writes the effects that the replay has performed, those before the list `to`, to the log. */
static void write_path(struct replayed_cycle *y, const struct memo_action *to)
{
    struct ooo *c = y->c;
    const uint32_t steps = find_path(y->m, y->first, to);
    c->log.count = 0;
    for (uint32_t n = 0; n < steps; n++) {
        const struct memo_action *a = y->m->path[n];
        if (a->kind == ACTION_RUN) {
            write_run(c, a->at, a->arg);
        } else if (a->kind == ACTION_LOAD) {
            write_load(c, a, a->result);
        } else if (a->kind == ACTION_PACKET) {
            effects_log(c, EFFECT_FETCH, 0, 0, a->result);
            effects_log(c, EFFECT_PORT, 0, 0, 0);
        } else {
            effects_log(c, (enum effect)a->kind, a->at, a->arg, a->result);
        }
    }
}

/* The stages must repeat the cycle, and continue at the list `to`. */
static const struct memo_action *leave(struct replayed_cycle *y, const struct memo_action *to)
{
    write_path(y, to);
    return NULL;
}

/* ---- actions: each function returns the next list, or NULL: the stages must repeat the cycle ---- */

/* The action of a list for one effect with this result, or NULL. */
static inline const struct memo_action *with_result(const struct memo_action *a, uint64_t result)
{
    while (a != NULL && (a->result != result || action_is_whole(a)))
        a = a->alternative;
    return a;
}

/* Continues behind effects that have been performed. */
static const struct memo_action *pass_effects(struct replayed_cycle *y, const struct memo_action *a,
                                              const struct effect_entry *e, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        const struct memo_action *known = with_result(a, e[n].result);
        if (known == NULL) {
            write_path(y, a);
            for (; n < count; n++)
                effects_log(y->c, (enum effect)e[n].kind, e[n].at, e[n].arg, e[n].result);
            return NULL;
        }
        a = known->next;
    }
    return a;
}

static const struct memo_action *pass_result(struct replayed_cycle *y, const struct memo_action *a, uint64_t result)
{
    const struct memo_action *known = with_result(a, result);
    if (__builtin_expect(known != NULL, 1))
        return known->next;
    return pass_effects(y, a, &(struct effect_entry){a->kind, a->at, a->arg, result}, 1);
}

static const struct memo_action *replay_commit(struct replayed_cycle *y, const struct memo_action *a)
{
    struct ooo *c = y->c;
    commit_perform(c, a->arg);
    if (probe_port_retires(&c->port))
        c->port.retired_before = c->now;
    return interrupt_due(&c->interrupt, c->now) || c->port.token_from <= c->now ? leave(y, a->next) : a->next;
}

/* The squash of a misprediction by the instruction before `position`. */
static void replay_squash(struct ooo *c, uint64_t position, uint32_t stores)
{
    struct front *f = &c->front;
    const uint32_t by = (uint32_t)(position - 1) & c->ring_mask;
    const struct rv_outcome *o = &c->outcome[by];
    squash_perform(c, position, stores);
    if (f->wrong != UINT64_MAX && f->wrong >= position - 1)
        f->wrong = UINT64_MAX;
    front_redirect(f, o->next_pc, front_history_after(f, c->slot[by].insn, o, c->history[by]), c->now);
}

/* The load has an obstacle: the first `count` of its effects have been performed, of which the last has this result. */
static __attribute__((noinline)) const struct memo_action *load_differs(struct replayed_cycle *y,
                                                                        const struct memo_action *a, uint32_t count,
                                                                        uint64_t result)
{
    const uint32_t when = load_when(a);
    struct effect_entry e[] = {{.kind = EFFECT_TRANSLATE, .at = a->at, .arg = when, .result = (uint64_t)when << 1},
                               {.kind = EFFECT_WAIT_BIT, .at = a->at},
                               {.kind = EFFECT_SEARCH, .at = a->at, .arg = load_stores(a)}};
    e[count - 1].result = result;
    return pass_effects(y, a, e, count);
}

static const struct memo_action *replay_load(struct replayed_cycle *y, const struct memo_action *a)
{
    struct ooo *c = y->c;
    const uint32_t i = (uint32_t)(y->head + a->at) & c->ring_mask, when = load_when(a);
    uint64_t result = translate_perform(c, i, c->now + when);
    if (result != (uint64_t)when << 1)
        return load_differs(y, a, 1, result);
    result = wait_bit_perform(c, i);
    if (result != 0)
        return load_differs(y, a, 2, result);
    result = search_perform(c, i, c->store_head + load_stores(a));
    if (result != 0)
        return load_differs(y, a, 3, result);
    const uint64_t access = access_perform(c, i, c->now + when, false);
    for (const struct memo_action *known = a; known != NULL && known->kind == ACTION_LOAD; known = known->alternative)
        if (known->result == access)
            return known->next;
    write_path(y, a);
    write_load(c, a, access);
    return NULL;
}

/* The packet is not known, or cannot be fetched: `count` of its effects have been performed. */
static __attribute__((noinline)) const struct memo_action *packet_differs(struct replayed_cycle *y,
                                                                          const struct memo_action *a, uint32_t count,
                                                                          uint64_t pc, uint64_t port)
{
    const struct effect_entry e[] = {{.kind = EFFECT_FETCH, .result = pc}, {.kind = EFFECT_PORT, .result = port}};
    return pass_effects(y, a, e, count);
}

static const struct memo_action *replay_packet(struct replayed_cycle *y, const struct memo_action *a)
{
    const uint64_t pc = y->c->front.hart->pc;
    const struct memo_action *known = a;
    while (known != NULL && (known->kind != ACTION_PACKET || known->result != pc))
        known = known->alternative;
    if (known == NULL) /* there may be no instruction at pc */
        return packet_differs(y, a, 1, pc, 0);
    const uint64_t port = port_perform(y->c, pc);
    return __builtin_expect(port == 0, 1) ? known->next : packet_differs(y, a, 2, pc, port);
}

/* Executes up to `count` instructions from `in` on. Returns the number of those before one that has a trap or is
 * deferred: an atomic may access memory of this process alone in one execution, and shared memory in another. */
static inline uint32_t run(struct ooo *c, const struct rv_insn *in, uint32_t count)
{
    struct front *f = &c->front;
    const uint32_t events = f->port.events | (f->wrong != UINT64_MAX ? PROBE_WRONG_PATH : 0);
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t i = (uint32_t)c->fetch_tail++ & c->ring_mask;
        struct slot *s = &c->slot[i];
        s->pc = f->hart->pc;
        s->insn = in;
        s->seq = f->next_seq++;
        s->events = events;
        s->flags = SLOT_EXECUTED;
        s->level = s->trap = 0;
        c->history[i] = f->history;
        if (__builtin_expect(front_defers(f->hart, in), 0)) {
            front_defer(f, &s->insn, s->pc, RV_TRAP_NONE, &c->outcome[i]);
            s->flags = 0;
            return n;
        }
        rv_exec(f->hart, in, &c->outcome[i]);
        if (__builtin_expect(c->outcome[i].trap != RV_TRAP_NONE, 0)) {
            s->trap = c->outcome[i].trap;
            s->flags = 0;
            return n;
        }
        in = rv_behind(in);
    }
    return count;
}

static const struct memo_action *replay_run(struct replayed_cycle *y, const struct memo_action *a)
{
    struct ooo *c = y->c;
    if (c->front.next_seq + a->arg > c->port.at_fetch.from_seq)
        return leave(y, a);
    y->fetches = true;
    const uint32_t done = run(c, a->insn, a->arg);
    if (__builtin_expect(done == a->arg, 1))
        return a->next;
    write_path(y, a);
    write_run(c, a->at, done);
    effects_log(c, EFFECT_EXECUTE, a->at + done, 0, 1u + c->slot[(c->fetch_tail - 1) & c->ring_mask].trap);
    return NULL;
}

/* Performs the effect of an action for one effect, and returns its result. */
static inline uint64_t perform(struct ooo *c, const struct memo_action *a, uint64_t head)
{
    const uint32_t i = (uint32_t)(head + a->at) & c->ring_mask;
    switch ((enum effect)a->kind) {
    case EFFECT_FILL:
        return fill_perform(c);
    case EFFECT_LENGTH:
        return length_perform(c, a->arg, a->at);
    case EFFECT_EVENT:
        probe_event(c, &c->slot[i], a->arg);
        return 0;
    case EFFECT_SQUASH:
        replay_squash(c, head + a->at, a->arg);
        return 0;
    case EFFECT_TRANSLATE:
        return translate_perform(c, i, c->now + a->arg);
    case EFFECT_WAIT_BIT:
        return wait_bit_perform(c, i);
    case EFFECT_SEARCH:
        return search_perform(c, i, c->store_head + a->arg);
    case EFFECT_COVERS:
        return covers_perform(c, i, c->store_head + a->arg);
    case EFFECT_ACCESS:
        return access_perform(c, i, c->now + (a->arg >> 1), a->arg & 1);
    case EFFECT_SEND:
        return send_perform(c, a->arg);
    case EFFECT_STORE_DONE:
        return store_done_perform(c, c->store_head + a->arg);
    case EFFECT_SET_WAIT:
        set_wait_perform(c, i);
        return 0;
    case EFFECT_ENTER_STORE:
        enter_store_perform(c, i);
        return 0;
    case EFFECT_FREE_STORES:
        return free_stores_perform(c);
    case EFFECT_FETCH:
        return c->front.hart->pc;
    case EFFECT_PORT:
        return port_perform(c, c->front.hart->pc);
    case EFFECT_FOLLOW:
        return follow_perform(c, i, head + a->at);
    case EFFECT_COMMIT:
    case EFFECT_EXECUTE:
    case EFFECT_COUNT:
        break;
    }
    BUG("action %u", a->kind);
}

/* ---- cycles ---- */

/* Sets what the tokens of the cycle need and a replay does not keep. */
static void report(struct ooo *c, const struct memo_leaf *l, uint64_t head)
{
    struct cycle_report *r = &c->cycle;
    c->empty = l->empty;
    r->rob_tail = head + !l->rob_empty;
    r->exception = false;
    r->dispatching = l->dispatching;
    r->dispatch_pc = l->dispatch_pc;
    r->stall = l->stalls ? &c->stats.serialised : NULL; /* any statistic: only NULL is distinguished */
}

/* Sends the cycle's token to the observers of unmerged tokens. */
static __attribute__((noinline)) void send_unmerged(struct ooo *c, const struct memo_leaf *l, uint64_t head)
{
    report(c, l, head);
    probe_send_token(c, l->cycles);
}

/* The ROB is empty: the cycles join the token of those before, or are a token of their own. */
static __attribute__((noinline)) void send_empty(struct ooo *c, const struct memo_leaf *l, uint64_t head)
{
    report(c, l, head);
    if (c->port.merged.counts)
        c->merged_to = c->now - l->cycles;
    if (!probe_joins(c, l->cycles))
        probe_merge_empty(c, l->cycles);
}

/* Counts the cycles for which the ROB has been empty because of the youngest retired instruction. */
static void send_flushed(struct replayed_cycle *y)
{
    struct ooo *c = y->c;
    if (y->flushed == 0)
        return;
    const struct slot *s = &c->slot[(uint32_t)(c->head - 1) & c->ring_mask];
    probe_port_send_counted(
        &c->port, &(struct probe_counted){.times = 1, .cycles = y->flushed, .oir = probe_oir_of(s->pc, s->events)});
    y->flushed = 0;
}

/* The ROB is empty, and observers of merged tokens count. The cycle in which an instruction enters it is counted by its
 * leaf. */
static inline void count_empty(struct replayed_cycle *y, const struct memo_leaf *l)
{
    if (!memo_counts_empty(l->empty))
        send_empty(y->c, l, y->head);
    else if (l->addresses == 0)
        y->flushed += l->cycles;
    else
        send_flushed(y);
}

static inline void send_tokens(struct replayed_cycle *y, const struct memo_leaf *l)
{
    struct ooo *c = y->c;
    if (c->port.token_from < c->now)
        send_unmerged(c, l, y->head);
    if (c->port.merged.count == 0)
        return;
    if (c->port.merged.counts) {
        if (l->rob_empty)
            count_empty(y, l);
    } else if (c->cycle.commits > 0) {
        probe_merge_commits(c);
    } else if (l->rob_empty) {
        send_empty(c, l, y->head);
    }
}

/* Cycles that are counted have no place among the pending ones: what is pending is sent before. */
static void begin_count(struct ooo *c)
{
    const uint64_t waits = c->now - c->merged_to, *pc = &c->slot[(uint32_t)c->head & c->ring_mask].pc;
    probe_merge_flush(c);
    if (waits != 0)
        probe_port_send_counted(&c->port, &(struct probe_counted){.times = 1, .cycles = waits, .pc = pc});
}

static void end_count(struct replayed_cycle *y)
{
    send_flushed(y);
    y->c->merged_to = y->c->now;
}

/* Returns the next node, or NULL: the stages must repeat the cycle, because an interrupt or a token is due in it. */
static struct memo_node *end_cycle(struct replayed_cycle *y, const struct memo_action *a)
{
    struct ooo *c = y->c;
    struct memo_leaf *l = a->leaf;
    const uint64_t end = c->now + l->cycles;
    if (l->cycles != 1 && (interrupt_next(&c->interrupt, c->now) < end || c->port.token_from < end)) {
        leave(y, a);
        return NULL;
    }
    if (y->tags && l->mapped != 0)
        tag_mapped(c, y->head + l->mapped_at, l->mapped);
    if (l->visits++ == 0) {
        l->visited = y->m->visited;
        y->m->visited = l;
    }
    if (y->fetches) {
        c->front.port.events = 0;
        c->front.ahead = false;
    }
    c->outside.occupancy_store_queue += stats_store_occupancy(c, l->cycles);
    c->now = end;
    if (c->port.tokens)
        send_tokens(y, l);
    return l->next;
}

_Static_assert((int)EFFECT_PORT + 1 == (int)EFFECT_EXECUTE && (int)EFFECT_FOLLOW + 1 == (int)EFFECT_COUNT &&
                   (int)EFFECT_EXECUTE + 1 == (int)EFFECT_FOLLOW,
               "replay_cycle has all effects");

/* Replays one cycle. Returns the next node, or NULL: the stages must repeat the cycle; the log contains
 * the effects performed. */
static struct memo_node *replay_cycle(struct replayed_cycle *y, const struct memo_node *node)
{
    struct ooo *c = y->c;
    const struct memo_action *a = node->first;
    y->head = c->log.head = c->cycle.head = c->head;
    y->store_head = c->store_head;
    y->first = a;
    y->fetches = false;
    c->cycle.commits = 0;
    while (a != NULL)
        switch (a->kind) {
        case EFFECT_COMMIT:
            a = replay_commit(y, a);
            break;
        case ACTION_LOAD:
            a = replay_load(y, a);
            break;
        case ACTION_PACKET:
            a = replay_packet(y, a);
            break;
        case ACTION_RUN:
            a = replay_run(y, a);
            break;
        case ACTION_STOP:
            a = leave(y, a);
            break;
        case ACTION_END:
            return end_cycle(y, a);
        case EFFECT_FILL ... EFFECT_PORT:
        case EFFECT_FOLLOW:
            a = pass_result(y, a, perform(c, a, y->head));
            break;
        default:
            __builtin_unreachable(); /* there is no other action, so the kind needs no test */
        }
    return NULL;
}

void memo_replay(struct ooo *c)
{
    struct memo *m = c->memo;
    const struct tagger_list *l = &c->port.at_rename;
    struct replayed_cycle y = {.c = c, .m = m, .tags = l->all != 0 || l->end != l->to};
    struct memo_node *node, *next = m->node;
    const struct memo_limits limits = memo_limits_of(c);
    uint64_t count = 0;
    if (c->port.merged.counts)
        begin_count(c);
    do {
        node = next;
        next = replay_cycle(&y, node);
        count++;
    } while (next != NULL && next->first != NULL && memo_goes_on(c, &limits));
    m->node = next != NULL ? next : node;
    if (c->port.merged.counts)
        end_count(&y);
    m->counts.replayed += count - (next == NULL);
    earn(m, count);
    if (next != NULL) {
        state_unpack(c, next->state, c->head, c->store_head);
        return;
    }
    c->retired -= c->cycle.commits;
    state_unpack(c, node->state, y.head, y.store_head);
    memo_record(c, true);
}
