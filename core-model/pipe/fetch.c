/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fetch along the predicted path, with functional execution of each instruction at fetch. The model knows immediately
 * whether a prediction is wrong, but uses this only to mark wrong-path instructions; the pipeline detects the
 * misprediction when the branch executes. Instructions that read counters or call the system execute when they are
 * alone in the pipeline (rename.c); fetch stalls after them. A fetch packet lies in one aligned block and ends at a
 * predicted-taken branch; it holds an entry of the fetch target queue until its last instruction retires or is
 * squashed. Simplifications: an instruction that crosses a cache line needs only the first line; calls and returns are
 * recognised in time for the return address stack even on a BTB miss. Entry point: fetch_tick. */
#include "core-model/pipe/wheel.h"

/* Follows the control transfer's prediction. Returns whether the fetch packet continues after it. */
static __attribute__((noinline)) bool follow(struct ooo *c, uint32_t i, struct slot *s)
{
    unsigned done = front_follow(&c->front, s->insn, s->pc, &c->outcome[i], &c->predict[i], c->fetch_tail, c->now);
    s->flags |= (done & FRONT_RAS ? SLOT_RAS : 0) | (done & FRONT_WRONG ? SLOT_WRONG : 0);
    return !(done & FRONT_ENDS);
}

/* What the instructions of a fetch packet have in common. */
struct packet {
    uint64_t dispatch_cycle;
    uint32_t events; /* enum probe_event */
    uint16_t number;
};

static inline struct slot *enter(struct ooo *c, uint32_t i, const struct packet *p, const struct rv_insn *in,
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

/* The instruction is deferred, or has raised a trap. */
static __attribute__((noinline)) void stop_after(struct ooo *c, uint32_t i, struct slot *s)
{
    s->trap = c->outcome[i].trap;
    s->flags = s->insn == &c->front.deferred ? SLOT_DEFERRED : 0;
    c->front.waits = true;
}

static __attribute__((noinline)) void report(struct ooo *c, uint32_t i)
{
    if (c->port.extras_wanted != 0) {
        const struct slot *s = &c->slot[i];
        c->probe[i].sp = front_sp(&c->front, s->insn, &c->outcome[i], (s->flags & SLOT_EXECUTED) != 0);
        c->probe[i].evicted = 0;
    }
    probe_stage(c, i, PROBE_FETCHED);
}

static __attribute__((noinline)) void tag(struct ooo *c, uint32_t i)
{
    probe_tag(c, i, &c->slot[i], &c->port.at_fetch);
}

/* Fetches the instruction `in`, at the hart's pc; NULL: its fetch has raised the trap. Returns whether the fetch packet
 * continues after it. */
static inline bool fetch_one(struct ooo *c, const struct packet *p, const struct rv_insn *in, uint64_t pc,
                             enum rv_trap trap)
{
    const uint32_t i = (uint32_t)c->fetch_tail & c->ring_mask, flags = in != NULL ? in->flags : 0;
    struct slot *s = enter(c, i, p, in != NULL ? in : &front_fault, pc);
    bool more = front_execute(&c->front, &s->insn, pc, in != NULL ? RV_TRAP_NONE : trap, &c->outcome[i]);
    if (__builtin_expect(!more, 0))
        stop_after(c, i, s);
    else if (flags & (RV_BRANCH | RV_JUMP))
        more = follow(c, i, s);
    c->fetch_tail++;
    if ((c->port.stages_wanted & 1u << PROBE_FETCHED) != 0)
        report(c, i);
    if (s->seq >= c->port.at_fetch.from_seq)
        tag(c, i);
    return more;
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
    while (fetch_one(c, &p, in, pc, trap) && h->pc - block < bytes && c->fetch_tail != end) {
        in = front_fetch_near(&c->cfg, h, in, pc, &trap);
        pc = h->pc;
    }
}

/* The statistic for the current cause of a fetch stall; NULL: none. The result changes only at an event or at the
 * wake-up cycle set here. */
static inline uint64_t *stopped_by(struct ooo *c)
{
    uint64_t *waits_for = front_stopped_by(&c->front, c->now, &c->cycle.wake);
    if (waits_for != NULL)
        return waits_for;
    if (c->fetch_tail - c->rob_tail >= c->cfg.fetch_buffer)
        return &c->stats.fetch_buffer_full;
    return c->targets >= c->cfg.ftq_entries ? &c->stats.full_ftq : NULL;
}

void fetch_tick(struct ooo *c)
{
    c->targets = fetch_targets(c);
    c->cycle.fetch = stopped_by(c);
    if (c->cycle.fetch != NULL)
        return;
    const uint64_t pc = c->front.hart->pc;
    enum rv_trap trap = RV_TRAP_NONE;
    const struct rv_insn *in = front_fetch(&c->cfg, c->front.hart, &trap);
    if (in != NULL && !fetch_port_ready(&c->front.port, &c->mem, pc, c->now)) {
        probe_port_happens(&c->port, c->front.port.found, c->now);
        c->cycle.fetch = stopped_by(c);
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
