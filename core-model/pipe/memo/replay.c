/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The replay of memoised cycles. See memo.h. */
#include "core-model/pipe/memo/pack.h"
#include "core-model/pipe/memo/table.h"

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
    bool tags;                       /* observers may tag renamed instructions */
    bool filters;                    /* their tags may be known without a call */
    bool counts;                     /* of the observers of merged tokens, all count */
    const struct memo_action *first; /* list of actions at its beginning */
    uint64_t flushed;                /* cycles for which the ROB has been empty and that are not counted yet */
};

/* In place of a list of actions: the stages must repeat the cycle. */
static const struct memo_action repeat = {.kind = ACTION_REPEAT};

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

static void write_fetch(struct ooo *c, uint64_t pc)
{
    effects_log(c, EFFECT_FETCH, 0, 0, pc);
    effects_log(c, EFFECT_PORT, 0, 0, 0);
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
    c->memo->log.head = y->head;
    c->memo->log.count = 0;
    for (uint32_t n = 0; n < steps; n++) {
        const struct memo_action *a = y->m->path[n];
        if (a->kind == ACTION_RUN) {
            write_run(c, a->at, a->arg);
        } else if (a->kind == ACTION_LOAD) {
            write_load(c, a, a->result);
        } else if (a->kind == ACTION_PACKET) {
            write_fetch(c, a->result);
            write_run(c, a->at, a->arg);
        } else {
            effects_log(c, (enum effect)a->kind, a->at, a->arg, a->result);
        }
    }
}

/* The stages must repeat the cycle, and continue at the list `to`. */
static __attribute__((noinline)) const struct memo_action *replay_leave(struct replayed_cycle *y,
                                                                        const struct memo_action *to)
{
    write_path(y, to);
    return &repeat;
}

/* ---- actions: each function returns the next list, or &repeat ---- */

/* The action of a list for one effect with this result, or NULL. */
static inline const struct memo_action *with_result(const struct memo_action *a, uint64_t result)
{
    while (a != NULL && (a->result != result || action_is_whole(a)))
        a = a->alternative;
    return a;
}

/* Continues behind effects that have been performed. */
static __attribute__((noinline)) const struct memo_action *pass_effects(struct replayed_cycle *y,
                                                                        const struct memo_action *a,
                                                                        const struct effect_entry *e, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        const struct memo_action *known = with_result(a, e[n].result);
        if (known == NULL) {
            write_path(y, a);
            for (; n < count; n++)
                effects_log(y->c, (enum effect)e[n].kind, e[n].at, e[n].arg, e[n].result);
            return &repeat;
        }
        a = known->next;
    }
    return a;
}

static inline const struct memo_action *pass_result(struct replayed_cycle *y, const struct memo_action *a,
                                                    uint64_t result)
{
    if (__builtin_expect(a->result == result, 1))
        return a->next;
    return pass_effects(y, a, &(struct effect_entry){a->kind, a->at, a->arg, result}, 1);
}

static const struct memo_action *replay_commit(struct replayed_cycle *y, const struct memo_action *a)
{
    struct ooo *c = y->c;
    commit_perform(c, a->arg);
    if (probe_port_retires(&c->port))
        c->port.retired_before = c->now;
    return interrupt_due(&c->interrupt, c->now) || c->port.token_from <= c->now ? replay_leave(y, a->next) : a->next;
}

/* The squash of a misprediction by the instruction before `position`. */
static const struct memo_action *replay_squash(struct ooo *c, const struct memo_action *a, uint64_t position)
{
    struct front *f = &c->front;
    const uint32_t by = (uint32_t)(position - 1) & c->ring_mask;
    const struct rv_outcome *o = &c->outcome[by];
    effect_squash(c, position, a->arg, o->next_pc, front_history_after(f, c->slot[by].insn, o, c->history[by]));
    if (f->wrong != UINT64_MAX && f->wrong >= position - 1)
        f->wrong = UINT64_MAX;
    return a->next;
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
    const uint32_t i = (uint32_t)(y->head + a->at) & c->ring_mask;
    const struct load_effects e = effect_load(c, i, load_when(a), c->store_head + load_stores(a));
    if (__builtin_expect(e.count != LOAD_EFFECTS, 0))
        return load_differs(y, a, e.count, e.result);
    for (const struct memo_action *known = a; known != NULL && known->kind == ACTION_LOAD; known = known->alternative)
        if (known->result == e.result)
            return known->next;
    write_path(y, a);
    write_load(c, a, e.result);
    return &repeat;
}

