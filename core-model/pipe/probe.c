/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes out through the probe port: instructions' stages and the commit token. See core-model/probe.h. */
#include "core-model/pipe/pipe.h"

#include <string.h>

/* The instruction as it is now. */
static const struct probe_insn *describe(struct ooo *c, uint32_t i, enum probe_cause cause)
{
    const struct slot *s = &c->slot[i];
    struct probe_insn *p = &c->probe[i];
    p->seq = s->seq;
    p->pc = s->pc;
    p->insn = s->insn;
    p->outcome = &c->outcome[i];
    p->history = c->history[i].branches;
    p->events = s->events;
    p->cause = (uint8_t)cause;
    return p;
}

/* The instruction as it retires: commit has counted those that do so before it in this cycle. */
static const struct probe_insn *describe_retired(struct ooo *c, uint32_t i)
{
    struct probe_insn *p = &c->probe[i];
    p->before = c->port.before;
    p->retired_before = c->port.retired_before;
    if (c->cycle.commits > 0) {
        const struct slot *s = &c->slot[(i - 1) & c->ring_mask];
        p->before = probe_oir_of(s->pc, s->events);
        p->retired_before = c->now;
    }
    return describe(c, i, PROBE_CAUSE_NONE);
}

void probe_deliver(struct ooo *c, uint32_t i, enum probe_stage stage, int n)
{
    enum probe_cause cause = stage == PROBE_SQUASHED ? (enum probe_cause)c->squash_cause : PROBE_CAUSE_NONE;
    const struct probe_insn *in = stage == PROBE_RETIRED ? describe_retired(c, i) : describe(c, i, cause);
    probe_port_tell(&c->port.stage_list[stage], n, in, c->now);
}

void probe_with_datum(struct ooo *c, uint32_t i, enum probe_stage stage)
{
    const struct slot *s = &c->slot[i];
    if (!is_kind(s, RV_UNIT_STORE) || (s->flags & SLOT_DATA))
        probe_stage(c, i, stage);
}

void probe_datum(struct ooo *c, uint32_t i)
{
    const struct slot *s = &c->slot[i];
    if (s->waiting == 0)
        probe_stage(c, i, PROBE_DATA_READY);
    if (!(s->flags & SLOT_QUEUED))
        probe_stage(c, i, PROBE_ISSUED);
}

void probe_deliver_tagged(struct ooo *c, uint32_t i, enum probe_cause cause)
{
    const struct probe_insn *in = cause == PROBE_CAUSE_NONE ? describe_retired(c, i) : describe(c, i, cause);
    uint32_t tags = c->tags[i], later = tags & c->port.complete_tags;
    if (later != 0 && cause == PROBE_CAUSE_NONE && is_kind(&c->slot[i], RV_UNIT_STORE) && c->outcome[i].mem_bytes != 0) {
        probe_port_keep(&c->port, in, later, c->slot[i].store_mark);
        tags &= ~later;
    }
    if (tags != 0)
        probe_port_deliver(&c->port, in, tags, c->now);
}

/* The cheap part, of every cycle. */
static void note(struct ooo *c)
{
    const struct cycle_report *r = &c->cycle;
    struct probe_token *t = &c->token;
    t->cycle = c->now;
    t->handler = interrupt_handled_at(&c->interrupt, c->now);
    t->exception = r->exception;
    t->exception_pc = r->exception_pc;
    if (r->commits > 0) {
        const struct slot *s = &c->slot[(r->head + r->commits - 1) & c->ring_mask];
        probe_note_commit(t, s->pc, s->events, (s->events & PROBE_MISPREDICTED) != 0,
                          (s->events & PROBE_FLUSHES) != 0);
    } else {
        probe_note_no_commit(t, c->slot[r->head & c->ring_mask].events);
    }
}

/* The rest, for a token that ends at cycle `end`. */
static void complete(struct ooo *c, uint64_t end)
{
    const struct cycle_report *r = &c->cycle;
    struct probe_token *t = &c->token;
    uint32_t banks = c->cfg.commit_width, b = (uint32_t)(r->head & (banks - 1));
    if ((banks & (banks - 1)) != 0)
        b = (uint32_t)(r->head % banks);
    t->committing = (uint8_t)r->commits;
    t->banks = (uint8_t)banks;
    t->head = (uint8_t)b;
    t->rob_empty = r->head == r->rob_tail;
    t->ordering = r->exception && c->empty == EMPTY_ORDERING;
    t->dispatching = t->blocked = false;
    t->dispatch_pc = 0;
    t->interrupt_pc = t->handler || r->exception ? 0 : commit_next_pc(c);
    uint32_t valid = r->rob_tail - r->head < banks ? (uint32_t)(r->rob_tail - r->head) : banks;
    uint32_t wanted = c->port.banks_from < end ? banks : r->commits > 0 ? r->commits : 1;
    for (uint32_t n = 0; n < wanted; n++) {
        if (n < valid) {
            const struct slot *s = &c->slot[(r->head + n) & c->ring_mask];
            t->bank[b].pc = s->pc;
            t->bank[b].events = s->events;
            t->bank[b].valid = true;
            t->bank[b].commits = n < r->commits;
            t->bank[b].mispredicted = (s->events & PROBE_MISPREDICTED) != 0;
            t->bank[b].flushes = (s->events & PROBE_FLUSHES) != 0;
        } else {
            memset(&t->bank[b], 0, sizeof t->bank[b]);
        }
        b = b + 1 == banks ? 0 : b + 1;
    }
    c->token_complete = true;
}

/* Is the cycle, as far as commit knows, like those of the token that waits for more? */
static bool joins(const struct ooo *c)
{
    const struct cycle_report *r = &c->cycle;
    const struct probe_token *t = &c->token;
    return c->port.joined.repeat != 0 && r->commits == 0 && !r->exception && r->head == c->token_head &&
           (r->head == r->rob_tail) == t->rob_empty && interrupt_handled_at(&c->interrupt, c->now) == t->handler;
}

void probe_snapshot(struct ooo *c)
{
    c->token_joins = joins(c);
    if (c->token_joins)
        return;
    c->token_head = c->cycle.head;
    note(c);
    c->token_complete = false;
    if (c->port.token_from <= c->now)
        complete(c, c->now + 1);
}

void probe_send_token(struct ooo *c, uint64_t repeat)
{
    const struct cycle_report *r = &c->cycle;
    struct probe_token *t = &c->token;
    if (c->token_joins) {
        bool blocked = r->stall != NULL;
        if (!t->rob_empty || (!r->dispatching && blocked == t->blocked && (!blocked || r->dispatch_pc == t->dispatch_pc))) {
            c->port.joined.repeat += repeat;
            return;
        }
        t->cycle = c->now - repeat;
        t->dispatching = t->blocked = false;
        t->dispatch_pc = 0;
    }
    /* Nothing has changed since commit in cycles that are repeated. */
    if (!c->token_complete || (repeat > 1 && c->port.banks_from < c->now))
        complete(c, c->now);
    t->repeat = repeat;
    if (t->rob_empty && (r->dispatching || r->stall != NULL)) {
        t->dispatching = r->dispatching;
        t->blocked = !r->dispatching;
        t->dispatch_pc = r->dispatch_pc;
    }
    probe_port_token(&c->port, t);
}
