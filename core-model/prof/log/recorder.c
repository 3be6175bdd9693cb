/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each callback becomes an operation, in the order of the calls. What the state of the stream (stream.h of
 * core-model/record/) does not predict is written before it. */
#include "core-model/prof/log/recorder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core-model/front/front.h"
#include "core-model/record/part.h"
#include "core-model/record/stream.h"

enum { CODE_HASH_LEAST = 1 << 12, WAITING_LEAST = 1 << 8 };

/* A store that has retired and waits for its access. */
struct waiting_store {
    uint64_t seq, number; /* by fetch; of the store */
    uint32_t events;      /* as it retired */
};

struct recorder {
    struct observer base;
    struct stream stream;
    bool values;
    struct event_filter stores; /* passes them alone */
    struct column column[RECORD_COLUMNS];
    struct column tail; /* facts */
    struct part_writer *writer;
    /* Numbers of instructions by address and word, open-addressed; 0: a free place. A power of two. */
    uint32_t *number;
    size_t numbers;
    uint64_t last_position; /* of an instruction of the column exec */
    bool wrong_path;   /* PROBE_WRONG_PATH has happened, of the instruction that is fetched next */
    struct waiting_store *waiting; /* owned; in the order in which they retired */
    size_t waiting_count, waiting_space;
};

/* ---- operations ---- */

static void put_op(struct recorder *r, enum record_op op) { column_put(&r->column[RECORD_OPS], (uint8_t)op); }

/* One more of an operation that has a number of repetitions. */
static void put_run(struct recorder *r, enum record_op op, unsigned most)
{
    struct column *c = &r->column[RECORD_OPS];
    uint8_t *last = c->size > 0 ? &c->byte[c->size - 1] : NULL;
    if (last != NULL && *last >= op && *last < op + most - 1)
        (*last)++;
    else
        column_put(c, (uint8_t)op);
}

/* Takes one repetition of the operation back, if it is the last one. */
static bool take_back(struct recorder *r, enum record_op op)
{
    struct column *c = &r->column[RECORD_OPS];
    if (c->size == 0 || c->byte[c->size - 1] < op || c->byte[c->size - 1] >= op + RECORD_RUN)
        return false;
    if (c->byte[c->size - 1] == op)
        c->size--;
    else
        c->byte[c->size - 1]--;
    return true;
}

/* What must be noted before an operation of this cycle. */
static void set_clock(struct recorder *r, uint64_t cycle)
{
    if (cycle == r->stream.now)
        return;
    put_op(r, OP_CLOCK);
    column_put_number(&r->column[RECORD_REST], cycle);
    r->stream.now = cycle;
}

static bool same_oir(const struct probe_oir *a, const struct probe_oir *b)
{
    return a->pc == b->pc && a->events == b->events && a->mispredicted == b->mispredicted && a->flush == b->flush &&
           a->exception == b->exception;
}

/* The position of an instruction in flight, by its fetch number: these rise with the positions, mostly by 1. */
static uint64_t position_of(const struct recorder *r, const struct probe_insn *in)
{
    const struct stream *s = &r->stream;
    uint64_t low = s->head, high = s->tail, guess = low + (in->seq - stream_at(s, low)->in.seq);
    if (guess - low < high - low && stream_at(s, guess)->in.seq == in->seq)
        return guess;
    guess = r->last_position + (in->seq - stream_at(s, r->last_position)->in.seq);
    if (guess - low < high - low && stream_at(s, guess)->in.seq == in->seq)
        return guess;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (stream_at(s, middle)->in.seq < in->seq)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == s->tail || stream_at(s, low)->in.seq != in->seq)
        BUG("instruction %" PRIu64 " is not in flight", in->seq);
    return low;
}

static struct stream_entry *entry_of(struct recorder *r, const struct probe_insn *in, uint64_t position)
{
    struct stream_entry *e = stream_at(&r->stream, position);
    if (e->in.seq != in->seq)
        BUG("expected instruction %" PRIu64 ", found %" PRIu64, e->in.seq, in->seq);
    return e;
}

static bool same_values(const struct rv_outcome *a, const struct rv_outcome *b)
{
    return a->next_pc == b->next_pc && a->value == b->value && a->ea == b->ea && a->operand[0] == b->operand[0] &&
           a->operand[1] == b->operand[1] && a->mem_bytes == b->mem_bytes && a->wrote_mem == b->wrote_mem &&
           a->taken == b->taken && a->trap == b->trap;
}

/* Notes what has changed of an instruction since its last callback. `before_look`: the core has not looked at the banks
 * in this cycle. */
