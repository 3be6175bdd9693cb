/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion in the in-order core: instructions complete when their result is available, branches are resolved, and
 * complete instructions retire in order. Entry point: in_complete_tick. */
#include "core-model/inorder/inorder.h"

static void inorder_resolve(struct inorder *c, struct in_entry *e, uint64_t position)
{
    if (e->outcome.taken)
        in_event(c, e, PROBE_TAKEN);
    if (!(e->flags & IN_WRONG))
        return;
    in_event(c, e, PROBE_MISPREDICTED);
    c->redirect_at = 0;
    in_squash(c, position + 1, e->outcome.next_pc, front_history_after(&c->front, e->insn, &e->outcome, e->history),
              PROBE_CAUSE_MISPREDICT);
}

static void inorder_complete(struct inorder *c, struct in_entry *e, uint64_t position)
{
    e->flags |= IN_DONE;
    c->active = true;
    if (e->insn->flags & RV_LOAD)
        in_stage(c, e, PROBE_LOAD_COMPLETED);
    if (e->insn->flags & (RV_BRANCH | RV_JUMP))
        inorder_resolve(c, e, position);
    in_stage(c, e, PROBE_READY_TO_RETIRE);
}

/* Resumes fetch, which is stalled after the instruction, immediately or after a flush. */
static void inorder_resume_after(struct inorder *c, struct in_entry *e)
{
    if (in_flags_of(e) & (RV_FLUSH | RV_ECALL)) {
        in_event(c, e, PROBE_FLUSHES);
        uint64_t pc = e->flags & IN_DEFERRED ? c->front.hart->pc : e->outcome.next_pc;
        in_squash(c, c->head + 1, pc, e->history, PROBE_CAUSE_SERIALISE);
        c->empty = &c->stats.stack_flush;
    } else if (e->flags & IN_DEFERRED) {
        front_resume(&c->front, c->now);
    }
}

void in_perform(struct inorder *c, struct in_entry *e)
{
    bool is_store = e->insn->unit == RV_UNIT_STORE && (e->flags & IN_EXECUTED);
    if (c->front.hart->stores != NULL && is_store && !(e->flags & IN_PERFORMED))
        front_perform(&c->front);
    e->flags |= IN_PERFORMED;
}

static void inorder_retire(struct inorder *c, struct in_entry *e)
{
    const struct rv_insn *in = e->insn;
    const uint32_t flags = in_flags_of(e);
    in_perform(c, e);
    c->retired++;
    c->active = true;
    if (flags & RV_ECALL) {
        c->finished = front_system_call(&c->front, c->now, c->retired);
    }
    if ((flags & (RV_FLUSH | RV_ECALL)) || (e->flags & IN_DEFERRED))
        inorder_resume_after(c, e);
    if (in->flags & (RV_BRANCH | RV_JUMP))
        front_train(&c->front, in, e->pc, &e->history, &e->predict, &e->outcome, (e->flags & IN_WRONG) != 0);
    if (flags & RV_SERIAL)
        c->serial = false;
    c->stats.loads += (in->flags & RV_LOAD) != 0;
    c->stats.stores += (in->flags & RV_STORE) != 0;
    c->head++;
    e->probe.before = c->port.before;
    e->probe.retired_before = c->port.retired_before;
    in_stage(c, e, PROBE_RETIRED);
    probe_port_result(&c->port, in, e->pc, &e->outcome);
    if ((c->port.transfer_classes >> in->opclass & 1) != 0) {
        e->probe.pc = e->pc;
        e->probe.seq = e->seq;
        probe_port_notify_transfer(&c->port, in, &e->outcome, &e->probe, c->retired);
    }
    if (e->tags != 0) {
        in_deliver_tagged(c, e, PROBE_CAUSE_NONE);
        probe_port_untagged(&c->port);
    }
    if (probe_port_retires(&c->port))
        probe_port_retired(&c->port, e->pc, e->events, c->now);
}

void in_complete_tick(struct inorder *c)
{
    while (c->head != c->issue && (in_at(c, c->head)->flags & IN_DONE) && c->retired < c->limit && !c->finished)
        inorder_retire(c, in_at(c, c->head));
    for (uint64_t p = c->head; p < c->issue && !c->finished; p++) {
        struct in_entry *e = in_at(c, p);
        if (e->flags & IN_DONE)
            continue;
        if (e->done <= c->now)
            inorder_complete(c, e, p);
        else
            in_wake_at(c, e->done);
    }
}
