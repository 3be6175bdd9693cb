/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encodes each callback as an operation, in call order, preceded by whatever the state of the stream
 * (core-model/record/stream.h) does not predict. recorder_token.c encodes tokens. */
#include "core-model/prof/log/recorder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "core-model/front/front.h"
#include "core-model/prof/log/recorder_parts.h"

enum { CODE_HASH_LEAST = 1 << 12, WAITING_LEAST = 1 << 8 };

/* ---- operations ---- */

/* Appends an operation with a repeat count, or increments the count of the last one. */
static void put_run(struct recorder *r, enum record_op op, unsigned most)
{
    struct column *c = &r->column[RECORD_OPS];
    uint8_t *last = c->size > 0 ? &c->byte[c->size - 1] : NULL;
    if (last != NULL && *last >= op && *last < op + most - 1)
        (*last)++;
    else
        column_put(c, (uint8_t)op);
}

/* Removes one repetition of the operation if it is the last operation. */
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

/* Position of an instruction in flight from its sequence number; sequence numbers increase with positions, usually by
 * 1. */
static uint64_t position_of(const struct recorder *r, const struct probe_insn *in)
{
    const struct stream *s = &r->stream;
    uint64_t low = s->head, high = s->tail, guess = low + (in->seq - stream_at(s, low)->in.seq);
    if (guess - low < high - low && stream_at(s, guess)->in.seq == in->seq)
        return guess;
    guess = r->last_position + (in->seq - stream_at(s, r->last_position)->in.seq);
    if (guess - low < high - low && stream_at(s, guess)->in.seq == in->seq)
        return guess;
    SEARCH(low, high, middle, stream_at(s, middle)->in.seq < in->seq);
    if (low == s->tail || stream_at(s, low)->in.seq != in->seq)
        BUG("instruction %" PRIu64 " is not in flight", in->seq);
    return low;
}

static struct stream_entry *recorder_entry_of(struct recorder *r, const struct probe_insn *in, uint64_t position)
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

/* Writes changes of an instruction since its last callback. `before_look`: the core has not sampled the commit banks in
 * this cycle. */
static void note_changes(struct recorder *r, const struct probe_insn *in, uint64_t position, bool before_look)
{
    struct stream *s = &r->stream;
    struct stream_entry *e = recorder_entry_of(r, in, position);
    if (in->events != e->in.events) {
        if (before_look) {
            recorder_put(r, OP_EVENTS_HEAD);
        } else {
            stream_see(s, PROBE_MAX_BANKS);
            recorder_put(r, OP_EVENTS);
            column_put_number(&r->column[RECORD_EVENTS], position - s->head);
        }
        column_put_number(&r->column[RECORD_EVENTS], in->events ^ e->in.events);
        e->in.events = in->events;
    }
    if (r->values && !same_values(in->outcome, stream_outcome(s, position))) {
        recorder_put(r, OP_OUTCOME);
        column_put_number(&r->column[RECORD_REST], position - s->head);
        stream_put_values(s, &r->column[RECORD_VALUES], position, in->outcome);
    }
}

/* ---- fetch ---- */

static size_t recorder_place_of(const struct recorder *r, uint64_t pc, const struct rv_insn *insn)
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
        r->number[recorder_place_of(r, c->pc, &c->insn)] = n;
    }
}

/* Writes a new static instruction. Its word is 0 if it could not be fetched. */
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
    size_t place = recorder_place_of(r, in->pc, in->insn);
    uint32_t number = r->number[place];
    if (number == 0) {
        recorder_put(r, OP_FETCH_NEW);
        return put_code(r, in, place);
    }
    if (number == before->other) {
        recorder_put(r, OP_FETCH_OTHER);
        return number;
    }
    recorder_put(r, OP_FETCH_KNOWN);
    column_put_difference(&r->column[RECORD_PATH], (uint64_t)number - stream_at(s, s->tail - 1)->code);
    return number;
}

static void put_fetch_changes(struct recorder *r, const struct probe_insn *in)
{
    struct stream *s = &r->stream;
    if (in->events != s->fetch_events) {
        recorder_put(r, OP_EVENTS_FETCH);
        column_put_number(&r->column[RECORD_EVENTS], in->events ^ s->fetch_events);
        s->fetch_events = in->events;
    }
    if (in->seq != s->seq) {
        recorder_put(r, OP_SEQ);
        column_put_number(&r->column[RECORD_REST], in->seq);
        s->seq = in->seq;
    }
    if (in->history != stream_history(s, in->pc)) {
        recorder_put(r, OP_HISTORY);
        column_put_number(&r->column[RECORD_REST], in->history);
    }
}

static void on_fetched(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct recorder *r = ctx;
    struct stream *s = &r->stream;
    if (s->tail - s->head == s->in_flight)
        BUG("more than %" PRIu64 " instructions in flight", s->in_flight);
    recorder_set_clock(r, cycle);
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
    recorder_set_clock(r, cycle);
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
    recorder_set_clock(r, cycle);
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
    recorder_set_clock(r, cycle);
    stream_see(s, PROBE_MAX_BANKS);
    note_changes(r, in, s->issue, false);
    (void)stream_issue(s);
    put_run(r, OP_ISSUE, RECORD_RUN);
}

static void on_loaded(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    put_position(ctx, in, cycle, EXEC_LOADED);
}

