/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/record/stream.h"

#include <stdlib.h>
#include <string.h>

/* Maximum number of instructions in flight. The in-order core's limit is a constant of core-model/inorder/. */
static uint64_t most_in_flight(const struct core_config *config)
{
    enum { IN_ORDER = 256 };
    uint64_t n = (uint64_t)config->rob_entries + config->fetch_buffer;
    return config->core != 0 && n < IN_ORDER ? IN_ORDER : n;
}

void stream_init(struct stream *s, const struct core_config *config, bool values)
{
    static const struct rv_insn nothing;
    *s = (struct stream){.in_order = config->core != 0,
                         .in_flight = most_in_flight(config),
                         .values = values,
                         .ring_mask = 63,
                         .seq = 1,
                         .head = 1,
                         .issue = 1,
                         .mapped = 1,
                         .tail = 1};
    while (s->ring_mask < 2 * s->in_flight)
        s->ring_mask = 2 * s->ring_mask + 1;
    s->ring = xcalloc(s->ring_mask + 1, sizeof *s->ring);
    s->outcome = xcalloc(values ? s->ring_mask + 1 : 1, sizeof *s->outcome);
    (void)stream_add_code(s, 0, &nothing);
    for (uint64_t i = 0; i <= s->ring_mask; i++) {
        s->ring[i].in.insn = &stream_code(s, 0)->insn;
        s->ring[i].in.outcome = &s->outcome[values ? i : 0];
    }
    s->token.banks = 1;
    stream_next_cycle(s);
}

void stream_fini(struct stream *s)
{
    for (uint32_t i = 0; i * STREAM_CODE_CHUNK < s->codes; i++)
        free(s->code[i]);
    free(s->ring);
    free(s->outcome);
}

uint32_t stream_add_code(struct stream *s, uint64_t pc, const struct rv_insn *insn)
{
    uint32_t number = s->codes, chunk = number / STREAM_CODE_CHUNK;
    if (chunk == STREAM_CODE_CHUNKS)
        return 0;
    if (s->code[chunk] == NULL)
        s->code[chunk] = xcalloc(STREAM_CODE_CHUNK, sizeof *s->code[chunk]);
    s->codes++;
    *stream_code(s, number) = (struct stream_code){.pc = pc, .insn = *insn};
    return number;
}

/* After a squash, fetch continues on the correct path. */
void stream_begin_squash(struct stream *s)
{
    uint8_t cause = s->cause;
    s->has_given_pc = false;
    if (cause == PROBE_CAUSE_EXCEPTION || cause == PROBE_CAUSE_ORDERING) {
        s->trap = cause;
        if (s->in_order)
            stream_see(s, PROBE_MAX_BANKS);
        const struct probe_insn *in = &stream_at(s, s->head)->in;
        uint32_t events = in->events & ~(uint32_t)PROBE_PAGE_FAULT;
        s->before = (struct probe_oir){.pc = in->pc, .events = events, .exception = true};
    }
    if (cause == PROBE_CAUSE_INTERRUPT)
        stream_see(s, PROBE_MAX_BANKS);
    s->fetch_events &= ~(uint32_t)PROBE_WRONG_PATH;
}

/* ---- tokens ---- */

/* Address of the instruction at a position, which may not have been fetched yet. */
static uint64_t pc_at(const struct stream *s, uint64_t position)
{
    return position != s->tail ? stream_at(s, position)->in.pc : stream_code(s, stream_predict(s))->pc;
}

uint64_t stream_target(const struct stream *s)
{
    const struct probe_insn *in = &stream_at(s, s->head)->in;
    if (s->has_target)
        return s->target;
    if (in->insn->flags & RV_INDIRECT)
        return pc_at(s, s->head + 1);
    if ((in->insn->flags & (RV_BRANCH | RV_JUMP)) && (in->events & PROBE_TAKEN))
        return in->pc + (uint64_t)(int64_t)in->insn->imm;
    return in->pc + in->insn->length_bytes;
}

static unsigned stream_bank_of(const struct stream *s, uint64_t position)
{
    /* stream_get_token rejects tokens without banks. */
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
    return (unsigned)((position + s->bank_offset) % s->token.banks);
}

