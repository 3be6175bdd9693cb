/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of memoised states, and the recording of cycles. See memo.h. */
#include "core-model/pipe/memo/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "core-model/pipe/memo/pack.h"
#include "core-model/riscv/code.h"

/* Limits of recording. Recording one cycle takes about as much time as replay saves in 16 cycles (measured), so the
 * credit decreases by 1 for each recorded cycle and increases by 1 for 16 replayed cycles, up to MEMO_CREDIT: a long
 * loop does not pay for the states of another phase that do not return. Without credit, the stages run without logs for
 * a pause; then PAUSE_CREDIT cycles may be recorded. Until the credit is full again, each pause is twice as long as the
 * one before, from MEMO_PAUSE to PAUSE_MOST cycles. */
enum { PAUSE_MOST = 1 << 20, PAUSE_CREDIT = 1 << 8 };
enum { CHUNK_BYTES = 1 << 16, CHUNKS_SPARE = 4, PLACES_FIRST = 1 << 10 };
enum { PLACE_SHARE = 512 /* bytes of memory for each place in the table */ };

/* ---- table ---- */

static void *get(struct memo *m, struct memo_part *part, size_t bytes)
{
    bytes = (bytes + 7) & ~(size_t)7;
    if ((size_t)(part->end - part->at) < bytes) {
        part->at = m->chunk + (size_t)m->used_chunks++ * CHUNK_BYTES;
        part->end = part->at + CHUNK_BYTES;
    }
    void *p = part->at;
    part->at += bytes;
    return p;
}

static uint64_t hash_of(const uint8_t *at, uint32_t bytes)
{
    const uint64_t by = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = bytes, word;
    for (; bytes >= sizeof word; bytes -= (uint32_t)sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = (hash ^ word) * by;
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, at, bytes);
    hash = (hash ^ word) * by;
    return hash ^ hash >> 32;
}

static uint32_t free_place(const struct memo *m, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & (m->places - 1);
    while (m->place[at].node != NULL)
        at = (at + 1) & (m->places - 1);
    return at;
}

/* Makes the table of places, or a larger one with the same nodes. */
static void make_places(struct memo *m, uint32_t places)
{
    struct memo_place *old = m->place;
    const uint32_t old_places = m->places;
    m->place = pages_new(places, sizeof *m->place);
    m->places = places;
    m->used_place = xrealloc(m->used_place, (places / 2 + 1) * sizeof *m->used_place);
    for (uint32_t n = 0; n < m->used_places; n++) {
        const struct memo_place *from = &old[m->used_place[n]];
        m->used_place[n] = free_place(m, from->hash);
        m->place[m->used_place[n]] = *from;
    }
    pages_free(old, old_places, sizeof *old);
}

/* The node of m->state, which is made if there is none. */
static struct memo_node *node_of_state(struct memo *m, uint32_t bytes)
{
    const uint64_t hash = hash_of(m->state, bytes);
    uint32_t at = (uint32_t)hash & (m->places - 1);
    for (; m->place[at].node != NULL; at = (at + 1) & (m->places - 1)) {
        struct memo_node *n = m->place[at].node;
        if (m->place[at].hash == hash && n->bytes == bytes && memcmp(n->state, m->state, bytes) == 0)
            return n;
    }
    if (m->used_places == m->places / 2 && m->places < m->most_places) {
        make_places(m, m->places * 2);
        at = free_place(m, hash);
    }
    struct memo_node *n = get(m, &m->hot, sizeof *n);
    uint8_t *state = get(m, &m->cold, bytes);
    memcpy(state, m->state, bytes);
    *n = (struct memo_node){.state = state, .bytes = bytes};
    m->place[at] = (struct memo_place){hash, n};
    m->used_place[m->used_places++] = at;
    m->counts.states++;
    return n;
}

static bool memo_is_full(const struct memo *m)
{
    return m->used_chunks + CHUNKS_SPARE > m->chunks || m->used_places == m->most_places / 2;
}