static void recorder_on_done(void *ctx, const struct probe_insn *in, uint64_t cycle)
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
    recorder_set_clock(r, cycle);
    note_changes(r, in, s->head, true);
    if (!recorder_same_oir(&in->before, &s->before) || in->retired_before != s->retired_before) {
        recorder_put(r, OP_BEFORE);
        stream_put_before(&r->column[RECORD_REST], &in->before, in->retired_before);
        s->before = in->before;
        s->retired_before = in->retired_before;
    }
    if (!r->values && in->outcome->next_pc != stream_target(s)) {
        recorder_put(r, OP_TARGET);
        column_put_difference(&r->column[RECORD_REST], in->outcome->next_pc - in->pc);
        stream_give_target(s, in->outcome->next_pc);
    }
    if (stream_is_store(in->insn))
        add_waiting(r, in);
    (void)stream_retire(s);
    put_run(r, OP_RETIRE, RECORD_RUN);
}

/* The recorder tags only stores. */
static unsigned recorder_tag_store(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    (void)ctx, (void)seq, (void)pc, (void)opclass, (void)cycle;
    return 1;
}

/* The access of a retired store is complete, or the store has none. */
static void on_store(void *ctx, const struct probe_insn *in, unsigned number, uint64_t cycle)
{
    struct recorder *r = ctx;
    size_t n = 0;
    (void)number;
    while (n < r->waiting_count && r->waiting[n].seq != in->seq)
        n++;
    if (n == r->waiting_count)
        BUG("store %" PRIu64 " has not retired", in->seq);
    recorder_set_clock(r, cycle);
    stream_see(&r->stream, PROBE_MAX_BANKS);
    recorder_put(r, OP_STORE);
    column_put_number(&r->column[RECORD_REST], r->waiting[n].number - r->waiting[0].number);
    column_put_number(&r->column[RECORD_REST], in->events ^ r->waiting[n].events);
    memmove(&r->waiting[n], &r->waiting[n + 1], (--r->waiting_count - n) * sizeof *r->waiting);
}

static void on_squashed(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct recorder *r = ctx;
    struct stream *s = &r->stream;
    recorder_set_clock(r, cycle);
    note_changes(r, in, s->tail - 1, s->tail - 1 == s->head && !s->seen);
    if (in->cause != s->cause) {
        recorder_put(r, OP_CAUSE);
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
    recorder_set_clock(r, cycle);
    put_exec(r, EXEC_EVENT + (unsigned)event);
}

#define EVENT(sym, name, meaning) \
    static void on_##sym(void *ctx, uint64_t cycle) { put_event(ctx, PROBE_BIT_##sym, cycle); }
#include "core-model/probe/probe.def"

/* ---- the observer ---- */

/* Writes the executable pages at the end of the run. */
static void put_code_pages(struct recorder *r, const struct memory *m)
{
    struct column c = {0};
    uint8_t contents[MEM_PAGE_BYTES]; /* not in the loop, where AddressSanitizer would mark it for each page */
    unsigned pages = 0;
    for (uint64_t page = 0, last = 0; (page = memory_next_mapped(m, page)) < MEM_PAGES; page++) {
        if ((m->perm[page] & MEM_X) == 0)
            continue;
        if (!memory_read(m, page << MEM_PAGE_BITS, contents, sizeof contents))
            continue; /* behind the end of its file */
        column_put_number(&c, page - last);
        column_grow(&c, MEM_PAGE_BYTES);
        memcpy(c.byte + c.size, contents, MEM_PAGE_BYTES);
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

static void recorder_finish(struct observer *o, uint64_t cycles, struct hart *hart)
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

static void recorder_release(struct observer *o)
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
    .finish = recorder_finish,
    .release = recorder_release,
};

static void recorder_subscribe(struct recorder *r)
{
    struct probe_listener *o = &r->base.probe;
    *o = (struct probe_listener){
        .ctx = r, .values = r->values, .cycles = 1u << PROBE_RETIRED, .token = recorder_on_token};
    r->stores = (struct event_filter){.classes = 1u << OPCLASS_STORE | 1u << OPCLASS_FSTORE, .from = UINT64_MAX};
    o->tagger = (struct probe_tagger){.at = PROBE_MAPPED,
                                      .bits = 1,
                                      .filter = &r->stores,
                                      .tag = recorder_tag_store,
                                      .tagged = on_store,
                                      .complete = true};
#define EVENT(sym, name, meaning) o->event[PROBE_BIT_##sym] = on_##sym;
#include "core-model/probe/probe.def"
    o->stage[PROBE_FETCHED] = on_fetched;
    o->stage[PROBE_MAPPED] = on_mapped;
    o->stage[PROBE_DATA_READY] = on_ready;
    o->stage[PROBE_ISSUED] = on_issued;
    o->stage[PROBE_LOAD_COMPLETED] = on_loaded;
    o->stage[PROBE_READY_TO_RETIRE] = recorder_on_done;
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
    recorder_subscribe(r);
    record_begin_file(out);
    facts_put_head(&facts, head);
    facts_put_number(&facts, "clock", r->stream.now);
    part_write(r->writer, RECORD_PART_HEAD, &facts);
    free(facts.byte);
    return r;
}

struct observer *recorder_observer(struct recorder *r) { return &r->base; }
