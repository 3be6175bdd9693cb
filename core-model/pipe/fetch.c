/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fetch along the predicted path, with functional execution of each instruction at fetch. The model knows immediately
 * whether a prediction is wrong, but uses this only to mark wrong-path instructions; the pipeline detects the
 * misprediction when the branch executes. Instructions that read counters or call the system execute when they are
 * alone in the pipeline (rename.c); fetch stalls after them. A fetch packet lies in one aligned block and ends at a
 * predicted-taken branch; it holds an entry of the fetch target queue until its last instruction retires or is
 * squashed. Simplifications: an instruction that crosses a cache line needs only the first line; calls and returns are
 * recognised in time for the return address stack even on a BTB miss. Entry point: fetch_tick. */
#include "core-model/pipe/memo/logging.h"
#include "core-model/pipe/wheel.h"

uint64_t follow_perform(struct ooo *c, uint32_t i, uint64_t position)
{
    struct slot *s = &c->slot[i];
    unsigned done = front_follow(&c->front, s->insn, s->pc, &c->outcome[i], &c->predict[i], position, c->now);
    s->flags |= (done & FRONT_RAS ? SLOT_RAS : 0) | (done & FRONT_WRONG ? SLOT_WRONG : 0);
    return done;
}

/* Follows the control transfer's prediction. Returns whether the fetch packet continues after it. */
static __attribute__((noinline)) bool fetch_follow(struct ooo *c, uint32_t i)
{
    uint64_t done;
    const uint32_t at = effect_place(c, i);
    if (effect_replayed(c, EFFECT_FOLLOW, at, 0, &done)) {
        front_follow_again(&c->front, (unsigned)done, c->fetch_tail, c->now);
    } else {
        done = follow_perform(c, i, c->fetch_tail);
        log_effect(c, EFFECT_FOLLOW, at, 0, done);
    }
    return !(done & FRONT_ENDS);
}

/* Facts common to the instructions of a fetch packet. */
struct packet {
    uint64_t dispatch_cycle;
    uint32_t events; /* enum probe_event */
    uint16_t number;
};

static inline struct slot *fetch_enter(struct ooo *c, uint32_t i, const struct packet *p, const struct rv_insn *in,
                                       uint64_t pc)
{
    struct slot *s = &c->slot[i];
    *s = (struct slot){.pc = pc,
                       .insn = in,
                       .seq = c->front.next_seq++,
                       .dispatch_cycle = p->dispatch_cycle,
                       .events = p->events,
                       .packet = p->number,
                       .list = NIL,
                       .dst = NIL,
                       .old_dst = NIL,
                       .src = {NIL, NIL, NIL},
                       .flags = SLOT_EXECUTED};
    c->history[i] = c->front.history;
    if (c->front.wrong != UINT64_MAX)
        probe_event(c, s, PROBE_WRONG_PATH);
    return s;
}

/* Variant for an instruction that a replay has fetched. */
static inline void enter_again(struct slot *s, const struct packet *p)
{
    s->dispatch_cycle = p->dispatch_cycle;
    s->packet = p->number;
    s->list = s->dst = s->old_dst = NIL;
    s->src[0] = s->src[1] = s->src[2] = NIL;
    s->waiting = 0;
    s->flags &= SLOT_EXECUTED | SLOT_RAS | SLOT_WRONG;
}

/* The instruction is deferred, or has raised a trap. */
static __attribute__((noinline)) void stop_after(struct ooo *c, uint32_t i, struct slot *s)
{
    s->trap = c->outcome[i].trap;
    s->flags = s->insn == &c->front.deferred ? SLOT_DEFERRED : 0;
    c->front.waits = true;
}

static __attribute__((noinline)) void fetch_report(struct ooo *c, uint32_t i)
{
    if (c->port.extras_wanted != 0) {
        const struct slot *s = &c->slot[i];
        c->probe[i].sp = front_sp(&c->front, s->insn, &c->outcome[i], (s->flags & SLOT_EXECUTED) != 0);
        c->probe[i].evicted = 0;
    }
    probe_stage(c, i, PROBE_FETCHED);
}

static __attribute__((noinline)) void fetch_tag(struct ooo *c, uint32_t i)
{
    probe_tag(c, i, &c->slot[i], &c->port.at_fetch);
}

/* Fetches the instruction `in`, at the hart's pc; NULL: its fetch has raised the trap. Returns whether the fetch packet
 * continues after it. */
static inline bool fetch_fetch_one(struct ooo *c, const struct packet *p, const struct rv_insn *in, uint64_t pc,
                                   enum rv_trap trap)
{
    const uint32_t i = (uint32_t)c->fetch_tail & c->ring_mask, flags = in != NULL ? in->flags : 0;
    struct slot *s = &c->slot[i];
    uint64_t stops;
    bool more;
    if (effect_replayed(c, EFFECT_EXECUTE, effect_place(c, i), 0, &stops)) {
        enter_again(s, p);
        more = stops == 0;
    } else {
        s = fetch_enter(c, i, p, in != NULL ? in : &front_fault, pc);
        more = front_execute(&c->front, &s->insn, pc, in != NULL ? RV_TRAP_NONE : trap, &c->outcome[i]);
        log_effect(c, EFFECT_EXECUTE, effect_place(c, i), 0, more ? 0 : 1u + c->outcome[i].trap);
    }
    if (__builtin_expect(!more, 0))
        stop_after(c, i, s);
    else if (flags & (RV_BRANCH | RV_JUMP))
        more = fetch_follow(c, i);
    c->fetch_tail++;
    if ((c->port.stages_wanted & 1u << PROBE_FETCHED) != 0)
        fetch_report(c, i);
    if (s->seq >= c->port.at_fetch.from_seq)
        fetch_tag(c, i);
    return more;
}

