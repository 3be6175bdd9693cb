/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The in-order core's front end: fetch along the predicted path, executing each instruction as it comes; arrival in the issue stage; and
 * squash, which takes back what was fetched in vain. Entry points: in_fetch_tick, in_arrive_tick, in_squash. */
#include "core-model/bpred/steer.h"
#include "core-model/inorder/inorder.h"

/* What stands where no instruction can be fetched: it carries the trap to the issue stage. */
static const struct rv_insn fetch_fault = {.op = RV_ADDI, .opclass = OPCLASS_INT, .unit = RV_UNIT_ALU, .length_bytes = 4};

/* Follows the prediction. Returns whether the group goes on behind it. */
static bool follow(struct inorder *c, struct in_entry *e)
{
    bool ras;
    uint64_t next = steer_predict(&c->bpred, e->insn, e->pc, &e->outcome, &c->history, &e->predict, &ras);
    if (ras)
        e->flags |= IN_RAS;
    if (next != e->outcome.next_pc) {
        e->flags |= IN_WRONG;
        if (c->wrong == UINT64_MAX)
            c->wrong = c->tail;
        c->hart->pc = next;
    }
    if (next == e->pc + e->insn->length_bytes)
        return true;
    c->fetch.resume = c->now + 1;
    if (!steer_knows_target(&c->bpred, e->pc)) {
        c->stats.btb_misses++;
        c->fetch.resume += c->cfg.btb_miss_cycles;
        c->fetch.wait = FETCH_WAIT_BTB;
    }
    return false;
}

/* Executes the instruction, or leaves that for later. Returns whether fetch goes on behind it. */
static bool execute(struct inorder *c, struct in_entry *e, enum rv_trap trap)
{
    if (trap != RV_TRAP_NONE || engine_defers(e->insn)) {
        e->outcome = (struct rv_outcome){.next_pc = e->pc, .trap = (uint8_t)trap};
        e->trap = (uint8_t)trap;
        if (trap == RV_TRAP_NONE) {
            c->deferred = *e->insn;
            e->insn = &c->deferred;
            e->flags |= IN_DEFERRED;
        }
        return false;
    }
    rv_exec(c->hart, e->insn, &e->outcome);
    e->trap = e->outcome.trap;
    if (e->trap == RV_TRAP_NONE)
        e->flags |= IN_EXECUTED;
    return e->trap == RV_TRAP_NONE;
}

static bool fetch_one(struct inorder *c, const struct rv_insn *in, enum rv_trap trap)
{
    struct in_entry *e = in_at(c, c->tail);
    e->pc = c->hart->pc;
    e->seq = c->next_seq++;
    e->history = c->history;
    e->insn = in != NULL ? in : &fetch_fault;
    e->arrives = c->now + (c->fetch_ahead ? 1 : c->cfg.frontend_cycles);
    e->done = 0;
    e->events = c->fetch.events | (c->wrong != UINT64_MAX ? PROBE_WRONG_PATH : 0);
    e->flags = 0;
    e->tags = 0;
    bool more = execute(c, e, in != NULL ? RV_TRAP_NONE : trap);
    if (!more)
        c->fetch_waits = true;
    else if (e->insn->flags & (RV_BRANCH | RV_JUMP))
        more = follow(c, e);
    c->stats.fetched++;
    c->tail++;
    in_stage(c, e, PROBE_FETCHED);
    in_tag(c, e, &c->port.at_fetch);
    return more;
}

static bool no_space(const struct inorder *c)
{
    return c->tail - c->arrived >= c->cfg.fetch_buffer || c->tail - c->head >= IN_RING;
}

/* The statistic of what keeps fetch from going on, or NULL. */
static uint64_t *stopped_by(struct inorder *c)
{
    if (c->fetch_waits)
        return c->wrong != UINT64_MAX ? &c->stats.fetch_redirect : &c->stats.fetch_serial;
    if (c->now < c->fetch.resume) {
        in_wake_at(c, c->fetch.resume);
        return stats_of_fetch_wait(&c->stats, (enum fetch_wait)c->fetch.wait);
    }
    return no_space(c) ? &c->stats.fetch_buffer_full : NULL;
}

void in_fetch_tick(struct inorder *c)
{
    c->fetched = stopped_by(c);
    if (c->fetched != NULL)
        return;
    uint64_t block = c->hart->pc & ~(uint64_t)(c->cfg.fetch_block_bytes - 1);
    for (uint32_t n = 0; n < c->cfg.fetch_width; n++) {
        enum rv_trap trap = RV_TRAP_NONE;
        if (no_space(c))
            break;
        const struct rv_insn *in = engine_fetch(&c->cfg, c->hart, &trap);
        if (n == 0 && in != NULL && !fetch_port_ready(&c->fetch, &c->mem, c->hart->pc, c->now)) {
            c->fetched = stopped_by(c);
            return;
        }
        c->active = true;
        c->fetch_ahead = c->fetch_ahead && n == 0;
        if (!fetch_one(c, in, trap) || c->hart->pc - block >= c->cfg.fetch_block_bytes)
            break;
    }
    c->fetched = &c->stats.fetch_active;
    c->fetch.events = 0;
    c->fetch_ahead = false;
}

/* The issue stage has one slot for each instruction that may issue in a cycle. */
void in_arrive_tick(struct inorder *c)
{
    while (c->arrived != c->tail && c->arrived - c->issue < c->cfg.commit_width) {
        struct in_entry *e = in_at(c, c->arrived);
        if (e->arrives > c->now) {
            in_wake_at(c, e->arrives);
            return;
        }
        if (c->token.rob_empty && !c->token.dispatching) {
            c->token.dispatching = true;
            c->token.dispatch_pc = e->pc;
        }
        c->arrived++;
        c->active = true;
        in_stage(c, e, PROBE_MAPPED);
        in_tag(c, e, &c->port.at_rename);
    }
}

static uint64_t *squashed_by(struct inorder *c, enum probe_cause cause)
{
    switch (cause) {
    case PROBE_CAUSE_MISPREDICT: return &c->stats.squashed_mispredict;
    case PROBE_CAUSE_EXCEPTION: return &c->stats.squashed_exception;
    case PROBE_CAUSE_SERIALISE: return &c->stats.squashed_serialise;
    case PROBE_CAUSE_INTERRUPT: return &c->stats.squashed_interrupt;
    default: BUG("an in-order core has no such squash: %d", (int)cause);
    }
}

void in_squash(struct inorder *c, uint64_t position, uint64_t pc, uint64_t history, enum probe_cause cause)
{
    *squashed_by(c, cause) += c->tail - position;
    c->squash_cause = (uint8_t)cause;
    while (c->tail > position) {
        struct in_entry *e = in_at(c, --c->tail);
        if (e->flags & IN_EXECUTED)
            rv_undo(c->hart, e->insn, e->pc, &e->outcome);
        if (e->flags & IN_RAS)
            bpred_ras_undo(&c->bpred, &e->predict);
        in_stage(c, e, PROBE_SQUASHED);
        if ((e->tags & c->port.squash_tags) != 0)
            in_deliver_tagged(c, e, cause);
    }
    if (c->arrived > position)
        c->arrived = position;
    if (c->issue > position)
        c->issue = position;
    if (c->wrong != UINT64_MAX && c->wrong + 1 >= position)
        c->wrong = UINT64_MAX;
    c->hart->pc = pc;
    c->history = history;
    fetch_port_redirect(&c->fetch, c->now + c->cfg.redirect_cycles);
    c->fetch_waits = c->fetch_ahead = false;
    c->active = true;
}
