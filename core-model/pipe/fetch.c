/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fetch: along the predicted path, executing each instruction as it comes.
 * The model knows at once whether a prediction is wrong, and uses it only to label what follows; the pipeline finds out when the
 * branch executes. Instructions that need the counters, or the system, are executed when they are alone (rename.c); fetch stops
 * behind them. A group, the fetch packet, stays in one aligned block and ends at a predicted-taken branch; it holds an entry of the
 * fetch target queue until its last instruction has retired or is squashed.
 * Modelled simply: an instruction that straddles two cache lines needs only the first; calls and returns are recognised in time
 * for the return stack, whatever the BTB holds. Entry point: fetch_tick. */
#include "core-model/bpred/steer.h"
#include "core-model/pipe/wheel.h"
#include "isa/opclass.h"

/* What stands where no instruction can be fetched: it carries the trap to the head of the ROB. */
static const struct rv_insn fetch_fault = {.op = RV_ADDI, .opclass = OPCLASS_INT, .unit = RV_UNIT_ALU, .length_bytes = 4};

/* Follows the control transfer's prediction. Returns whether the group goes on behind it. */
static bool follow(struct ooo *c, uint32_t i, struct slot *s)
{
    bool ras;
    uint64_t next = steer_predict(&c->bpred, s->insn, s->pc, &c->outcome[i], &c->ghist, &c->predict[i], &ras);
    if (ras)
        s->flags |= SLOT_RAS;
    if (next != c->outcome[i].next_pc) {
        s->flags |= SLOT_WRONG;
        if (c->wrong == UINT64_MAX)
            c->wrong = c->fetch_tail;
        c->hart->pc = next;
    }
    if (next == s->pc + s->insn->length_bytes)
        return true;
    c->fetch.resume = c->now + 1;
    if (!steer_knows_target(&c->bpred, s->pc)) {
        c->stats.btb_misses++;
        c->fetch.resume += c->cfg.btb_miss_cycles;
        c->fetch.wait = FETCH_WAIT_BTB;
    }
    return false;
}

static inline struct slot *enter(struct ooo *c, uint32_t i, uint32_t packet, const struct rv_insn *in)
{
    struct slot *s = &c->slot[i];
    *s = (struct slot){.pc = c->hart->pc, .insn = in, .seq = c->next_seq++, .packet = packet, .list = NIL, .dst = NIL, .old_dst = NIL,
                       .src = {NIL, NIL, NIL}, .events = c->fetch.events};
    s->dispatch_cycle = c->now + (c->fetch_ahead ? 1 : c->cfg.frontend_cycles);
    c->history[i] = c->ghist;
    if (c->wrong != UINT64_MAX)
        s->events |= PROBE_WRONG_PATH;
    return s;
}

/* Executes the instruction, or leaves that for later. Returns whether fetch goes on behind it. */
static inline bool execute(struct ooo *c, uint32_t i, struct slot *s, enum rv_trap fetch_trap)
{
    struct rv_outcome *o = &c->outcome[i];
    if (__builtin_expect(fetch_trap != RV_TRAP_NONE || engine_defers(s->insn), 0)) {
        *o = (struct rv_outcome){.next_pc = s->pc, .trap = fetch_trap};
        s->trap = fetch_trap;
        if (fetch_trap == RV_TRAP_NONE) {
            c->deferred = *s->insn;
            s->insn = &c->deferred;
            s->flags |= SLOT_DEFERRED;
        }
        return false;
    }
    rv_exec(c->hart, s->insn, o);
    s->trap = o->trap;
    if (o->trap != RV_TRAP_NONE)
        return false;
    s->flags |= SLOT_EXECUTED;
    return true;
}

/* Fetches the instruction at the hart's pc. Returns whether the group goes on behind it. */
static inline bool fetch_one(struct ooo *c, uint32_t packet, const struct rv_insn *in, enum rv_trap trap)
{
    uint32_t i = (uint32_t)c->fetch_tail & c->ring_mask;
    struct slot *s = enter(c, i, packet, in != NULL ? in : &fetch_fault);
    bool more = execute(c, i, s, in != NULL ? RV_TRAP_NONE : trap);
    if (!more)
        c->fetch_waits = true;
    else if (s->insn->flags & (RV_BRANCH | RV_JUMP))
        more = follow(c, i, s);
    c->fetch_tail++;
    probe_stage(c, i, PROBE_FETCHED);
    probe_tag(c, i, s, &c->port.at_fetch);
    return more;
}

/* The statistic of what keeps fetch from going on, or NULL. Nothing but an event or the wake-up noted here changes the answer. */
static uint64_t *stopped_by(struct ooo *c)
{
    if (c->fetch_waits)
        return c->wrong != UINT64_MAX ? &c->stats.fetch_redirect : &c->stats.fetch_serial;
    if (c->now < c->fetch.resume) {
        core_wake_at(c, c->fetch.resume);
        return stats_of_fetch_wait(&c->stats, (enum fetch_wait)c->fetch.wait);
    }
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
    struct hart *h = c->hart;
    const uint64_t before = c->fetch_tail;
    uint64_t block = h->pc & ~(uint64_t)(c->cfg.fetch_block_bytes - 1), space = c->cfg.fetch_buffer - (c->fetch_tail - c->rob_tail);
    uint32_t packet = c->slot[(c->fetch_tail - 1) & c->ring_mask].packet + 1;
    for (uint32_t n = 0; n < c->cfg.fetch_width && space > 0; n++, space--) {
        enum rv_trap trap = RV_TRAP_NONE;
        const struct rv_insn *in = engine_fetch(&c->cfg, h, &trap);
        if (n == 0 && in != NULL && !fetch_port_ready(&c->fetch, &c->mem, h->pc, c->now)) {
            c->cycle.fetch = stopped_by(c);
            return;
        }
        if (!fetch_one(c, packet, in, trap) || h->pc - block >= c->cfg.fetch_block_bytes)
            break;
    }
    c->stats.fetched += c->fetch_tail - before;
    c->targets++;
    c->cycle.active = true;
    c->cycle.fetch = &c->stats.fetch_active;
    c->fetch.events = 0;
    c->fetch_ahead = false;
}
