/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encodes the members of commit tokens that the state of the stream does not derive. Entry point: recorder_on_token. */
#include "core-model/prof/log/recorder_parts.h"

static bool same_banks(const struct probe_token *a, const struct probe_token *b)
{
    for (unsigned n = 0; n < a->banks; n++)
        if (a->bank[n].pc != b->bank[n].pc || a->bank[n].events != b->bank[n].events ||
            a->bank[n].valid != b->bank[n].valid || a->bank[n].commits != b->bank[n].commits ||
            a->bank[n].mispredicted != b->bank[n].mispredicted || a->bank[n].flushes != b->bank[n].flushes)
            return false;
    return true;
}

static bool same_token(const struct probe_token *a, const struct probe_token *b)
{
    return a->cycle == b->cycle && a->repeat == b->repeat && a->committing == b->committing && a->banks == b->banks &&
           a->head == b->head && a->rob_empty == b->rob_empty && a->exception == b->exception &&
           a->ordering == b->ordering && a->handler == b->handler && a->dispatching == b->dispatching &&
           a->blocked == b->blocked && a->exception_pc == b->exception_pc && a->dispatch_pc == b->dispatch_pc &&
           a->interrupt_pc == b->interrupt_pc && a->last_commit == b->last_commit &&
           a->last_handler == b->last_handler && recorder_same_oir(&a->oir, &b->oir) && same_banks(a, b);
}

/* Writes events of instructions in the banks that no callback has reported yet. */
static void put_bank_events(struct recorder *r, const struct probe_token *t)
{
    struct stream *s = &r->stream;
    if (t->banks != s->token.banks)
        return;
    for (unsigned n = 0; n < t->banks && n < s->cycle_mapped - s->cycle_head; n++) {
        unsigned b = (unsigned)((s->cycle_head + n + s->bank_offset) % t->banks);
        uint32_t more = t->bank[b].events & ~s->token.bank[b].events;
        if (s->in_order && n < s->commits) /* these events are derived; the instruction does not have them yet */
            more &= ~(uint32_t)(PROBE_TAKEN | PROBE_MISPREDICTED | PROBE_FLUSHES);
        if (more == 0 || t->bank[b].pc != s->token.bank[b].pc)
            continue;
        recorder_put(r, OP_EVENTS_BANK);
        column_put_number(&r->column[RECORD_EVENTS], n);
        column_put_number(&r->column[RECORD_EVENTS], more);
        stream_change_bank(s, n, more);
    }
}

/* Flags that make the derived token equal to this one, if possible. */
static uint32_t recorder_token_flags_of(const struct stream *s, const struct probe_token *t)
{
    uint32_t flags = (t->handler ? FLAG_HANDLER : 0) | (t->blocked ? FLAG_BLOCKED : 0);
    for (unsigned b = 0; b < t->banks; b++) {
        bool derived = !s->in_order && (t->bank[b].events & PROBE_MISPREDICTED) != 0;
        flags |= t->bank[b].valid && t->bank[b].mispredicted != derived ? (uint32_t)FLAG_MISPREDICTED << b : 0;
    }
    return flags;
}

static void put_token(struct recorder *r, const struct probe_token *t)
{
    struct stream *s = &r->stream;
    struct column *c = &r->column[RECORD_TOKENS];
    uint32_t flags = recorder_token_flags_of(s, t), kept = s->flags;
    if (t->interrupt_pc != stream_interrupt_pc(s, t->handler || t->exception)) {
        recorder_put(r, OP_NEXT_PC);
        column_put_difference(&r->column[RECORD_REST], t->interrupt_pc - s->next_pc);
        stream_give_pc(s, t->interrupt_pc);
    }
    stream_end_token(s, flags, t->repeat, PROBE_MAX_BANKS);
    if (!same_token(&s->token, t)) {
        recorder_put(r, OP_TOKEN_WHOLE);
        stream_put_token(c, t);
        stream_replace_token(s, t);
    } else if (flags != kept) {
        recorder_put(r, OP_TOKEN_FLAGS);
        column_put_number(c, flags);
        column_put_number(c, t->repeat);
    } else if (t->repeat > 1) {
        recorder_put(r, OP_TOKEN_REPEAT);
        column_put_number(c, t->repeat);
    } else {
        recorder_put(r, OP_TOKEN);
    }
}

static void recorder_token_end_block(struct recorder *r)
{
    bool full = r->column[RECORD_OPS].size >= RECORD_BLOCK_OPS;
    for (unsigned n = 0; n < RECORD_COLUMNS; n++)
        full |= r->column[n].size >= RECORD_BLOCK_BYTES;
    if (full)
        part_write(r->writer, RECORD_PART_BLOCK, r->column);
}

void recorder_on_token(void *ctx, const struct probe_token *t)
{
    struct recorder *r = ctx;
    struct stream *s = &r->stream;
    recorder_set_clock(r, t->cycle);
    stream_see(s, PROBE_MAX_BANKS);
    put_bank_events(r, t);
    put_token(r, t);
    s->now += t->repeat;
    stream_next_cycle(s);
    recorder_token_end_block(r);
}
