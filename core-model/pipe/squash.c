/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Squash: removes instructions youngest first and undoes the effects of each on hart, return address stack, map and
 * queues. The resulting state is exactly that after the last instruction kept. */
#include "core-model/pipe/outside.h"

static void report_squash(struct ooo *c, uint32_t i, enum probe_cause cause)
{
    probe_stage(c, i, PROBE_SQUASHED);
    if (!(c->slot[i].flags & SLOT_TAGGED))
        return;
    if ((c->tags[i] & c->port.squash_tags) != 0)
        probe_deliver_squashed(c, i, cause);
    probe_port_untagged(&c->port);
}

void squash_perform(struct ooo *c, uint64_t position, uint32_t stores, uint64_t pc, struct bpred_history history)
{
    for (uint64_t p = c->fetch_tail; p-- > position;) {
        uint32_t i = (uint32_t)p & c->ring_mask;
        struct slot *s = &c->slot[i];
        if (s->flags & SLOT_EXECUTED)
            rv_undo(c->front.hart, s->insn, s->pc, &c->outcome[i]);
        if (s->flags & SLOT_RAS)
            bpred_ras_undo(&c->bpred, &c->predict[i]);
        s->seq = 0;
    }
    lsq_forget(c, stores);
    c->fetch_tail = position;
    front_redirect(&c->front, pc, history, c->now);
}

static uint64_t *refill_after(struct ooo *c, enum probe_cause cause)
{
    switch (cause) {
    case PROBE_CAUSE_MISPREDICT:
    case PROBE_CAUSE_ORDERING:
    case PROBE_CAUSE_EXCEPTION:
        return &c->stats.slots_recovery;
    case PROBE_CAUSE_INTERRUPT:
        return &c->stats.slots_handler;
    default:
        return &c->stats.slots_frontend;
    }
}

void squash_redirect(struct ooo *c, uint64_t position, uint64_t pc, struct bpred_history history,
                     enum probe_cause cause)
{
    *stats_of_squash(&c->stats, cause) += c->fetch_tail - position;
    c->squash_cause = (uint8_t)cause;
    if (c->rob_tail > position)
        c->stats.slots_squashed += c->rob_tail - position;
    slots_squash(c, position, cause);
    const uint32_t tail = c->store_tail;
    for (uint64_t p = c->fetch_tail; p-- > position;) {
        uint32_t i = (uint32_t)p & c->ring_mask;
        if (p < c->rob_tail)
            rename_squash(c, i);
        if ((c->port.stages_wanted & 1u << PROBE_SQUASHED) != 0)
            report_squash(c, i, cause);
    }
    const uint32_t stores = tail - c->store_tail;
    c->store_tail = tail;
    squash_undo(c, position, stores, pc, history);
    if (c->rob_tail > position)
        c->rob_tail = position;
    if (c->front.wrong != UINT64_MAX && c->front.wrong >= position)
        c->front.wrong = UINT64_MAX;
    c->cycle.active = true;
    c->refill = refill_after(c, cause);
    if (cause != PROBE_CAUSE_MISPREDICT)
        cycle_never_repeats(c);
}
