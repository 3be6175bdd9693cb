/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log of effects, and the operations of the stages in a cycle that is recorded. See effects.h and memo.h. */
#include "core-model/pipe/memo/table.h"

/* ---- the log ---- */

/* Takes the next effect from the log if the replay has performed it. Returns whether it has, and the result. */
static bool take(struct ooo *c, enum effect kind, uint32_t at, uint32_t arg, uint64_t *result)
{
    struct effect_log *l = &c->memo->log;
    if (l->next >= l->replayed)
        return false;
    const struct effect_entry *e = &l->entry[l->next++];
    if (e->kind != kind || e->at != at || e->arg != arg)
        BUG("cycle %llu: effect %u of %u (%u), but %u of %u (%u) was replayed", (unsigned long long)c->now, kind, at,
            arg, e->kind, e->at, e->arg);
    *result = e->result;
    return true;
}

void effects_log(struct ooo *c, enum effect kind, uint32_t at, uint32_t arg, uint64_t result)
{
    struct effect_log *l = &c->memo->log;
    if (l->count == EFFECTS_MAX + EFFECTS_MORE) {
        l->opaque = true;
        return;
    }
    l->entry[l->count++] = (struct effect_entry){(uint8_t)kind, (uint16_t)at, arg, result};
    l->next = l->count;
}

uint64_t effects_result(struct ooo *c, enum effect kind, uint32_t at, uint32_t arg)
{
    uint64_t result;
    if (take(c, kind, at, arg, &result))
        return result;
    result = effect_perform(c, kind, c->memo->log.head, at, arg);
    effects_log(c, kind, at, arg, result);
    return result;
}

/* The number of instruction i in the pipeline at the beginning of the cycle. */
static uint32_t place_of(const struct ooo *c, uint32_t i) { return (i - (uint32_t)c->memo->log.head) & c->ring_mask; }

void memo_end_log(struct ooo *c) { c->memo->log.opaque = true; }

bool memo_is_repeating(const struct ooo *c) { return c->memo->log.next < c->memo->log.replayed; }

/* ---- events ---- */

void memo_note_event(struct ooo *c, uint32_t i)
{
    c->memo->order[i] = c->memo->next_order++;
    c->memo->misses.is_miss[i] = false;
}

void memo_stage_event(struct ooo *c, struct slot *s, uint32_t events)
{
    (void)effects_result(c, EFFECT_EVENT, place_of(c, (uint32_t)(s - c->slot)), events);
}

/* Cycles from now to the first one with possible activity in the pipeline, fills and stores in flight excluded; 0:
 * there is none. For a core without events in the next cycle. */
static uint32_t inner_length(const struct ooo *c)
{
    uint64_t next = c->cycle.wake;
    for (uint32_t w = 0; w < WHEEL_CYCLES / 64; w++)
        for (uint64_t bits = c->wheel_map[w]; bits != 0; bits &= bits - 1)
            for (uint16_t i = c->list_head[w * 64 + (uint32_t)__builtin_ctzll(bits)]; i != NIL; i = c->slot[i].next)
                if (!c->memo->misses.is_miss[i] && c->due[i] < next)
                    next = c->due[i];
    return next == UINT64_MAX ? 0 : (uint32_t)(next - c->now);
}

uint64_t effect_length(struct ooo *c, uint32_t inner, bool store)
{
    uint64_t next = inner == 0 ? UINT64_MAX : c->now + inner;
    if (c->memo->misses.next < next)
        next = c->memo->misses.next;
    if (store && effect_store_done(c, c->store_head) < next - c->now)
        next = c->now + effect_store_done(c, c->store_head);
    return next - c->now;
}

void memo_note_idle(struct ooo *c)
{
    (void)effects_result(c, EFFECT_LENGTH, c->cycle.store_wake != UINT64_MAX, inner_length(c));
}

/* ---- commit and squash ---- */

void memo_commit(struct ooo *c, uint32_t what)
{
    if (memo_is_repeating(c)) {
        commit_count_up_to(c, c->head + (what & COMMIT_COUNT));
        c->store_commit += what >> COMMIT_STORES_SHIFT & COMMIT_COUNT;
    }
    (void)effects_result(c, EFFECT_COMMIT, 0, what);
}

void effect_squash(struct ooo *c, uint64_t position, uint32_t stores, uint64_t pc, struct bpred_history history)
{
    squash_perform(c, position, stores, pc, history);
    misses_squash(c, position);
}

void memo_undo(struct ooo *c, uint64_t position, uint32_t stores, uint64_t pc, struct bpred_history history)
{
    uint64_t none;
    const uint32_t at = (uint32_t)(position - c->memo->log.head);
    if (take(c, EFFECT_SQUASH, at, stores, &none)) {
        c->store_tail -= stores;
        c->fetch_tail = position;
        front_redirect_again(&c->front, c->now);
        return;
    }
    effect_squash(c, position, stores, pc, history);
    effects_log(c, EFFECT_SQUASH, at, stores, 0);
}