void memo_add(const struct memo *m, struct core_stats *s)
{
    uint64_t *statistic = (uint64_t *)s;
    for (const struct memo_leaf *l = m->visited; l != NULL; l = l->visited)
        for (uint32_t n = 0; n < l->deltas; n++)
            statistic[l->delta[n].statistic] += l->delta[n].by * l->visits;
}

static inline uint64_t *addresses(const struct memo_leaf *l) { return (uint64_t *)(l->delta + l->deltas); }

/* The addresses for struct probe_counted of the present cycle, in pc. Returns their number. 0: the cycle is not counted
 * by its leaf, as the ROB is empty because of an instruction outside the state. */
static uint32_t find_addresses(const struct ooo *c, uint64_t *pc)
{
    const struct cycle_report *r = &c->cycle;
    if (r->head == r->rob_tail) {
        pc[0] = r->dispatch_pc;
        return (r->dispatching || r->stall != NULL) && memo_counts_empty(c->empty);
    }
    const uint32_t count = r->commits > 0 ? r->commits : 1;
    for (uint32_t n = 0; n < count; n++)
        pc[n] = c->slot[(r->head + n) & c->ring_mask].pc;
    return count;
}

static void send_counted(const struct ooo *c, const struct memo_leaf *l)
{
    if (l->addresses == 0)
        return;
    const struct probe_counted n = {
        .times = l->visits, .cycles = l->cycles, .committing = l->commits, .pc = addresses(l)};
    probe_port_notify_counted(&c->port, &n);
}

void memo_flush(struct ooo *c)
{
    struct memo *m = c->memo;
    memo_add(m, &c->stats);
    for (struct memo_leaf *l = m->visited; l != NULL; l = l->visited) {
        if (c->port.merged.counts)
            send_counted(c, l);
        l->visits = 0;
    }
    m->visited = NULL;
}

static void memo_forget(struct ooo *c)
{
    struct memo *m = c->memo;
    memo_flush(c);
    for (uint32_t n = 0; n < m->used_places; n++)
        m->place[m->used_place[n]].node = NULL;
    m->used_places = m->used_chunks = 0;
    m->hot = m->cold = (struct memo_part){NULL, NULL};
    memset(m->found, 0, sizeof m->found);
    m->node = NULL;
    m->discards = c->front.hart->code->discards;
}

void memo_make(struct ooo *c, uint64_t bytes, bool checks)
{
    if (c->memo != NULL)
        memo_flush(c);
    memo_free(c);
    if (bytes == 0 || c->cfg.store_queue > 64 /* the bits of EFFECT_SEARCH */)
        return;
    struct memo *m = c->memo = xcalloc(1, sizeof *m);
    m->checks = checks;
    memo_fill_credit(m);
    m->chunks = (uint32_t)(bytes / CHUNK_BYTES) + CHUNKS_SPARE;
    m->chunk = pages_new(m->chunks, CHUNK_BYTES);
    for (m->most_places = PLACES_FIRST; m->most_places < bytes / PLACE_SHARE && m->most_places < 1u << 30;)
        m->most_places *= 2;
    make_places(m, PLACES_FIRST);
    memo_restart(c);
}

struct memo_counts memo_read_counts(const struct memo *m) { return m->counts; }

void memo_free(struct ooo *c)
{
    struct memo *m = c->memo;
    if (m == NULL)
        return;
    pages_free(m->chunk, m->chunks, CHUNK_BYTES);
    pages_free(m->place, m->places, sizeof *m->place);
    free(m->used_place);
    free(m);
    c->memo = NULL;
}

/* ---- recording ---- */

/* The action of the list, which is made if there is none. Actions for several effects are first, and longer runs before
 * shorter ones. */
