/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of fetch with instructions: the instruction cache, execution at fetch, and prediction. See outside.h.
 * Private to core-model/pipe. */
#ifndef CORE_MODEL_PIPE_INSN_FETCH_H
#define CORE_MODEL_PIPE_INSN_FETCH_H

#include "core-model/pipe/idealised.h"
#include "core-model/pipe/pipe.h"

/* Facts common to the instructions of a fetch packet. */
struct packet {
    uint64_t dispatch_cycle;
    uint32_t events; /* enum probe_event */
    uint16_t number;
};

/* Whether the instructions at pc can be fetched in this cycle. */
static inline bool port_perform(struct ooo *c, uint64_t pc)
{
    struct fetch_port *p = &c->front.port;
    if ((ideal_of(c, pc) & IDEAL_ICACHE) != 0)
        ideal_fetch(&c->mem, pc, c->now);
    if (fetch_port_ready(p, &c->mem, pc, c->now))
        return true;
    probe_port_event(&c->port, p->found, c->now);
    return false;
}

/* Enters the instruction `in`, at the hart's pc, in slot i and executes it; NULL: its fetch has raised the trap.
 * Returns whether it has executed without a trap. */
static inline bool execute_perform(struct ooo *c, uint32_t i, const struct packet *p, const struct rv_insn *in,
                                   uint64_t pc, enum rv_trap trap)
{
    struct slot *s = &c->slot[i];
    *s = (struct slot){.pc = pc,
                       .insn = in != NULL ? in : &front_fault,
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
    return front_execute(&c->front, &s->insn, pc, in != NULL ? RV_TRAP_NONE : trap, &c->outcome[i]);
}

/* Predicts the control transfer at this position. Returns enum front_follow. */
static inline unsigned predict_perform(struct ooo *c, uint32_t i, uint64_t position)
{
    struct slot *s = &c->slot[i];
    const bool is_ideal = (ideal_of(c, s->pc) & IDEAL_BRANCH) != 0;
    const unsigned done = (is_ideal ? front_follow_right : front_follow)(&c->front, s->insn, s->pc, &c->outcome[i],
                                                                         &c->predict[i], position, c->now);
    if (c->port.transfer_classes != 0) { /* and not for every instruction, as PROBE_EXTRA_sp does */
        c->probe[i].sp = front_register(&c->front, s->insn, &c->outcome[i], true, RV_REG_SP);
        c->probe[i].fp = front_register(&c->front, s->insn, &c->outcome[i], true, RV_REG_FP);
    }
    s->flags |= (done & FRONT_RAS ? SLOT_RAS : 0) | (done & FRONT_WRONG ? SLOT_WRONG : 0);
    return done;
}

#endif
