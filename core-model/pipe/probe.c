/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probe-port output: stages of instructions, and the commit token. See core-model/probe/probe.h. */
#include "core-model/pipe/pipe.h"

#include <string.h>

/* Fills the probe record with the instruction's current state. */
static inline const struct probe_insn *probe_describe(struct ooo *c, uint32_t i, enum probe_cause cause)
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

/* The probe record at retirement; commit has counted the instructions that retire before it in this cycle. */
static inline const struct probe_insn *describe_retired(struct ooo *c, uint32_t i)
{
    struct probe_insn *p = &c->probe[i];
    if (probe_port_retires(&c->port)) {
        bool oldest = c->cycle.commits == 0;
        const struct slot *s = &c->slot[(i - 1) & c->ring_mask];
        p->before = oldest && c->offender_head == c->cycle.head ? c->port.before : probe_oir_of(s->pc, s->events);
        p->retired_before = oldest ? c->port.retired_before : c->now;
    }
    return probe_describe(c, i, PROBE_CAUSE_NONE);
}

void probe_deliver(struct ooo *c, uint32_t i, enum probe_stage stage, int n)
{
    enum probe_cause cause = stage == PROBE_SQUASHED ? (enum probe_cause)c->squash_cause : PROBE_CAUSE_NONE;
    const struct probe_insn *in = stage == PROBE_RETIRED ? describe_retired(c, i) : probe_describe(c, i, cause);
    probe_port_notify(&c->port.stage_list[stage], n, in, c->now);
}