/* Number of banks that hold an instruction. */
static unsigned valid_banks(const struct stream *s)
{
    uint64_t in = s->cycle_mapped - s->cycle_head;
    return in < s->token.banks ? (unsigned)in : s->token.banks;
}

static void fill_banks(struct stream *s, unsigned wanted)
{
    struct probe_token *t = &s->token;
    unsigned valid = valid_banks(s), b = stream_bank_of(s, s->cycle_head);
    for (unsigned n = 0; n < t->banks && n < wanted; n++) {
        memset(&t->bank[b], 0, sizeof t->bank[b]);
        if (n < valid) {
            const struct probe_insn *in = &stream_at(s, s->cycle_head + n)->in;
            t->bank[b].pc = in->pc;
            t->bank[b].events = in->events;
            t->bank[b].valid = true;
        }
        b = b + 1 == t->banks ? 0 : b + 1;
    }
    s->banks_filled = wanted > 0;
}

/* In-order core: returns whether a serialising instruction has issued. */
static bool is_serial(const struct stream *s)
{
    return s->issue != s->head && (stream_at(s, s->issue - 1)->in.insn->flags & RV_SERIAL) != 0;
}

void stream_sample_banks(struct stream *s, unsigned banks)
{
    s->seen = true;
    if (s->in_order) {
        banks = PROBE_MAX_BANKS;
        s->cycle_head = s->issue;
        s->cycle_mapped = s->mapped;
        s->next_pc = is_serial(s) ? 0 : pc_at(s, s->issue);
    } else {
        s->next_pc = pc_at(s, s->head);
    }
    s->head_events = stream_at(s, s->cycle_head)->in.events;
    if (banks > 0)
        fill_banks(s, banks);
}

void stream_change_bank(struct stream *s, unsigned n, uint32_t events)
{
    stream_at(s, s->cycle_head + n)->in.events |= events;
    s->head_events |= n == 0 ? events : 0;
    if (s->banks_filled)
        s->token.bank[stream_bank_of(s, s->cycle_head + n)].events |= events;
}

/* In-order core: events that an issuing instruction will gain until retirement, which the recorded core knew. */
static uint32_t coming_events(const struct stream *s, uint64_t position, bool mispredicted)
{
    const struct probe_insn *in = &stream_at(s, position)->in;
    uint32_t events = in->insn->flags & (RV_FLUSH | RV_ECALL) ? PROBE_FLUSHES : 0;
    bool ahead = pc_at(s, position + 1) != in->pc + in->insn->length_bytes;
    if (mispredicted)
        events |= PROBE_MISPREDICTED;
    if ((in->insn->flags & RV_JUMP) || ((in->insn->flags & RV_BRANCH) && ahead != mispredicted))
        events |= PROBE_TAKEN;
    return events;
}

/* Marks the banks that commit, with mispredictions and flushes. */
static void mark_commits(struct stream *s, uint32_t flags)
{
    struct probe_token *t = &s->token;
    for (unsigned n = 0, valid = valid_banks(s); n < valid; n++) {
        unsigned b = stream_bank_of(s, s->cycle_head + n);
        uint16_t kind = stream_at(s, s->cycle_head + n)->in.insn->flags;
        bool flipped = (flags & (uint32_t)FLAG_MISPREDICTED << b) != 0;
        t->bank[b].commits = n < s->commits;
        if (s->in_order) {
            t->bank[b].mispredicted = flipped;
            t->bank[b].flushes = n < s->commits && (kind & (RV_FLUSH | RV_ECALL)) != 0;
            if (n < s->commits)
                t->bank[b].events |= coming_events(s, s->cycle_head + n, flipped);
        } else {
            t->bank[b].mispredicted = ((t->bank[b].events & PROBE_MISPREDICTED) != 0) != flipped;
            t->bank[b].flushes = (t->bank[b].events & PROBE_FLUSHES) != 0;
        }
    }
}