/* ---- fetch ---- */

/* The bits of the result of EFFECT_PORT if fetch must wait: events, cause (enum fetch_wait), and the cycle relative to
 * now. */
enum { PORT_WAIT_SHIFT = 36, PORT_WAIT_MASK = 15, PORT_RESUME_SHIFT = 40 };

uint64_t effect_port(struct ooo *c, uint64_t pc)
{
    const struct fetch_port *p = &c->front.port;
    if (port_perform(c, pc))
        return 0;
    return (p->resume - c->now) << PORT_RESUME_SHIFT | (uint64_t)p->wait << PORT_WAIT_SHIFT | p->found;
}

bool memo_port_admits(struct ooo *c)
{
    const bool again = memo_is_repeating(c);
    const uint64_t result = effects_result(c, EFFECT_PORT, 0, 0);
    if (again && result != 0) {
        struct fetch_port *p = &c->front.port;
        p->resume = c->now + (result >> PORT_RESUME_SHIFT);
        p->wait = result >> PORT_WAIT_SHIFT & PORT_WAIT_MASK;
        p->found = (uint32_t)result;
        p->events |= p->found;
    }
    return result == 0;
}

/* Whether the replay has performed the n-th next effect, and it is an execution. */
static bool execution_comes(const struct ooo *c, uint32_t n)
{
    const struct effect_log *l = &c->memo->log;
    return l->next + n < l->replayed && l->entry[l->next + n].kind == EFFECT_EXECUTE;
}

/* The next instruction that the replay has fetched in this cycle; NULL: its fetch has raised the trap. */
static const struct rv_insn *fetched_again(const struct ooo *c, enum rv_trap *trap)
{
    const uint32_t i = (uint32_t)c->fetch_tail & c->ring_mask;
    const bool fault = c->slot[i].insn == &front_fault;
    *trap = fault ? (enum rv_trap)c->outcome[i].trap : RV_TRAP_NONE;
    return fault ? NULL : c->slot[i].insn;
}

const struct rv_insn *memo_first_insn(struct ooo *c, uint64_t *pc, enum rv_trap *trap)
{
    *pc = effects_result(c, EFFECT_FETCH, 0, 0);
    if (execution_comes(c, 1)) /* behind EFFECT_PORT */
        return fetched_again(c, trap);
    const struct rv_insn *in = front_fetch(&c->cfg, c->front.hart, trap);
    if (in == NULL) /* there may be one later: the effects of this cycle do not follow from the address */
        memo_end_log(c);
    return in;
}

uint64_t memo_next_pc(const struct ooo *c, const struct rv_insn *in, uint64_t pc)
{
    return execution_comes(c, 0) ? pc + in->length_bytes : c->front.hart->pc;
}

const struct rv_insn *memo_next_insn(struct ooo *c, const struct rv_insn *in, uint64_t pc, enum rv_trap *trap)
{
    return execution_comes(c, 0) ? fetched_again(c, trap) : front_fetch_near(&c->cfg, c->front.hart, in, pc, trap);
}

/* Enters an instruction that the replay has fetched. */
static void enter_again(struct slot *s, const struct packet *p)
{
    s->dispatch_cycle = p->dispatch_cycle;
    s->packet = p->number;
    s->list = s->dst = s->old_dst = NIL;
    s->src[0] = s->src[1] = s->src[2] = NIL;
    s->waiting = 0;
    s->flags &= SLOT_EXECUTED | SLOT_RAS | SLOT_WRONG;
}

bool memo_execute(struct ooo *c, uint32_t i, const struct packet *p, const struct rv_insn *in, uint64_t pc,
                  enum rv_trap trap)
{
    uint64_t stops;
    const uint32_t at = place_of(c, i);
    if (take(c, EFFECT_EXECUTE, at, 0, &stops)) {
        enter_again(&c->slot[i], p);
        return stops == 0;
    }
    const bool more = execute_perform(c, i, p, in, pc, trap);
    effects_log(c, EFFECT_EXECUTE, at, 0, more ? 0 : 1u + c->outcome[i].trap);
    return more;
}

unsigned memo_predict(struct ooo *c, uint32_t i)
{
    const bool again = memo_is_repeating(c);
    const unsigned done = (unsigned)effects_result(c, EFFECT_FOLLOW, place_of(c, i), 0);
    if (again)
        front_follow_again(&c->front, done, c->fetch_tail, c->now);
    return done;
}

/* ---- loads ---- */

uint64_t effect_translate(struct ooo *c, uint32_t i, uint64_t when)
{
    bool absent;
    const uint64_t ready = translate_perform(c, i, when, &absent);
    return (ready - c->now) << 1 | absent;
}

uint64_t memo_translate(struct ooo *c, uint32_t i, uint64_t when, bool *absent)
{
    const uint64_t result = effects_result(c, EFFECT_TRANSLATE, place_of(c, i), (uint32_t)(when - c->now));
    *absent = (result & 1) != 0;
    return c->now + (result >> 1);
}