static void note_changes(struct recorder *r, const struct probe_insn *in, uint64_t position, bool before_look)
{
    struct stream *s = &r->stream;
    struct stream_entry *e = entry_of(r, in, position);
    if (in->events != e->in.events) {
        if (before_look) {
            put_op(r, OP_EVENTS_HEAD);
        } else {
            stream_see(s, PROBE_MAX_BANKS);
            put_op(r, OP_EVENTS);
            column_put_number(&r->column[RECORD_EVENTS], position - s->head);
        }
        column_put_number(&r->column[RECORD_EVENTS], in->events ^ e->in.events);
        e->in.events = in->events;
    }
    if (r->values && !same_values(in->outcome, stream_outcome(s, position))) {
        put_op(r, OP_OUTCOME);
        column_put_number(&r->column[RECORD_REST], position - s->head);
        stream_put_values(s, &r->column[RECORD_VALUES], position, in->outcome);
    }
}

/* ---- fetch ---- */

static size_t place_of(const struct recorder *r, uint64_t pc, const struct rv_insn *insn)
{
    size_t at = (pc ^ (uint64_t)insn->word << 20) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    for (;; at++) {
        uint32_t number = r->number[at &= r->numbers - 1];
        const struct stream_code *c = stream_code(&r->stream, number);
        if (number == 0 || (c->pc == pc && memcmp(&c->insn, insn, sizeof *insn) == 0))
            return at;
    }
}

static void grow_numbers(struct recorder *r)
{
    free(r->number);
    r->numbers *= 2;
    r->number = xcalloc(r->numbers, sizeof *r->number);
    for (uint32_t n = 1; n < r->stream.codes; n++) {
        const struct stream_code *c = stream_code(&r->stream, n);
        r->number[place_of(r, c->pc, &c->insn)] = n;
    }
}

/* An instruction that is not known. Its word is 0 if it could not be fetched. */
static uint32_t put_code(struct recorder *r, const struct probe_insn *in, size_t place)
{
    struct stream *s = &r->stream;
    struct column *c = &r->column[RECORD_CODE];
    struct rv_insn decoded;
    if (memcmp(in->insn, &front_fault, sizeof front_fault) != 0 &&
        (!rv_decode(in->insn->word, &decoded) || memcmp(&decoded, in->insn, sizeof decoded) != 0))
        BUG("pc 0x%" PRIx64 ": the word 0x%x is decoded otherwise", in->pc, in->insn->word);
    uint32_t number = stream_add_code(s, in->pc, in->insn);
    if (number == 0)
        BUG("more than %d different instructions", STREAM_CODE_CHUNK * STREAM_CODE_CHUNKS);
    column_put_difference(c, in->pc - stream_at(s, s->tail - 1)->in.pc);
    column_put_number(c, in->insn->word);
    r->number[place] = number;
    if (2 * (size_t)s->codes > r->numbers)
        grow_numbers(r);
    return number;
}

static uint32_t put_fetch(struct recorder *r, const struct probe_insn *in)
{
    struct stream *s = &r->stream;
    const struct stream_code *before = stream_code(s, stream_at(s, s->tail - 1)->code);
    const struct stream_code *next = stream_code(s, before->next);
    if (before->next != 0 && next->pc == in->pc && memcmp(&next->insn, in->insn, sizeof next->insn) == 0) {
        put_run(r, OP_FETCH, RECORD_RUN);
        return before->next;
    }
    size_t place = place_of(r, in->pc, in->insn);
    uint32_t number = r->number[place];
    if (number == 0) {
        put_op(r, OP_FETCH_NEW);
        return put_code(r, in, place);
    }
    if (number == before->other) {
        put_op(r, OP_FETCH_OTHER);
        return number;
    }
    put_op(r, OP_FETCH_KNOWN);
    column_put_difference(&r->column[RECORD_PATH], (uint64_t)number - stream_at(s, s->tail - 1)->code);
    return number;
}

static void put_fetch_changes(struct recorder *r, const struct probe_insn *in)
{
    struct stream *s = &r->stream;
    if (in->events != s->fetch_events) {
        put_op(r, OP_EVENTS_FETCH);
        column_put_number(&r->column[RECORD_EVENTS], in->events ^ s->fetch_events);
        s->fetch_events = in->events;
    }
    if (in->seq != s->seq) {
        put_op(r, OP_SEQ);
        column_put_number(&r->column[RECORD_REST], in->seq);
        s->seq = in->seq;
    }
    if (in->history != stream_history(s, in->pc)) {
        put_op(r, OP_HISTORY);
        column_put_number(&r->column[RECORD_REST], in->history);
    }
}