/* Updates OIR and last commit at the end of the cycle. */
static void stream_note_commit(struct stream *s, uint32_t flags)
{
    struct probe_token *t = &s->token;
    if (s->commits == 0) {
        probe_note_no_commit(t, s->in_order && t->rob_empty ? 0 : s->head_events);
        return;
    }
    uint64_t position = s->cycle_head + s->commits - 1;
    const struct probe_insn *in = &stream_at(s, position)->in;
    unsigned b = stream_bank_of(s, position);
    bool flipped = (flags & (uint32_t)FLAG_MISPREDICTED << b) != 0;
    if (s->in_order)
        probe_note_commit(t, in->pc, t->bank[b].events, flipped, (in->insn->flags & (RV_FLUSH | RV_ECALL)) != 0);
    else
        probe_note_commit(t, in->pc, in->events, ((in->events & PROBE_MISPREDICTED) != 0) != flipped,
                          (in->events & PROBE_FLUSHES) != 0);
}

uint64_t stream_interrupt_pc(const struct stream *s, bool none)
{
    return s->has_given_pc ? s->given_pc : none ? 0 : s->next_pc;
}

void stream_end_token(struct stream *s, uint32_t flags, uint64_t repeat, unsigned banks)
{
    struct probe_token *t = &s->token;
    stream_see(s, banks);
    if (banks > 0 && !s->banks_filled)
        fill_banks(s, banks);
    s->flags = flags & FLAGS_KEPT;
    t->cycle = s->now;
    t->repeat = repeat;
    t->committing = (uint8_t)s->commits;
    t->head = (uint8_t)stream_bank_of(s, s->cycle_head);
    t->rob_empty = s->cycle_mapped == s->cycle_head;
    t->exception = s->trap != PROBE_CAUSE_NONE;
    t->ordering = s->trap == PROBE_CAUSE_ORDERING;
    t->exception_pc = t->exception ? stream_at(s, s->cycle_head)->in.pc : 0;
    t->handler = (flags & FLAG_HANDLER) != 0;
    t->dispatching = t->rob_empty && s->dispatched;
    t->blocked = t->rob_empty && !s->dispatched && (flags & FLAG_BLOCKED) != 0;
    t->dispatch_pc = t->dispatching ? s->dispatch_pc : t->blocked ? stream_at(s, s->mapped)->in.pc : 0;
    t->interrupt_pc = stream_interrupt_pc(s, t->handler || t->exception);
    if (banks > 0 || s->in_order)
        mark_commits(s, flags);
    stream_note_commit(s, flags);
    if (t->handler) {
        s->before = (struct probe_oir){.flush = true};
        s->retired_before = s->now + repeat - 1;
    }
}

void stream_replace_token(struct stream *s, const struct probe_token *t)
{
    s->token = *t;
    s->bank_offset = (t->head + t->banks - s->cycle_head % t->banks) % t->banks;
    s->flags = (t->handler ? FLAG_HANDLER : 0) | (t->blocked ? FLAG_BLOCKED : 0);
}

void stream_next_cycle(struct stream *s)
{
    s->cycle_head = s->head;
    s->cycle_mapped = s->mapped;
    s->commits = 0;
    s->trap = PROBE_CAUSE_NONE;
    s->dispatched = s->seen = s->banks_filled = false;
}

/* ---- tokens and outcomes stored in full ---- */

enum { VALUES_TAKEN = 1, VALUES_WROTE = 2, VALUES_TRAP_SHIFT = 2 };

void stream_put_values(struct stream *s, struct column *c, uint64_t position, const struct rv_outcome *o)
{
    const struct stream_entry *e = stream_at(s, position);
    struct stream_values *last = &stream_code(s, e->code)->last;
    column_put(c, (uint8_t)(o->taken * VALUES_TAKEN | (o->wrote_mem != RV_WRITE_NONE) * VALUES_WROTE |
                            o->trap << VALUES_TRAP_SHIFT));
    column_put(c, o->mem_bytes);
    column_put_difference(c, o->next_pc - e->in.pc - e->in.insn->length_bytes);
    column_put_difference(c, o->value - last->value);
    column_put_difference(c, o->ea - last->ea);
    column_put_difference(c, o->operand[0] - last->operand[0]);
    column_put_difference(c, o->operand[1] - last->operand[1]);
    *last = (struct stream_values){o->value, o->ea, {o->operand[0], o->operand[1]}};
    *stream_outcome(s, position) = *o;
}