uint64_t memo_wait_bit(struct ooo *c, uint32_t i) { return effects_result(c, EFFECT_WAIT_BIT, place_of(c, i), 0); }

void memo_set_wait(struct ooo *c, uint32_t i) { (void)effects_result(c, EFFECT_SET_WAIT, place_of(c, i), 0); }

static __attribute__((noinline)) uint64_t find_overlaps(struct ooo *c, const struct rv_outcome *o, uint32_t mark)
{
    uint64_t over = 0, bit = 1;
    for (uint32_t n = mark; n != c->store_head; bit <<= 1)
        over |= store_overlaps(store_at(c, --n), o) ? bit : 0;
    return over;
}

/* All stores that overlap: whether an address is known is a part of the state. */
uint64_t effect_search(struct ooo *c, uint32_t i, uint32_t mark)
{
    const struct rv_outcome *o = &c->outcome[i];
    return store_filter_may_hit(c, o) ? find_overlaps(c, o, mark) : 0;
}

uint64_t memo_search(struct ooo *c, uint32_t i)
{
    return effects_result(c, EFFECT_SEARCH, place_of(c, i), c->slot[i].store_mark - c->store_head);
}

bool memo_covers(struct ooo *c, uint32_t i, uint32_t entry)
{
    return effects_result(c, EFFECT_COVERS, place_of(c, i), entry - c->store_head) != 0;
}

enum { ACCESS_DONE_SHIFT = 8 };

uint64_t effect_access(struct ooo *c, uint32_t i, uint64_t when, bool is_write)
{
    const uint64_t done = access_perform(c, i, when, is_write);
    const uint8_t level = c->slot[i].level;
    /* A miss beyond the wheel's horizon is no outstanding miss: its event is rescheduled, and its state not packed. */
    if (done == when + c->mem.l1d.hit_cycles || done - c->now >= WHEEL_CYCLES - 1)
        return (done - c->now) << ACCESS_DONE_SHIFT | level;
    misses_add(c, i, done);
    return (uint64_t)EFFECT_MISS << ACCESS_DONE_SHIFT | level;
}

void memo_access(struct ooo *c, uint32_t i, uint64_t when, bool is_write)
{
    struct outstanding_misses *m = &c->memo->misses;
    const uint32_t arg = (uint32_t)(when - c->now) << 1 | is_write;
    const uint64_t result = effects_result(c, EFFECT_ACCESS, place_of(c, i), arg);
    const bool miss = result >> ACCESS_DONE_SHIFT == EFFECT_MISS;
    c->slot[i].level = (uint8_t)result;
    wheel_add(c, i, miss ? m->done[i] : c->now + (result >> ACCESS_DONE_SHIFT));
    memo_note_event(c, i);
    m->is_miss[i] = miss;
}

/* Without calls of the functions of the four effects. */
__attribute__((flatten)) struct load_effects effect_load(struct ooo *c, uint32_t i, uint32_t when, uint32_t mark)
{
    struct load_effects e = {.count = 1, .result = effect_translate(c, i, c->now + when)};
    if (e.result != (uint64_t)when << 1)
        return e;
    e.count = 2;
    e.result = *store_wait_bit(c, c->slot[i].pc);
    if (e.result != 0)
        return e;
    e.count = 3;
    e.result = effect_search(c, i, mark);
    if (e.result != 0)
        return e;
    e.count = LOAD_EFFECTS;
    e.result = effect_access(c, i, c->now + when, false);
    return e;
}

/* ---- stores ---- */

void memo_enter_store(struct ooo *c, uint32_t i)
{
    if (memo_is_repeating(c)) { /* the entry may be that of a store which has left the queue in this cycle */
        struct store *st = store_at(c, c->store_tail++);
        st->known = st->ready = false;
        st->data_cycle = st->violator_seq = 0;
    }
    (void)effects_result(c, EFFECT_ENTER_STORE, place_of(c, i), 0);
}

void memo_free_stores(struct ooo *c)
{
    const bool again = memo_is_repeating(c);
    const uint64_t count = effects_result(c, EFFECT_FREE_STORES, 0, 0);
    c->store_head += again ? (uint32_t)count : 0;
}

uint64_t effect_store_done(struct ooo *c, uint32_t entry)
{
    const uint64_t done = store_at(c, entry)->done_cycle;
    return done > c->now ? done - c->now : 0;
}

uint64_t memo_store_done(struct ooo *c, uint32_t entry)
{
    return c->now + effects_result(c, EFFECT_STORE_DONE, 0, entry - c->store_head);
}

uint64_t effect_send(struct ooo *c, bool asked)
{
    const uint32_t entry = c->store_send;
    send_perform(c);
    return asked ? store_at(c, entry)->done_cycle - c->now : 0;
}

void memo_send(struct ooo *c)
{
    const bool again = memo_is_repeating(c), asked = c->list_head[wheel_store_list(c, c->store_send)] != NIL;
    (void)effects_result(c, EFFECT_SEND, 0, asked);
    c->store_send += again;
}