static struct memo_action *memo_enter(struct ooo *c, struct memo_action **list, const struct memo_action *new)
{
    struct memo *m = c->memo;
    struct memo_action **last = list;
    const bool whole = action_is_whole(new), run = action_runs(new);
    for (struct memo_action *a = *list; a != NULL; a = a->alternative) {
        if (action_is_whole(a) != whole) {
            last = whole ? last : &a->alternative;
            continue;
        }
        if (a->kind != new->kind || a->at != new->at || (!run && a->arg != new->arg))
            BUG("cycle %llu: effect %u of %u (%u), but %u of %u (%u) in the same state", (unsigned long long)c->now,
                new->kind, new->at, new->arg, a->kind, a->at, a->arg);
        if (a->result == new->result && a->arg == new->arg)
            return a;
        if (!run || a->arg >= new->arg)
            last = &a->alternative;
    }
    memo_found_at(m, *list, new->result)->list = NULL; /* the new action may have to be found instead */
    struct memo_action *a = get(m, &m->hot, sizeof *a);
    *a = *new;
    a->alternative = *last;
    *last = a;
    return a;
}

static bool is_plain_load(const struct effect_entry *e)
{
    return e[0].arg < 1u << (LOAD_WHEN_BITS - 1) && e[0].result == (uint64_t)e[0].arg << 1 &&
           e[1].kind == EFFECT_WAIT_BIT && e[1].at == e[0].at && e[1].result == 0 && e[2].kind == EFFECT_SEARCH &&
           e[2].result == 0 && e[3].kind == EFFECT_ACCESS && e[3].arg == e[0].arg << 1;
}

/* The instruction of an EFFECT_EXECUTE. */
static const struct rv_insn *executed(const struct ooo *c, const struct effect_entry *e)
{
    return c->slot[(c->memo->log.head + e->at) & c->ring_mask].insn;
}

/* Whether the effect is the execution of an instruction that may be deferred. */
static bool may_defer(const struct ooo *c, const struct effect_entry *e)
{
    return e->kind == EFFECT_EXECUTE && (executed(c, e)->flags & RV_SERIAL) != 0;
}

/* Makes an action of the first of these effects that are executions without a trap, up to the next that may be
 * deferred. Returns their number. */
static uint32_t run_of(const struct ooo *c, const struct effect_entry *e, uint32_t count, struct memo_action *a)
{
    const bool first = a->kind == ACTION_RUN;
    uint32_t n = 0;
    while (n < count && e[n].kind == EFFECT_EXECUTE && e[n].result == 0 && ((first && n == 0) || !may_defer(c, &e[n])))
        n++;
    a->at = e->at;
    a->arg = n;
    a->insn = n > 0 ? executed(c, e) : NULL;
    return n;
}

/* The action of the next effects of `e`, of which there are `count`. Returns their number. */
static uint32_t action_of(const struct ooo *c, const struct effect_entry *e, uint32_t count, struct memo_action *a)
{
    *a = (struct memo_action){.kind = e->kind, .at = e->at, .arg = e->arg, .result = e->result};
    switch (e->kind) {
    case EFFECT_TRANSLATE:
        if (count < 4 || !is_plain_load(e))
            return 1;
        a->kind = ACTION_LOAD;
        a->arg |= e[2].arg << LOAD_WHEN_BITS;
        a->result = e[3].result;
        return 4;
    case EFFECT_FETCH:
        if (count < 3 || e[1].kind != EFFECT_PORT || e[1].result != 0)
            return 1;
        a->kind = ACTION_PACKET;
        return 2 + run_of(c, e + 2, count - 2, a);
    case EFFECT_EXECUTE:
        a->kind = ACTION_RUN;
        return run_of(c, e, count, a);
    default:
        return 1;
    }
}

_Static_assert(sizeof(struct core_stats) / sizeof(uint64_t) <= UINT8_MAX, "the number of deltas fits a byte");

/* Finds the changes of the statistics in the cycle. Returns the number of deltas. */
static uint32_t find_deltas(const struct ooo *c, struct memo_delta *d)
{
    const uint64_t *before = (const uint64_t *)&c->memo->before, *after = (const uint64_t *)&c->stats;
    uint32_t deltas = 0;
    for (uint32_t n = 0; n < sizeof c->stats / sizeof *after; n++)
        if (after[n] != before[n])
            d[deltas++] = (struct memo_delta){n, (uint32_t)(after[n] - before[n])};
    return deltas;
}