/* The action of the list for the fetch packet at pc, or NULL. */
static __attribute__((noinline)) const struct memo_action *find_packet(struct memo *m, const struct memo_action *list,
                                                                       uint64_t pc)
{
    struct memo_found *f = memo_found_at(m, list, pc);
    if (f->list == list && f->packet->result == pc)
        return f->packet;
    const struct memo_action *a = list;
    while (a != NULL && (a->kind != ACTION_PACKET || a->result != pc))
        a = a->alternative;
    if (a != NULL)
        *f = (struct memo_found){list, a};
    return a;
}

/* The packet is not known, or cannot be fetched: `count` of its effects have been performed. */
static __attribute__((noinline)) const struct memo_action *packet_differs(struct replayed_cycle *y,
                                                                          const struct memo_action *a, uint32_t count,
                                                                          uint64_t pc, uint64_t port)
{
    const struct effect_entry e[] = {{.kind = EFFECT_FETCH, .result = pc}, {.kind = EFFECT_PORT, .result = port}};
    return pass_effects(y, a, e, count);
}

/* The events of the next instruction. */
static inline uint32_t fetched_events(const struct ooo *c)
{
    return c->front.port.events | (c->front.wrong != UINT64_MAX ? PROBE_WRONG_PATH : 0);
}

/* Enters the instruction at the hart's pc, which executes at fetch, in slot i. */
static inline __attribute__((always_inline)) struct slot *replay_enter(struct ooo *c, uint32_t i,
                                                                       const struct rv_insn *in, uint64_t seq,
                                                                       uint32_t events)
{
    struct slot *s = &c->slot[i];
    s->pc = c->front.hart->pc;
    s->insn = in;
    s->seq = seq;
    s->events = events;
    s->flags = SLOT_EXECUTED;
    s->trap = RV_TRAP_NONE;
    s->level = MEM_LEVEL_L1;
    c->history[i] = c->front.history;
    return s;
}

/* Executes `count` instructions from `in` on, or up to the first one that has a trap. Returns whether none has. */
static inline __attribute__((always_inline)) bool memo_replay_run(struct ooo *c, const struct rv_insn *in,
                                                                  uint32_t count)
{
    struct hart *h = c->front.hart;
    const uint64_t end = c->fetch_tail + count, later = c->front.next_seq - c->fetch_tail;
    const uint32_t events = fetched_events(c);
    uint64_t position = c->fetch_tail;
    uint8_t trap = RV_TRAP_NONE;
    while (position != end && trap == RV_TRAP_NONE) {
        const uint32_t i = (uint32_t)position & c->ring_mask;
        struct rv_outcome *o = &c->outcome[i];
        replay_enter(c, i, in, position + later, events);
        position++;
        rv_exec(h, in, o);
        trap = o->trap;
        in = rv_behind(in);
    }
    c->fetch_tail = position;
    c->front.next_seq = position + later;
    return __builtin_expect(trap == RV_TRAP_NONE, 1);
}

/* Variant for a run whose first instruction may have to be deferred: an atomic may access memory of this process alone
 * in one execution, and shared memory in another. */
static bool run_unless_deferred(struct ooo *c, const struct rv_insn *in, uint32_t count)
{
    if (count == 0 || !front_defers(c->front.hart, in))
        return memo_replay_run(c, in, count);
    const uint32_t i = (uint32_t)c->fetch_tail++ & c->ring_mask;
    struct slot *s = replay_enter(c, i, in, c->front.next_seq++, fetched_events(c));
    front_defer(&c->front, &s->insn, s->pc, RV_TRAP_NONE, &c->outcome[i]);
    return false;
}

/* The instruction that was fetched last, in the run of the action `a` of the list, stops fetch. */
static __attribute__((noinline)) const struct memo_action *stops(struct replayed_cycle *y,
                                                                 const struct memo_action *list,
                                                                 const struct memo_action *a)
{
    struct ooo *c = y->c;
    const uint64_t last = c->fetch_tail - 1;
    const uint32_t done = (uint32_t)(last - y->head) - a->at;
    write_path(y, list);
    if (a->kind == ACTION_PACKET)
        write_fetch(c, a->result);
    write_run(c, a->at, done);
    effects_log(c, EFFECT_EXECUTE, a->at + done, 0, 1u + c->outcome[last & c->ring_mask].trap);
    return &repeat;
}

/* Whether an observer may tag one of the next `count` instructions at fetch. */
static inline bool is_tagged_at_fetch(const struct ooo *c, uint32_t count)
{
    return c->front.next_seq + count > c->port.at_fetch.from_seq;
}