void probe_transfer(struct ooo *c, uint32_t i)
{
    const struct slot *s = &c->slot[i];
    c->probe[i].pc = s->pc;
    c->probe[i].seq = s->seq;
    probe_port_notify_transfer(&c->port, s->insn, &c->outcome[i], &c->probe[i], c->retired);
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

void probe_tag_asked(struct ooo *c, uint32_t i, const struct tagger_list *l)
{
    struct slot *s = &c->slot[i];
    const uint32_t tags = probe_port_tags_of(&c->port, l, s->seq, s->pc, (enum opclass)s->insn->opclass, c->now);
    if (tags != 0)
        probe_set_tags(c, i, s, l, tags);
}

void probe_deliver_retired(struct ooo *c, uint32_t i)
{
    const struct probe_insn *in = describe_retired(c, i);
    uint32_t tags = c->tags[i], later = tags & c->port.complete_tags;
    if (later != 0 && is_kind(&c->slot[i], RV_UNIT_STORE) && c->outcome[i].mem_bytes != 0) {
        probe_port_keep(&c->port, in, later, c->slot[i].store_mark);
        tags &= ~later;
    }
    if (tags != 0)
        probe_port_deliver(&c->port, in, tags, c->now);
    probe_port_untagged(&c->port);
}

void probe_deliver_squashed(struct ooo *c, uint32_t i, enum probe_cause cause)
{
    probe_port_deliver(&c->port, probe_describe(c, i, cause), c->tags[i], c->now);
}

/* The offending instruction register (OIR) in this cycle. Its content follows from the cause of an empty ROB; the slot
 * of the youngest retired instruction is still valid (ring_init). */
static struct probe_oir oir_of(const struct ooo *c, bool handler)
{
    if (!c->cycle.exception && (handler || c->empty == EMPTY_HANDLER))
        return (struct probe_oir){.flush = true};
    if (c->empty == EMPTY_EXCEPTION || c->empty == EMPTY_ORDERING)
        return c->offender;
    const struct slot *s = &c->slot[(c->head - 1) & c->ring_mask];
    return probe_oir_of(s->pc, s->events);
}

static inline uint32_t probe_bank_of(const struct ooo *c, uint64_t position)
{
    uint32_t banks = c->cfg.commit_width;
    return (uint32_t)((banks & (banks - 1)) == 0 ? position & (banks - 1) : position % banks);
}

static void put_bank(struct probe_token *t, uint32_t b, uint64_t pc, uint32_t events, bool commits)
{
    t->bank[b].pc = pc;
    t->bank[b].events = events;
    t->bank[b].valid = true;
    t->bank[b].commits = commits;
    t->bank[b].mispredicted = (events & PROBE_MISPREDICTED) != 0;
    t->bank[b].flushes = (events & PROBE_FLUSHES) != 0;
}

/* Fills the token of `cycle`, except the banks and the members known only at the end of the cycle. */
static void probe_note(const struct ooo *c, struct probe_token *t, uint64_t cycle)
{
    const struct cycle_report *r = &c->cycle;
    t->cycle = cycle;
    t->handler = core_handled_at(c, cycle);
    t->exception = r->exception;
    t->exception_pc = r->exception_pc;
    t->committing = (uint8_t)r->commits;
    t->banks = (uint8_t)c->cfg.commit_width;
    t->head = (uint8_t)probe_bank_of(c, r->head);
    t->rob_empty = r->head == r->rob_tail;
    t->ordering = r->exception && c->empty == EMPTY_ORDERING;
    t->dispatching = t->blocked = false;
    t->dispatch_pc = 0;
    t->interrupt_pc = t->handler || r->exception ? 0 : commit_next_pc(c);
    t->oir = oir_of(c, t->handler);
    t->last_handler = t->handler || c->handled_head == c->head;
    t->last_commit = t->last_handler ? 0 : c->slot[(c->head - 1) & c->ring_mask].pc;
}

/* Completes the token of cycle `cycle`, which also represents the unchanged cycles up to `end`. */
static void probe_complete(struct ooo *c, uint64_t cycle, uint64_t end)
{
    const struct cycle_report *r = &c->cycle;
    struct probe_token *t = &c->token;
    probe_note(c, t, cycle);
    uint32_t banks = t->banks, b = t->head;
    uint32_t valid = r->rob_tail - r->head < banks ? (uint32_t)(r->rob_tail - r->head) : banks;
    uint32_t wanted = c->port.banks_from < end ? banks : r->commits > 0 ? r->commits : 1;
    for (uint32_t n = 0; n < wanted; n++) {
        const struct slot *s = &c->slot[(r->head + n) & c->ring_mask];
        if (n < valid)
            put_bank(t, b, s->pc, s->events, n < r->commits);
        else
            memset(&t->bank[b], 0, sizeof t->bank[b]);
        b = b + 1 == banks ? 0 : b + 1;
    }
    c->token_complete = true;
}

void probe_snapshot(struct ooo *c) { probe_complete(c, c->now, c->now + 1); }

/* Completes a token at the end of its cycles with the instruction that enters the empty ROB or waits for dispatch. */
static void note_dispatch(const struct ooo *c, struct probe_token *t)
{
    const struct cycle_report *r = &c->cycle;
    if (t->rob_empty && (r->dispatching || r->stall != NULL)) {
        t->dispatching = r->dispatching;
        t->blocked = !r->dispatching;
        t->dispatch_pc = r->dispatch_pc;
    }
}

void probe_send_token(struct ooo *c, uint64_t repeat)
{
    struct probe_token *t = &c->token;
    /* In repeated cycles nothing has changed since commit. */
    if (!c->token_complete || (repeat > 1 && c->port.banks_from < c->now))
        probe_complete(c, c->now - repeat, c->now);
    c->token_complete = false;
    t->repeat = repeat;
    note_dispatch(c, t);
    probe_port_notify_token(&c->port, t);
}

/* Copies the addresses of `count` slots, four at a time: up to three more are read and written. */
static inline void copy_pcs(uint64_t *restrict pc, const struct slot *restrict s, uint32_t count)
{
    for (const uint64_t *const end = pc + count; pc < end; pc += 4, s += 4)
        pc[0] = s[0].pc, pc[1] = s[1].pc, pc[2] = s[2].pc, pc[3] = s[3].pc;
}

/* Copies the pending instructions, which are those before position `end`. An instruction has no more events once it has
 * retired. */
static void copy_pending(struct ooo *c, uint64_t end)
{
    struct probe_commits *b = &c->port.commits;
    const uint32_t first = (uint32_t)c->pending.first & c->ring_mask, count = (uint32_t)(end - c->pending.first),
                   behind = c->ring_mask + 1 - first, before = count < behind ? count : behind;
    b->cycles = (unsigned)(c->pending.next - b->at);
    b->insns = count;
    copy_pcs(b->pc, &c->slot[first], before);
    copy_pcs(b->pc + before, c->slot, count - before);
    if (c->port.merged.reads_events)
        for (uint32_t n = 0; n < count; n++)
            b->event[n] = c->slot[(first + n) & c->ring_mask].events;
}

/* Sends the pending cycles with commits and then the joined token. */
static void send_pending(struct ooo *c, uint64_t end)
{
    if (c->pending.limit != 0)
        copy_pending(c, end);
    c->pending.limit = 0;
    probe_port_flush_token(&c->port);
}

void probe_merge_flush(struct ooo *c) { send_pending(c, c->head); }

void probe_merge_anew(struct ooo *c)
{
    send_pending(c, c->cycle.head);
    c->port.commits.from = c->merged_to;
    c->pending.first = c->cycle.head;
    c->pending.limit = c->cycle.head + c->pending.most;
    c->pending.next = c->port.commits.at;
    probe_add_commit(c);
}

void probe_merge_stall(struct ooo *c, uint64_t end)
{
    if (c->merged_to == end)
        return;
    const struct slot *s = &c->slot[c->cycle.head & c->ring_mask];
    struct probe_token t = {.cycle = c->merged_to, .repeat = end - c->merged_to, .banks = (uint8_t)c->cfg.commit_width};
    t.head = (uint8_t)probe_bank_of(c, c->cycle.head);
    if (c->cycle.exception)
        put_bank(&t, t.head, c->offender.pc, c->offender.events, false);
    else
        put_bank(&t, t.head, s->pc, s->events, false);
    probe_merge_flush(c);
    probe_port_notify_merged(&c->port, &t);
    c->merged_to = end;
}

void probe_merge_empty(struct ooo *c, uint64_t cycles)
{
    const struct cycle_report *r = &c->cycle;
    uint64_t cycle = c->now - cycles;
    probe_merge_stall(c, cycle);
    probe_merge_flush(c);
    struct probe_token *t = &c->port.joined;
    probe_note(c, t, cycle);
    note_dispatch(c, t);
    memset(&t->bank[t->head], 0, sizeof t->bank[t->head]);
    if (r->exception)
        put_bank(t, t->head, c->offender.pc, c->offender.events, false);
    t->repeat = cycles;
    c->merged_to = c->now;
    if (r->exception || t->dispatching)
        probe_merge_flush(c);
}
