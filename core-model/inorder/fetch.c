/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The in-order core's front end: fetch along the predicted path with execution at fetch, arrival in the issue stage,
 * and squash. Entry points: in_fetch_tick, in_arrive_tick, in_squash. */
#include "core-model/inorder/inorder.h"

/* Follows the control transfer's prediction. Returns whether the fetch packet continues after it. */
static bool inorder_fetch_follow(struct inorder *c, struct in_entry *e)
{
    const bool is_ideal = (e->ideal & IDEAL_BRANCH) != 0;
    const unsigned done = (is_ideal ? front_follow_right : front_follow)(&c->front, e->insn, e->pc, &e->outcome,
                                                                         &e->predict, c->tail, c->now);
    e->flags |= (done & FRONT_RAS ? IN_RAS : 0) | (done & FRONT_WRONG ? IN_WRONG : 0);
    return !(done & FRONT_ENDS);
}

/* Executes or defers the instruction. Returns whether fetch continues after it. */
static bool inorder_fetch_execute(struct inorder *c, struct in_entry *e, enum rv_trap trap)
{
    bool executed = front_execute(&c->front, &e->insn, e->pc, trap, &e->outcome);
    e->trap = e->outcome.trap;
    e->flags |= executed ? IN_EXECUTED : e->insn == &c->front.deferred ? IN_DEFERRED : 0;
    return executed;
}

static bool inorder_fetch_one(struct inorder *c, const struct rv_insn *in, enum rv_trap trap)
{
    struct in_entry *e = in_at(c, c->tail);
    e->pc = c->front.hart->pc;
    e->ideal = in_ideal_of(c, e->pc);
    e->seq = c->front.next_seq++;
    e->history = c->front.history;
    e->insn = in != NULL ? in : &front_fault;
    e->arrives = c->now + (c->front.ahead ? 1 : c->cfg.frontend_cycles);
    e->done = 0;
    e->events = c->front.port.events;
    if (c->front.wrong != UINT64_MAX)
        in_event(c, e, PROBE_WRONG_PATH);
    e->flags = 0;
    e->tags = e->written = 0;
    e->waited = c->waited;
    bool more = inorder_fetch_execute(c, e, in != NULL ? RV_TRAP_NONE : trap);
    if (!more)
        c->front.waits = true;
    else if (e->insn->flags & (RV_BRANCH | RV_JUMP))
        more = inorder_fetch_follow(c, e);
    c->stats.fetched++;
    c->tail++;
    if ((c->port.extras_wanted | c->port.transfer_classes) != 0) {
        const bool executed = (e->flags & IN_EXECUTED) != 0;
        e->probe.sp = front_register(&c->front, e->insn, &e->outcome, executed, RV_REG_SP);
        e->probe.fp = front_register(&c->front, e->insn, &e->outcome, executed, RV_REG_FP);
        e->probe.evicted = 0;
    }
    in_stage(c, e, PROBE_FETCHED);
    in_tag(c, e, &c->port.at_fetch);
    return more;
}

static bool no_space(const struct inorder *c)
{
    return c->tail - c->arrived >= c->cfg.fetch_buffer || c->tail - c->head >= IN_RING;
}

/* Whether the instructions at the hart's pc can be fetched in this cycle. */
static bool inorder_fetch_ready(struct inorder *c)
{
    const uint64_t pc = c->front.hart->pc;
    if ((in_ideal_of(c, pc) & IDEAL_ICACHE) != 0)
        ideal_fetch(&c->mem, pc, c->now);
    return fetch_port_ready(&c->front.port, &c->mem, pc, c->now);
}

/* The statistic for the current cause of a fetch stall; NULL: none. */
static uint64_t *inorder_fetch_stopped_by(struct inorder *c)
{
    uint64_t *waits_for = front_stopped_by(&c->front, c->now, &c->wake);
    if (waits_for != NULL)
        return waits_for;
    return no_space(c) ? &c->stats.fetch_buffer_full : NULL;
}

void in_fetch_tick(struct inorder *c)
{
    c->fetched = inorder_fetch_stopped_by(c);
    if (c->fetched != NULL)
        return;
    uint64_t block = c->front.hart->pc & ~(uint64_t)(c->cfg.fetch_block_bytes - 1);
    for (uint32_t n = 0; n < c->cfg.fetch_width; n++) {
        enum rv_trap trap = RV_TRAP_NONE;
        if (no_space(c))
            break;
        const struct rv_insn *in = front_fetch(&c->cfg, c->front.hart, &trap);
        if (n == 0 && in != NULL && !inorder_fetch_ready(c)) {
            probe_port_event(&c->port, c->front.port.found, c->now);
            c->fetched = inorder_fetch_stopped_by(c);
            return;
        }
        c->active = true;
        c->front.ahead = c->front.ahead && n == 0;
        if (!inorder_fetch_one(c, in, trap) || c->front.hart->pc - block >= c->cfg.fetch_block_bytes)
            break;
    }
    c->fetched = &c->stats.fetch_active;
    c->front.port.events = 0;
    c->front.ahead = false;
}

/* Moves instructions into the issue stage, which has one slot per instruction of the issue width. */
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
    }
}

void in_squash(struct inorder *c, uint64_t position, uint64_t pc, struct bpred_history history, enum probe_cause cause)
{
    *stats_of_squash(&c->stats, cause) += c->tail - position;
    c->squash_cause = (uint8_t)cause;
    while (c->tail > position) {
        struct in_entry *e = in_at(c, --c->tail);
        if (e->flags & IN_EXECUTED)
            rv_undo(c->front.hart, e->insn, e->pc, &e->outcome);
        if (e->flags & IN_RAS)
            bpred_ras_undo(&c->bpred, &e->predict);
        in_stage(c, e, PROBE_SQUASHED);
        if ((e->tags & c->port.squash_tags) != 0)
            in_deliver_tagged(c, e, cause);
        if (e->tags != 0)
            probe_port_untagged(&c->port);
    }
    if (c->arrived > position)
        c->arrived = position;
    if (c->issue > position)
        c->issue = position;
    if (c->front.wrong != UINT64_MAX && c->front.wrong + 1 >= position)
        c->front.wrong = UINT64_MAX;
    front_redirect(&c->front, pc, history, c->now);
    c->active = true;
}