static void on_fetched(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct recorder *r = ctx;
    struct stream *s = &r->stream;
    if (s->tail - s->head == s->in_flight)
        BUG("more than %" PRIu64 " instructions in flight", s->in_flight);
    set_clock(r, cycle);
    stream_see(s, PROBE_MAX_BANKS);
    if (r->wrong_path != ((in->events & PROBE_WRONG_PATH) != 0))
        BUG("instruction %" PRIu64 ": its event %s happened otherwise", in->seq,
            probe_event_names[PROBE_BIT_WRONG_PATH]);
    r->wrong_path = false;
    put_fetch_changes(r, in);
    struct stream_entry *e = stream_fetch(s, put_fetch(r, in));
    e->in.history = in->history;
    if (r->values)
        stream_put_values(s, &r->column[RECORD_VALUES], s->tail - 1, in->outcome);
}

/* ---- from rename to retirement ---- */

static void on_mapped(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct recorder *r = ctx;
    set_clock(r, cycle);
    stream_see(&r->stream, PROBE_MAX_BANKS);
    note_changes(r, in, r->stream.mapped, false);
    (void)stream_map(&r->stream);
    put_run(r, OP_MAP, RECORD_RUN);
}

static void put_exec(struct recorder *r, unsigned callback)
{
    put_run(r, OP_EXEC, RECORD_EXEC_RUN);
    column_put(&r->column[RECORD_EXEC], (uint8_t)callback);
}

static void put_position(struct recorder *r, const struct probe_insn *in, uint64_t cycle, enum record_exec callback)
{
    static const enum record_column column[EXEC_EVENT] = {RECORD_READY, RECORD_ISSUED, RECORD_LOADED, RECORD_DONE};
    uint64_t position = position_of(r, in), *last = &r->stream.last[callback];
    set_clock(r, cycle);
    stream_see(&r->stream, PROBE_MAX_BANKS);
    r->last_position = position;
    note_changes(r, in, position, false);
    put_exec(r, callback);
    column_put_difference(&r->column[column[callback]], position - *last);
    *last = position;
}

static void on_ready(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct recorder *r = ctx;
    const struct stream *s = &r->stream;
    if (s->mapped != s->head && stream_at(s, s->mapped - 1)->in.seq == in->seq && take_back(r, OP_MAP))
        put_run(r, OP_MAP_READY, RECORD_RUN);
    else
        put_position(r, in, cycle, EXEC_READY);
}

static void on_issued(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct recorder *r = ctx;
    struct stream *s = &r->stream;
    if (!s->in_order) {
        put_position(r, in, cycle, EXEC_ISSUED);
        return;
    }
    set_clock(r, cycle);
    stream_see(s, PROBE_MAX_BANKS);
    note_changes(r, in, s->issue, false);
    (void)stream_issue(s);
    put_run(r, OP_ISSUE, RECORD_RUN);
}

static void on_loaded(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    put_position(ctx, in, cycle, EXEC_LOADED);
}

static void on_done(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    put_position(ctx, in, cycle, EXEC_DONE);
}

static void add_waiting(struct recorder *r, const struct probe_insn *in)
{
    if (r->waiting_count == r->waiting_space) {
        r->waiting_space = r->waiting_space != 0 ? 2 * r->waiting_space : WAITING_LEAST;
        r->waiting = xrealloc(r->waiting, r->waiting_space * sizeof *r->waiting);
    }
    r->waiting[r->waiting_count++] = (struct waiting_store){in->seq, r->stream.stores, in->events};
}

static void on_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct recorder *r = ctx;
    struct stream *s = &r->stream;
    set_clock(r, cycle);
    note_changes(r, in, s->head, true);
    if (!same_oir(&in->before, &s->before) || in->retired_before != s->retired_before) {
        put_op(r, OP_BEFORE);
        stream_put_before(&r->column[RECORD_REST], &in->before, in->retired_before);
        s->before = in->before;
        s->retired_before = in->retired_before;
    }
    if (!r->values && in->outcome->next_pc != stream_target(s)) {
        put_op(r, OP_TARGET);
        column_put_difference(&r->column[RECORD_REST], in->outcome->next_pc - in->pc);
        stream_give_target(s, in->outcome->next_pc);
    }
    if (stream_is_store(in->insn))
        add_waiting(r, in);
    (void)stream_retire(s);
    put_run(r, OP_RETIRE, RECORD_RUN);
}

/* The recorder tags stores alone. */
static unsigned tag_store(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    (void)ctx, (void)seq, (void)pc, (void)opclass, (void)cycle;
    return 1;
}