static inline const struct memo_action *replay_packet(struct replayed_cycle *y, const struct memo_action *a)
{
    struct ooo *c = y->c;
    const uint64_t pc = c->front.hart->pc;
    const struct memo_action *known = a->result == pc ? a : find_packet(y->m, a, pc);
    if (known == NULL) /* there may be no instruction at pc */
        return packet_differs(y, a, 1, pc, 0);
    const uint64_t port = fetch_port_is_at(&c->front.port, &c->mem, pc) ? 0 : effect_port(c, pc);
    if (__builtin_expect(port != 0, 0))
        return packet_differs(y, a, 2, pc, port);
    if (__builtin_expect(is_tagged_at_fetch(c, known->arg), 0)) {
        write_path(y, a);
        write_fetch(c, pc);
        return &repeat;
    }
    return memo_replay_run(c, known->insn, known->arg) ? known->next : stops(y, a, known);
}

static __attribute__((noinline)) const struct memo_action *replay_run(struct replayed_cycle *y,
                                                                      const struct memo_action *a)
{
    if (is_tagged_at_fetch(y->c, a->arg))
        return replay_leave(y, a);
    return run_unless_deferred(y->c, a->insn, a->arg) ? a->next : stops(y, a, a);
}

/* ---- cycles ---- */

/* Sets what the tokens of the cycle need and a replay does not keep. */
static void replay_report(struct ooo *c, const struct memo_leaf *l, uint64_t head)
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
    replay_report(c, l, head);
    probe_send_token(c, l->cycles);
}

