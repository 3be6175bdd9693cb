/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fetch along the predicted path, with functional execution of each instruction at fetch. The model knows immediately
 * whether a prediction is wrong, but uses this only to mark wrong-path instructions; the pipeline detects the
 * misprediction when the branch executes. Instructions that read counters or call the system execute when they are
 * alone in the pipeline (rename.c); fetch stalls after them. A fetch packet lies in one aligned block and ends at a
 * predicted-taken branch; it holds an entry of the fetch target queue until its last instruction retires or is
 * squashed. Simplifications: an instruction that crosses a cache line needs only the first line; calls and returns are
 * recognised in time for the return address stack even on a BTB miss. Entry point: fetch_tick. */
#include "core-model/pipe/outside.h"

/* Follows the control transfer's prediction. Returns whether the fetch packet continues after it. */
static __attribute__((noinline)) bool fetch_follow(struct ooo *c, uint32_t i)
{
    return !(fetch_predict(c, i) & FRONT_ENDS);
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
        c->probe[i].sp = front_register(&c->front, s->insn, &c->outcome[i], (s->flags & SLOT_EXECUTED) != 0, RV_REG_SP);
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
static inline bool fetch_one_insn(struct ooo *c, const struct packet *p, const struct rv_insn *in, uint64_t pc,
                                  enum rv_trap trap)
{
    const uint32_t i = (uint32_t)c->fetch_tail & c->ring_mask, flags = in != NULL ? in->flags : 0;
    struct slot *s = &c->slot[i];
    bool more = fetch_execute(c, i, p, in, pc, trap);
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

/* Fetches a packet, which begins with `in` (as of fetch_one) at pc and ends at the position `end` at the latest. */
static inline void fetch_packet(struct ooo *c, const struct rv_insn *in, uint64_t pc, enum rv_trap trap, uint64_t end)
{
    const uint64_t bytes = c->cfg.fetch_block_bytes, block = pc & ~(bytes - 1);
    const struct packet p = {
        .dispatch_cycle = c->now + (c->front.ahead ? 1 : c->cfg.frontend_cycles),
        .events = c->front.port.events,
        .number = (uint16_t)(c->slot[(c->fetch_tail - 1) & c->ring_mask].packet + 1),
    };
    while (fetch_one_insn(c, &p, in, pc, trap)) {
        if (in == NULL) /* a trap is the last of its packet */
            __builtin_unreachable();
        const uint64_t next = fetch_next_pc(c, in, pc);
        if (next - block >= bytes || c->fetch_tail == end)
            return;
        in = fetch_next_insn(c, in, pc, &trap);
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

/* Not a part of its caller, which saves no registers then in cycles without fetch. */
static __attribute__((noinline)) void fetch_some(struct ooo *c)
{
    uint64_t pc;
    enum rv_trap trap = RV_TRAP_NONE;
    const struct rv_insn *in = fetch_first_insn(c, &pc, &trap);
    if (in != NULL && !fetch_port_admits(c, pc)) {
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