/* A store's access is made, or it has none. */
static void on_store(void *ctx, const struct probe_insn *in, unsigned number, uint64_t cycle)
{
    struct recorder *r = ctx;
    size_t n = 0;
    (void)number;
    while (n < r->waiting_count && r->waiting[n].seq != in->seq)
        n++;
    if (n == r->waiting_count)
        BUG("store %" PRIu64 " has not retired", in->seq);
    set_clock(r, cycle);
    stream_see(&r->stream, PROBE_MAX_BANKS);
    put_op(r, OP_STORE);
    column_put_number(&r->column[RECORD_REST], r->waiting[n].number - r->waiting[0].number);
    column_put_number(&r->column[RECORD_REST], in->events ^ r->waiting[n].events);
    memmove(&r->waiting[n], &r->waiting[n + 1], (--r->waiting_count - n) * sizeof *r->waiting);
}

static void on_squashed(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct recorder *r = ctx;
    struct stream *s = &r->stream;
    set_clock(r, cycle);
    note_changes(r, in, s->tail - 1, s->tail - 1 == s->head && !s->seen);
    if (in->cause != s->cause) {
        put_op(r, OP_CAUSE);
        column_put(&r->column[RECORD_REST], in->cause);
        s->cause = in->cause;
    }
    stream_begin_squash(s);
    (void)stream_squash(s);
    put_run(r, OP_SQUASH, RECORD_SQUASH_RUN);
}

/* ---- events that happen ---- */

static void put_event(struct recorder *r, enum probe_event_bit event, uint64_t cycle)
{
    if (event == PROBE_BIT_WRONG_PATH) {
        r->wrong_path = true;
        return;
    }
    set_clock(r, cycle);
    put_exec(r, EXEC_EVENT + event);
}

#define EVENT(sym, name, meaning) \
    static void on_##sym(void *ctx, uint64_t cycle) { put_event(ctx, PROBE_BIT_##sym, cycle); }
#include "core-model/probe.def"

/* ---- tokens ---- */

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
           a->interrupt_pc == b->interrupt_pc &&
           a->last_commit == b->last_commit && a->last_handler == b->last_handler && same_oir(&a->oir, &b->oir) &&
           same_banks(a, b);
}

/* Events that the core has noted of instructions in the banks, of which no callback has come yet. */
static void put_bank_events(struct recorder *r, const struct probe_token *t)
{
    struct stream *s = &r->stream;
    if (t->banks != s->token.banks)
        return;
    for (unsigned n = 0; n < t->banks && n < s->cycle_mapped - s->cycle_head; n++) {
        unsigned b = (unsigned)((s->cycle_head + n + s->bank_offset) % t->banks);
        uint32_t more = t->bank[b].events & ~s->token.bank[b].events;
        if (s->in_order && n < s->commits) /* those are derived, and the instruction does not have them yet */
            more &= ~(uint32_t)(PROBE_TAKEN | PROBE_MISPREDICTED | PROBE_FLUSHES);
        if (more == 0 || t->bank[b].pc != s->token.bank[b].pc)
            continue;
        put_op(r, OP_EVENTS_BANK);
        column_put_number(&r->column[RECORD_EVENTS], n);
        column_put_number(&r->column[RECORD_EVENTS], more);
        stream_change_bank(s, n, more);
    }
}

/* The flags with which the derived token may be this one. */
static uint32_t flags_of(const struct stream *s, const struct probe_token *t)
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
    uint32_t flags = flags_of(s, t), kept = s->flags;
    if (t->interrupt_pc != stream_interrupt_pc(s, t->handler || t->exception)) {
        put_op(r, OP_NEXT_PC);
        column_put_difference(&r->column[RECORD_REST], t->interrupt_pc - s->next_pc);
        stream_give_pc(s, t->interrupt_pc);
    }
    stream_end_token(s, flags, t->repeat, PROBE_MAX_BANKS);
    if (!same_token(&s->token, t)) {
        put_op(r, OP_TOKEN_WHOLE);
        stream_put_token(c, t);
        stream_replace_token(s, t);
    } else if (flags != kept) {
        put_op(r, OP_TOKEN_FLAGS);
        column_put_number(c, flags);
        column_put_number(c, t->repeat);
    } else if (t->repeat > 1) {
        put_op(r, OP_TOKEN_REPEAT);
        column_put_number(c, t->repeat);
    } else {
        put_op(r, OP_TOKEN);
    }
}

static void end_block(struct recorder *r)
{
    bool full = r->column[RECORD_OPS].size >= RECORD_BLOCK_OPS;
    for (unsigned n = 0; n < RECORD_COLUMNS; n++)
        full |= r->column[n].size >= RECORD_BLOCK_BYTES;
    if (full)
        part_write(r->writer, RECORD_PART_BLOCK, r->column);
}