/* Instructions renamed in the cycle, in one word (MAPPED_COUNT_BITS). */
static uint32_t mapped_of(const struct ooo *c)
{
    const uint32_t count = c->cycle.renamed;
    uint32_t classes = 0;
    for (uint32_t n = 1; n <= count; n++)
        classes |= 1u << c->slot[(uint32_t)(c->rob_tail - n) & c->ring_mask].insn->opclass;
    return classes << MAPPED_COUNT_BITS | count;
}

static void memo_put_end(struct ooo *c, struct memo_action **list, struct memo_node *next, uint64_t cycles)
{
    struct memo *m = c->memo;
    struct memo_delta d[sizeof c->stats / sizeof(uint64_t)];
    const uint32_t deltas = find_deltas(c, d);
    const struct cycle_report *r = &c->cycle;
    const uint32_t mapped = mapped_of(c);
    if (*list != NULL) {
        const struct memo_leaf *l = memo_leaf_of(*list);
        if ((*list)->kind != ACTION_END || l->next != next || l->cycles != cycles || l->deltas != deltas ||
            l->mapped != mapped || memcmp(l->delta, d, deltas * sizeof *d) != 0)
            BUG("cycle %llu: another end of the same cycle", (unsigned long long)c->now);
        return;
    }
    uint64_t pc[PROBE_MAX_BANKS];
    const uint32_t pcs = find_addresses(c, pc);
    struct memo_leaf *l = get(m, &m->hot, sizeof *l);
    *list = &l->end;
    *l = (struct memo_leaf){.end.kind = ACTION_END,
                            .next = next,
                            .delta = get(m, &m->cold, deltas * sizeof *d + pcs * sizeof *pc),
                            .dispatch_pc = r->dispatch_pc,
                            .cycles = (uint32_t)cycles,
                            .mapped = mapped,
                            .mapped_at = (uint16_t)(c->rob_tail - r->renamed - c->memo->log.head),
                            .deltas = (uint8_t)deltas,
                            .commits = (uint8_t)r->commits,
                            .addresses = (uint8_t)pcs,
                            .empty = c->empty,
                            .dispatching = r->dispatching,
                            .stalls = r->stall != NULL,
                            .rob_empty = r->head == r->rob_tail,
                            .fetches = r->fetch == &c->stats.fetch_active};
    memcpy(l->delta, d, deltas * sizeof *d);
    memcpy(addresses(l), pc, pcs * sizeof *pc);
}

/* Whether the first of these effects behind the action is an instruction of its run that stops fetch. One that may be
 * deferred belongs to a run as the first one only. */
static bool stops_behind(const struct ooo *c, const struct memo_action *a, const struct effect_entry *e, uint32_t count)
{
    const bool is_first = a->kind == ACTION_RUN && a->arg == 0;
    return action_runs(a) && count > 0 && e->kind == EFFECT_EXECUTE && e->result != 0 && (is_first || !may_defer(c, e));
}

/* Adds the cycle of the log, from one node to the next. */
static void add_cycle(struct ooo *c, struct memo_node *from, struct memo_node *to, uint64_t cycles)
{
    const struct effect_log *l = &c->memo->log;
    struct memo_action **list = &from->first, a;
    for (uint32_t n = 0; n < l->count;) {
        n += action_of(c, &l->entry[n], l->count - n, &a);
        list = &memo_enter(c, list, &a)->next;
        if (!stops_behind(c, &a, &l->entry[n], l->count - n))
            continue;
        const struct effect_entry *e = &l->entry[n++];
        a = (struct memo_action){.kind = ACTION_STOP, .at = e->at, .result = e->result};
        list = &memo_enter(c, list, &a)->next;
    }
    memo_put_end(c, list, to, cycles);
}