/* The ROB is empty: the cycles join the token of those before, or are a token of their own. */
static __attribute__((noinline)) void send_empty(struct ooo *c, const struct memo_leaf *l, uint64_t head)
{
    replay_report(c, l, head);
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
    probe_port_notify_counted(
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

static inline void replay_send_tokens(struct replayed_cycle *y, const struct memo_leaf *l)
{
    struct ooo *c = y->c;
    if (c->port.token_from < c->now)
        send_unmerged(c, l, y->head);
    if (y->counts) {
        if (l->rob_empty)
            count_empty(y, l);
    } else if (c->port.merged.count == 0) {
        return;
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
        probe_port_notify_counted(&c->port, &(struct probe_counted){.times = 1, .cycles = waits, .pc = pc});
}

static void end_count(struct replayed_cycle *y)
{
    send_flushed(y);
    y->c->merged_to = y->c->now;
}

static inline uint32_t mapped_count(const struct memo_leaf *l) { return l->mapped & ((1u << MAPPED_COUNT_BITS) - 1); }

/* Finds the instructions renamed in the cycle, from `position` on, that have one of these classes: a function of the
 * cycle's leaf. */
static __attribute__((noinline)) void find_taggable(const struct ooo *c, uint64_t position, struct memo_leaf *l,
                                                    uint32_t classes)
{
    const uint32_t count = mapped_count(l);
    l->tag_classes = classes;
    l->taggable = 0;
    l->not_taggable = (uint8_t)count;
    for (uint32_t n = 0; n < count; n++) {
        const bool has = (classes >> c->slot[(uint32_t)(position + n) & c->ring_mask].insn->opclass & 1) != 0;
        l->taggable |= (uint8_t)(has << n);
        l->not_taggable -= has;
    }
}

/* Tags instructions whose tags are known without a call. */
static void tag_known(struct ooo *c, uint64_t position, struct memo_leaf *l)
{
    const struct tagger_list *t = &c->port.at_rename;
    if (__builtin_expect(l->tag_classes != t->guard->classes, 0))
        find_taggable(c, position, l, t->guard->classes);
    t->guard->rejected += l->not_taggable;
    for (uint32_t left = l->taggable; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)(position + (uint32_t)__builtin_ctz(left)) & c->ring_mask;
        struct slot *s = &c->slot[i];
        const uint32_t tags = probe_port_known_tags(t, s->pc);
        if (tags != 0)
            probe_set_tags(c, i, s, t, tags);
    }
}

/* Whether tag_known is for the instructions that are renamed in the cycle, from number first_seq on. */
static inline bool tags_are_known(const struct replayed_cycle *y, const struct memo_leaf *l, uint64_t first_seq)
{
    const struct tagger_list *t = &y->c->port.at_rename;
    const uint64_t now = y->c->now;
    return y->filters && t->guard->known == t->guard->classes && now < t->guard->from && now >= t->from_cycle &&
           first_seq >= t->from_seq && mapped_count(l) <= TAGGABLE_MOST;
}

static __attribute__((noinline)) void tag_each(struct ooo *c, uint64_t position, uint32_t count)
{
    for (; count > 0; count--, position++) {
        const uint32_t i = (uint32_t)position & c->ring_mask;
        probe_tag(c, i, &c->slot[i], &c->port.at_rename);
    }
}

/* Tags the instructions that are renamed in this cycle. Most cycles have none that pass the filter. */
static inline void tag_mapped(struct replayed_cycle *y, struct memo_leaf *l)
{
    struct ooo *c = y->c;
    const uint64_t position = y->head + l->mapped_at;
    const struct slot *s = &c->slot[(uint32_t)position & c->ring_mask];
    if (tags_are_known(y, l, s->seq))
        tag_known(c, position, l);
    else if (!probe_port_rejects(&c->port.at_rename, s->seq, l->mapped >> MAPPED_COUNT_BITS, mapped_count(l), c->now))
        tag_each(c, position, mapped_count(l));
}

/* Returns the next node, or NULL: the stages must repeat the cycle, because an interrupt or a token is due in it. */
static inline struct memo_node *replay_end_cycle(struct replayed_cycle *y, const struct memo_action *a)
{
    struct ooo *c = y->c;
    struct memo_leaf *l = memo_leaf_of(a);
    const uint64_t end = c->now + l->cycles;
    if (l->cycles != 1 && (interrupt_next(&c->interrupt, c->now) < end || c->port.token_from < end)) {
        replay_leave(y, a);
        return NULL;
    }
    if (y->tags && l->mapped != 0)
        tag_mapped(y, l);
    if (l->visits++ == 0) {
        l->visited = y->m->visited;
        y->m->visited = l;
    }
    if (l->fetches) {
        c->front.port.events = 0;
        c->front.ahead = false;
    }
    c->outside.occupancy_store_queue += stats_store_occupancy(c, l->cycles);
    c->now = end;
    if (c->port.tokens)
        replay_send_tokens(y, l);
    return l->next;
}

/* Replays one cycle. Returns the next node, or NULL: the stages must repeat the cycle; the log contains the effects
 * performed. */
static inline struct memo_node *replay_one_cycle(struct replayed_cycle *y, const struct memo_node *node)
{
#define STEP(kind, step) \
    case kind:           \
        a = step;        \
        break;
#define EFFECT(kind) STEP(kind, pass_result(y, a, effect_perform(c, kind, head, a->at, a->arg)))
#define ALWAYS_0(kind) STEP(kind, (effect_perform(c, kind, head, a->at, a->arg), a->next))
    struct ooo *c = y->c;
    const struct memo_action *a = node->first;
    const uint64_t head = c->head;
    y->head = c->cycle.head = head;
    y->store_head = c->store_head;
    y->first = a;
    c->cycle.commits = 0;
    for (;;)
        switch (a->kind) {
            STEP(ACTION_LOAD, replay_load(y, a))
            STEP(ACTION_PACKET, replay_packet(y, a))
            STEP(ACTION_RUN, replay_run(y, a))
            STEP(ACTION_STOP, replay_leave(y, a))
            STEP(EFFECT_COMMIT, replay_commit(y, a))
            STEP(EFFECT_SQUASH, replay_squash(c, a, head + a->at))
            EFFECT(EFFECT_FILL)
            EFFECT(EFFECT_LENGTH)
            ALWAYS_0(EFFECT_EVENT)
            EFFECT(EFFECT_TRANSLATE)
            EFFECT(EFFECT_WAIT_BIT)
            EFFECT(EFFECT_SEARCH)
            EFFECT(EFFECT_COVERS)
            EFFECT(EFFECT_ACCESS)
            EFFECT(EFFECT_SEND)
            EFFECT(EFFECT_STORE_DONE)
            ALWAYS_0(EFFECT_SET_WAIT)
            ALWAYS_0(EFFECT_ENTER_STORE)
            EFFECT(EFFECT_FREE_STORES)
            EFFECT(EFFECT_FETCH)
            EFFECT(EFFECT_PORT)
            EFFECT(EFFECT_FOLLOW)
        case ACTION_END:
            return replay_end_cycle(y, a);
        case ACTION_REPEAT:
            return NULL;
        default:
            __builtin_unreachable(); /* there is no other action, so the kind needs no test */
        }
#undef STEP
#undef EFFECT
#undef ALWAYS_0
}

void memo_replay(struct ooo *c)
{
    struct memo *m = c->memo;
    const struct tagger_list *l = &c->port.at_rename;
    struct replayed_cycle y = {.c = c,
                               .m = m,
                               .tags = l->all != 0 || l->end != l->to,
                               .filters = l->alone && l->to->pc_filters != NULL,
                               .counts = c->port.merged.counts};
    struct memo_node *node, *next = m->node;
    uint64_t count = 0, end = memo_end(c);
    if (y.counts)
        begin_count(c);
    do {
        node = next;
        next = replay_one_cycle(&y, node);
        count++;
        if (__builtin_expect(c->now >= end, 0))
            end = memo_end(c);
    } while (next != NULL && next->first != NULL && c->now < end && (!c->port.attached || memo_is_permitted(c)));
    m->node = next != NULL ? next : node;
    if (y.counts)
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