static void on_token(void *ctx, const struct probe_token *t)
{
    struct recorder *r = ctx;
    struct stream *s = &r->stream;
    set_clock(r, t->cycle);
    stream_see(s, PROBE_MAX_BANKS);
    put_bank_events(r, t);
    put_token(r, t);
    s->now += t->repeat;
    stream_next_cycle(s);
    end_block(r);
}

/* ---- the observer ---- */

/* The executable pages as they stand at the end. */
static void put_code_pages(struct recorder *r, const struct memory *m)
{
    struct column c = {0};
    unsigned pages = 0;
    for (uint64_t page = 0, last = 0; page >> (MEM_ADDRESS_BITS - MEM_PAGE_BITS) == 0; page++) {
        if ((m->perm[page] & MEM_X) == 0)
            continue;
        column_put_number(&c, page - last);
        column_grow(&c, MEM_PAGE_BYTES);
        memcpy(c.byte + c.size, memory_at(m, page << MEM_PAGE_BITS), MEM_PAGE_BYTES);
        c.size += MEM_PAGE_BYTES;
        last = page;
        if (++pages < RECORD_CODE_PAGES)
            continue;
        part_write(r->writer, RECORD_PART_CODE, &c);
        pages = 0;
        last = 0;
    }
    part_write(r->writer, RECORD_PART_CODE, &c);
    free(c.byte);
}

static void finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    struct recorder *r = (struct recorder *)o;
    (void)cycles;
    part_write(r->writer, RECORD_PART_BLOCK, r->column);
    if (hart != NULL)
        put_code_pages(r, &hart->mem);
}

void recorder_conclude(struct recorder *r, const struct record_tail *tail)
{
    facts_put_tail(&r->tail, tail);
    part_write(r->writer, RECORD_PART_TAIL, &r->tail);
}

static void release(struct observer *o)
{
    struct recorder *r = (struct recorder *)o;
    for (unsigned n = 0; n < RECORD_COLUMNS; n++)
        free(r->column[n].byte);
    free(r->tail.byte);
    free(r->number);
    free(r->waiting);
    part_writer_free(r->writer);
    stream_fini(&r->stream);
    free(r);
}

const struct observer_kind observer_recorder = {
    .name = "recorder",
    .help = "the whole stream, in a file from which it is replayed",
    .finish = finish,
    .release = release,
};

static void subscribe(struct recorder *r)
{
    struct probe_observer *o = &r->base.probe;
    *o = (struct probe_observer){.ctx = r, .values = r->values, .cycles = 1u << PROBE_RETIRED, .token = on_token};
    r->stores = (struct event_filter){.classes = 1u << OPCLASS_STORE | 1u << OPCLASS_FSTORE, .from = UINT64_MAX};
    o->tagger = (struct probe_tagger){
        .at = PROBE_MAPPED, .bits = 1, .filter = &r->stores, .tag = tag_store, .tagged = on_store, .complete = true};
#define EVENT(sym, name, meaning) o->event[PROBE_BIT_##sym] = on_##sym;
#include "core-model/probe.def"
    o->stage[PROBE_FETCHED] = on_fetched;
    o->stage[PROBE_MAPPED] = on_mapped;
    o->stage[PROBE_DATA_READY] = on_ready;
    o->stage[PROBE_ISSUED] = on_issued;
    o->stage[PROBE_LOAD_COMPLETED] = on_loaded;
    o->stage[PROBE_READY_TO_RETIRE] = on_done;
    o->stage[PROBE_RETIRED] = on_retired;
    o->stage[PROBE_SQUASHED] = on_squashed;
}

struct recorder *recorder_new(FILE *out, const struct core *core, const struct record_head *head)
{
    struct recorder *r = xcalloc(1, sizeof *r);
    struct column facts = {0};
    r->base.kind = &observer_recorder;
    r->values = head->values;
    stream_init(&r->stream, &head->config, head->values);
    r->stream.now = core_clock(core);
    r->numbers = CODE_HASH_LEAST;
    r->number = xcalloc(r->numbers, sizeof *r->number);
    r->writer = part_writer_new(out);
    subscribe(r);
    record_begin_file(out);
    facts_put_head(&facts, head);
    facts_put_number(&facts, "clock", r->stream.now);
    part_write(r->writer, RECORD_PART_HEAD, &facts);
    free(facts.byte);
    return r;
}

struct observer *recorder_observer(struct recorder *r) { return &r->base; }