void memo_record(struct ooo *c, bool again)
{
    struct memo *m = c->memo;
    struct effect_log *l = &m->log;
    struct memo_node *from = again || memo_applies(c) ? m->node : NULL;
    const uint64_t now = c->now;
    l->replayed = again ? l->count : 0;
    l->next = 0;
    l->count = l->replayed;
    l->opaque = false;
    l->head = c->head;
    stats_settle(c);
    m->before = c->stats;
    m->node = NULL;
    m->counts.recorded++;
    m->credit -= !m->checks;
    memo_cycle_tick(c);
    stats_settle(c);
    if (l->next < l->replayed)
        BUG("cycle %llu: %u of %u effects of the replay were repeated", (unsigned long long)now, l->next, l->replayed);
    l->replayed = l->next = 0;
    if (m->discards != c->front.hart->code->discards || memo_is_full(m)) {
        memo_forget(c);
        from = NULL;
    }
    const uint32_t bytes = state_pack(c, m->state, sizeof m->state);
    if (bytes == 0)
        return;
    m->node = node_of_state(m, bytes);
    if (from != NULL && !l->opaque && l->count <= EFFECTS_MAX && c->now - now <= UINT16_MAX)
        add_cycle(c, from, m->node, c->now - now);
}

/* ---- steps ---- */

void memo_restart(struct ooo *c)
{
    struct memo *m = c->memo;
    m->node = NULL;
    m->plain = true;
}

/* Runs a cycle without a log. */
static void plain_cycle(struct ooo *c)
{
    memo_restart(c);
    core_cycle_tick(c);
}

/* Starts the log after a cycle without one. Misses that are outstanding then have fixed completion cycles, as hits do.
 */
static void begin_log(struct ooo *c)
{
    struct memo *m = c->memo;
    m->misses.count = 0;
    m->misses.next = UINT64_MAX;
    memset(m->misses.is_miss, 0, sizeof m->misses.is_miss);
    for (uint32_t w = 0; w < WHEEL_CYCLES / 64; w++)
        for (uint64_t bits = c->wheel_map[w]; bits != 0; bits &= bits - 1) {
            uint32_t later = m->next_order + RING_MAX;
            const uint32_t bucket = w * 64 + (uint32_t)__builtin_ctzll(bits);
            for (uint16_t i = c->list_head[bucket]; i != NIL; i = c->slot[i].next)
                m->order[i] = later--;
        }
    m->next_order += RING_MAX + 1;
    for (uint32_t n = 0; n < c->soon_count; n++)
        m->order[c->soon[0][n]] = m->next_order++;
    m->plain = false;
}

/* Runs cycles without a log, for lack of credit. */
static void pause_recording(struct ooo *c)
{
    struct memo *m = c->memo;
    memo_restart(c);
    do
        core_cycle_tick(c);
    while (--m->pause_left != 0 && core_goes_on(c));
    if (m->pause_left != 0)
        return;
    m->credit = PAUSE_CREDIT;
    m->pause = m->pause < PAUSE_MOST ? m->pause * 2 : PAUSE_MOST;
    m->pause_left = m->pause;
}

/* Unpacks the state that has been packed, to see whether it is complete. */
static void check_state(struct ooo *c)
{
    const struct memo_node *n = c->memo->node;
    if (n == NULL)
        return;
    state_unpack(c, n->state, c->head, c->store_head);
    if (state_pack(c, c->memo->state, STATE_MAX) != n->bytes || memcmp(c->memo->state, n->state, n->bytes) != 0)
        BUG("cycle %llu: the state has changed", (unsigned long long)c->now);
}

void memo_step(struct ooo *c)
{
    struct memo *m = c->memo;
    if (!m->checks && c->port.watches) {
        plain_cycle(c);
        return;
    }
    if (m->credit <= 0) {
        pause_recording(c);
        return;
    }
    if (m->plain)
        begin_log(c);
    if (m->checks)
        check_state(c);
    else if (m->node != NULL && m->node->first != NULL && memo_applies(c)) {
        memo_replay(c);
        return;
    }
    memo_record(c, false);
}