void stream_get_values(struct stream *s, struct column_cursor *c, uint64_t position)
{
    const struct stream_entry *e = stream_at(s, position);
    struct stream_values *last = &stream_code(s, e->code)->last;
    struct rv_outcome *o = stream_outcome(s, position);
    uint8_t bits = cursor_get(c);
    o->taken = (bits & VALUES_TAKEN) != 0;
    o->wrote_mem = (bits & VALUES_WROTE) != 0;
    o->trap = bits >> VALUES_TRAP_SHIFT;
    o->mem_bytes = cursor_get(c);
    o->next_pc = e->in.pc + e->in.insn->length_bytes + cursor_difference(c);
    o->value = last->value += cursor_difference(c);
    o->ea = last->ea += cursor_difference(c);
    o->operand[0] = last->operand[0] += cursor_difference(c);
    o->operand[1] = last->operand[1] += cursor_difference(c);
}

void stream_put_before(struct column *c, const struct probe_oir *before, uint64_t retired_before)
{
    column_put_number(c, before->pc);
    column_put_number(c, before->events);
    column_put(c, (uint8_t)(before->mispredicted | before->flush << 1 | before->exception << 2));
    column_put_number(c, retired_before);
}

void stream_get_before(struct column_cursor *c, struct stream *s)
{
    s->before.pc = cursor_number(c);
    s->before.events = (uint32_t)cursor_number(c);
    uint8_t bits = cursor_get(c);
    s->before.mispredicted = bits & 1;
    s->before.flush = bits >> 1 & 1;
    s->before.exception = bits >> 2 & 1;
    s->retired_before = cursor_number(c);
}

/* Members of a token except cycle and banks: TOKEN_BITS lists the flags, TOKEN_NUMBERS the numbers. */
/* clang-format off */
#define TOKEN_BITS(BIT) \
    BIT(rob_empty) BIT(exception) BIT(ordering) BIT(handler) BIT(dispatching) BIT(blocked) BIT(last_handler) \
    BIT(oir.mispredicted) BIT(oir.flush) BIT(oir.exception)
#define TOKEN_NUMBERS(NUMBER) \
    NUMBER(repeat) NUMBER(exception_pc) NUMBER(dispatch_pc) NUMBER(interrupt_pc) NUMBER(oir.pc) NUMBER(last_commit)
#define BANK_BITS(BIT) BIT(valid) BIT(commits) BIT(mispredicted) BIT(flushes)
/* clang-format on */

void stream_put_token(struct column *c, const struct probe_token *t)
{
    column_put(c, t->committing);
    column_put(c, t->banks);
    column_put(c, t->head);
#define BIT(member) column_put(c, t->member);
#define NUMBER(member) column_put_number(c, t->member);
    TOKEN_BITS(BIT)
    TOKEN_NUMBERS(NUMBER)
#undef BIT
#undef NUMBER
    column_put_number(c, t->oir.events);
    for (unsigned b = 0; b < t->banks; b++) {
#define BIT(member) column_put(c, t->bank[b].member);
        BANK_BITS(BIT)
#undef BIT
        column_put_number(c, t->bank[b].pc);
        column_put_number(c, t->bank[b].events);
    }
}

void stream_get_token(struct column_cursor *c, struct probe_token *t)
{
    memset(t, 0, sizeof *t);
    t->committing = cursor_get(c);
    t->banks = cursor_get(c);
    t->head = cursor_get(c);
    if (t->banks < 1 || t->banks > PROBE_MAX_BANKS || t->head >= t->banks || t->committing > t->banks) {
        *c->failed = true;
        *t = (struct probe_token){.banks = 1};
    }
#define BIT(member) t->member = cursor_get(c) != 0;
#define NUMBER(member) t->member = cursor_number(c);
    TOKEN_BITS(BIT)
    TOKEN_NUMBERS(NUMBER)
#undef BIT
#undef NUMBER
    t->oir.events = (uint32_t)cursor_number(c);
    for (unsigned b = 0; b < t->banks; b++) {
#define BIT(member) t->bank[b].member = cursor_get(c) != 0;
        BANK_BITS(BIT)
#undef BIT
        t->bank[b].pc = cursor_number(c);
        t->bank[b].events = (uint32_t)cursor_number(c);
    }
}
