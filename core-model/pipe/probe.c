/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes out through the probe port: instructions' stages and the commit token. See core-model/probe.h. */
#include "core-model/pipe/pipe.h"

void probe_deliver(struct ooo *c, uint32_t i, enum probe_stage stage)
{
    struct probe_insn *p = &c->probe[i];
    p->events = c->slot[i].events;
    probe_port_stage(&c->port, p, stage, c->now);
}

void probe_fetched(struct ooo *c, uint32_t i)
{
    const struct slot *s = &c->slot[i];
    c->probe[i] = (struct probe_insn){.seq = s->seq, .pc = s->pc, .insn = s->insn, .outcome = &c->outcome[i],
                                      .history = c->history[i]};
    probe_stage(c, i, PROBE_FETCHED);
}

void probe_snapshot(struct ooo *c)
{
    const struct cycle_report *r = &c->cycle;
    struct probe_token *t = &c->token;
    uint32_t banks = c->cfg.commit_width, b = (uint32_t)(r->head & (banks - 1));
    if ((banks & (banks - 1)) != 0)
        b = (uint32_t)(r->head % banks);
    t->cycle = c->now;
    t->committing = (uint8_t)r->commits;
    t->banks = (uint8_t)banks;
    t->head = (uint8_t)b;
    t->rob_empty = r->head == r->rob_tail;
    t->handler = interrupt_handled_at(&c->interrupt, c->now);
    t->exception = r->exception;
    t->ordering = r->exception && c->empty == EMPTY_ORDERING;
    t->exception_pc = r->exception_pc;
    t->dispatching = t->blocked = false;
    t->dispatch_pc = 0;
    for (uint32_t n = 0; n < banks; n++) {
        const struct slot *s = &c->slot[(r->head + n) & c->ring_mask];
        bool valid = r->head + n < r->rob_tail;
        t->bank[b].pc = valid ? s->pc : 0;
        t->bank[b].valid = valid;
        t->bank[b].commits = n < r->commits;
        t->bank[b].mispredicted = valid && (s->events & PROBE_MISPREDICTED);
        t->bank[b].flushes = valid && (s->events & PROBE_FLUSHES);
        b = b + 1 == banks ? 0 : b + 1;
    }
}

void probe_send_token(struct ooo *c, uint64_t repeat)
{
    const struct cycle_report *r = &c->cycle;
    struct probe_token *t = &c->token;
    t->repeat = repeat;
    if (t->rob_empty && (r->dispatching || r->stall != NULL)) {
        t->dispatching = r->dispatching;
        t->blocked = !r->dispatching;
        t->dispatch_pc = r->dispatch_pc;
    }
    probe_port_token(&c->port, t);
}