/* The next instruction that a replay has fetched in this cycle; NULL: its fetch has raised the trap. */
static const struct rv_insn *fetch_fetched(const struct ooo *c, enum rv_trap *trap)
{
    const uint32_t i = (uint32_t)c->fetch_tail & c->ring_mask;
    const bool fault = c->slot[i].insn == &front_fault;
    *trap = fault ? (enum rv_trap)c->outcome[i].trap : RV_TRAP_NONE;
    return fault ? NULL : c->slot[i].insn;
}

/* Fetches a packet, which begins with `in` (as of fetch_one) at pc and ends at the position `end` at the latest. */
static inline void fetch_packet(struct ooo *c, const struct rv_insn *in, uint64_t pc, enum rv_trap trap, uint64_t end)
{
    struct hart *h = c->front.hart;
    const uint64_t bytes = c->cfg.fetch_block_bytes, block = pc & ~(bytes - 1);
    const struct packet p = {
        .dispatch_cycle = c->now + (c->front.ahead ? 1 : c->cfg.frontend_cycles),
        .events = c->front.port.events,
        .number = (uint16_t)(c->slot[(c->fetch_tail - 1) & c->ring_mask].packet + 1),
    };
    while (fetch_fetch_one(c, &p, in, pc, trap)) {
        if (in == NULL) /* a trap is the last of its packet */
            __builtin_unreachable();
        const bool again = effect_comes(c, EFFECT_EXECUTE);
        const uint64_t next = again ? pc + in->length_bytes : h->pc;
        if (next - block >= bytes || c->fetch_tail == end)
            return;
        in = again ? fetch_fetched(c, &trap) : front_fetch_near(&c->cfg, h, in, pc, &trap);
        pc = next;
    }
}

/* The statistic for the current cause of a fetch stall; NULL: none. The result changes only at an event or at the
 * wake-up cycle set here. */
static inline uint64_t *fetch_stopped_by(struct ooo *c)
{
    uint64_t *waits_for = front_stopped_by(&c->front, c->now, &c->cycle.wake);
    if (waits_for != NULL)
        return waits_for;
    if (c->fetch_tail - c->rob_tail >= c->cfg.fetch_buffer)
        return &c->stats.fetch_buffer_full;
    return c->targets >= c->cfg.ftq_entries ? &c->stats.full_ftq : NULL;
}

/* The first instruction of a packet, at *pc; NULL: its fetch has raised the trap. */
static const struct rv_insn *first_of_packet(struct ooo *c, uint64_t *pc, enum rv_trap *trap)
{
    const struct effect_log *l = &c->log;
    if (effect_replayed(c, EFFECT_FETCH, 0, 0, pc)) {
        const uint32_t n = l->next + 1; /* behind EFFECT_PORT */
        if (n < l->replayed && l->entry[n].kind == EFFECT_EXECUTE)
            return fetch_fetched(c, trap);
    } else {
        *pc = c->front.hart->pc;
        log_effect(c, EFFECT_FETCH, 0, 0, *pc);
    }
    const struct rv_insn *in = front_fetch(&c->cfg, c->front.hart, trap);
    if (in == NULL) /* there may be one later: the effects of this cycle do not follow from the address */
        effects_end(c);
    return in;
}

/* The bits of its result if fetch must wait: events, cause (enum fetch_wait), and the cycle relative to now. */
enum { PORT_WAIT_SHIFT = 36, PORT_WAIT_MASK = 15, PORT_RESUME_SHIFT = 40 };

uint64_t port_perform(struct ooo *c, uint64_t pc)
{
    struct fetch_port *p = &c->front.port;
    if (fetch_port_ready(p, &c->mem, pc, c->now))
        return 0;
    probe_port_happens(&c->port, p->found, c->now);
    return (p->resume - c->now) << PORT_RESUME_SHIFT | (uint64_t)p->wait << PORT_WAIT_SHIFT | p->found;
}

static inline bool port_is_ready(struct ooo *c, uint64_t pc)
{
    uint64_t result;
    if (!effect_replayed(c, EFFECT_PORT, 0, 0, &result)) {
        result = port_perform(c, pc);
        log_effect(c, EFFECT_PORT, 0, 0, result);
    } else if (result != 0) {
        struct fetch_port *p = &c->front.port;
        p->resume = c->now + (result >> PORT_RESUME_SHIFT);
        p->wait = result >> PORT_WAIT_SHIFT & PORT_WAIT_MASK;
        p->found = (uint32_t)result;
        p->events |= p->found;
    }
    return result == 0;
}

/* Separate from its caller, so the fast path, a cycle without fetch, spills no registers. */
static __attribute__((noinline)) void fetch_some(struct ooo *c)
{
    uint64_t pc;
    enum rv_trap trap = RV_TRAP_NONE;
    const struct rv_insn *in = first_of_packet(c, &pc, &trap);
    if (in != NULL && !port_is_ready(c, pc)) {
        c->cycle.fetch = fetch_stopped_by(c);
        return;
    }
    const uint64_t before = c->fetch_tail, space = c->rob_tail + c->cfg.fetch_buffer - before;
    fetch_packet(c, in, pc, trap, before + (space < c->cfg.fetch_width ? space : c->cfg.fetch_width));
    c->stats.fetched += c->fetch_tail - before;
    c->targets++;
    c->cycle.active = true;
    c->cycle.fetch = &c->stats.fetch_active;
    c->front.port.events = 0;
    c->front.ahead = false;
}

void fetch_tick(struct ooo *c)
{
    c->targets = fetch_targets(c);
    c->cycle.fetch = fetch_stopped_by(c);
    if (c->cycle.fetch == NULL)
        fetch_some(c);
}
