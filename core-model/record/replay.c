/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads operations and makes the calls that they stand for. Columns that no observer needs are not decompressed. */
#include "core-model/record/replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core-model/engine.h"
#include "core-model/record/part.h"
#include "core-model/record/stream.h"

enum { CODE_PAGES_MOST = 1 << 16, STORES_WAIT = 1 << 12 };

struct replay {
    const char *name;
    struct part_reader *parts;
    struct cursor column[RECORD_COLUMNS];
    bool failed;             /* a column ended early, or an operation is impossible */
    bool ended;              /* by the part TAIL or an error */
    enum status status;
    struct errmsg error;
    char *head_text;         /* facts, owned */
    struct record_head head;
    struct record_tail tail;
    uint32_t *final_word;    /* owned; by number of the instruction: as it stood at the end; 0: no instruction */
    struct stream stream;
    uint64_t begin_cycle, retired;
    uint64_t history;        /* of the next instruction that is fetched, if it is not the derived one */
    bool has_history;
    uint64_t waiting;        /* number of the oldest store that waits for its access */
    bool done[STORES_WAIT];  /* by number, from that one on: its access has been made */
    bool wants_exec;         /* an observer needs the column exec */
    struct guest *guest;     /* borrowed */
    struct probe_port port;
    struct interrupt interrupt;
};

/* ---- calls ---- */

static inline void tell(struct replay *r, struct stream_entry *e, enum probe_stage stage)
{
    const struct probe_port *p = &r->port;
    uint64_t now = r->stream.now;
    probe_port_note(p, &e->in, stage, now);
    const struct observer_list *l = &p->stage_list[stage];
    int n = probe_port_next(l, 0, (enum opclass)e->in.insn->opclass, now);
    if (n < l->count)
        probe_port_tell(l, n, &e->in, now);
}

static inline void tag(struct replay *r, struct stream_entry *e, const struct tagger_list *l)
{
    enum opclass opclass = (enum opclass)e->in.insn->opclass;
    if (probe_port_asks(l, opclass, r->stream.now))
        e->tags |= probe_port_tags(l, e->in.seq, e->in.pc, opclass, r->stream.now);
}

/* The number of banks that observers of this cycle's token read. */
static inline unsigned banks_wanted(const struct replay *r, uint64_t end)
{
    if (r->port.token_list.count == 0 || r->port.token_from >= end)
        return 0;
    return r->port.banks_from < end ? PROBE_MAX_BANKS : r->stream.commits > 0 ? r->stream.commits : 1;
}

static inline void see(struct replay *r)
{
    if (!r->stream.seen)
        stream_look(&r->stream, banks_wanted(r, r->stream.now + 1));
}

/* ---- operations ---- */

static inline void fetch(struct replay *r, uint32_t number)
{
    struct stream *s = &r->stream;
    if (number == 0 || number >= s->codes || s->tail - s->head >= STREAM_IN_FLIGHT) {
        r->failed = true;
        return;
    }
    struct stream_entry *e = stream_fetch(s, number);
    if (r->has_history)
        e->in.history = r->history;
    r->has_history = false;
    if (r->head.values)
        stream_get_values(s, &r->column[RECORD_VALUES], s->tail - 1);
    if (e->in.events & PROBE_WRONG_PATH)
        probe_port_happens(&r->port, PROBE_WRONG_PATH, s->now);
    tell(r, e, PROBE_FETCHED);
    tag(r, e, &r->port.at_fetch);
}

/* A new instruction: its number, or 0 if it is none. */
static uint32_t new_code(struct replay *r)
{
    struct stream *s = &r->stream;
    struct rv_insn insn;
    uint64_t pc = stream_at(s, s->tail - 1)->in.pc + cursor_difference(&r->column[RECORD_CODE]);
    uint64_t word = cursor_number(&r->column[RECORD_CODE]);
    if (word == 0)
        return stream_add_code(s, pc, &front_fault);
    if (word > UINT32_MAX || !rv_decode((uint32_t)word, &insn))
        return 0;
    return stream_add_code(s, pc, &insn);
}

static uint32_t number_to_fetch(struct replay *r, enum record_op op)
{
    const struct stream *s = &r->stream;
    uint32_t before = stream_at(s, s->tail - 1)->code;
    if (op == OP_FETCH_NEW)
        return new_code(r);
    if (op == OP_FETCH_OTHER)
        return stream_code(s, before)->other;
    uint64_t number = before + cursor_difference(&r->column[RECORD_PATH]);
    return number < s->codes ? (uint32_t)number : 0;
}

static inline void map(struct replay *r, unsigned count, bool ready)
{
    struct stream *s = &r->stream;
    if (s->tail - s->mapped < count) {
        r->failed = true;
        return;
    }
    see(r);
    while (count-- > 0) {
        struct stream_entry *e = stream_map(s);
        tell(r, e, PROBE_MAPPED);
        tag(r, e, &r->port.at_rename);
        if (ready)
            tell(r, e, PROBE_DATA_READY);
    }
}

static inline void issue(struct replay *r, unsigned count)
{
    struct stream *s = &r->stream;
    if (!s->in_order || s->mapped - s->issue < count) {
        r->failed = true;
        return;
    }
    see(r);
    while (count-- > 0)
        tell(r, stream_issue(s), PROBE_ISSUED);
}

/* A store is delivered with its access to the observers that want that: OP_STORE. */
static void deliver_retired(struct replay *r, struct stream_entry *e)
{
    uint32_t later = stream_is_store(e->in.insn) ? e->tags & r->port.complete_tags : 0;
    if (later != 0)
        probe_port_keep(&r->port, &e->in, later, (uint32_t)(r->stream.stores - 1));
    if (e->tags != later)
        probe_port_deliver(&r->port, &e->in, e->tags & ~later, r->stream.now);
}

static inline void retire(struct replay *r, unsigned count)
{
    struct stream *s = &r->stream;
    if ((s->in_order ? s->issue : s->mapped) - s->head < count) {
        r->failed = true;
        return;
    }
    while (count-- > 0) {
        struct stream_entry *e = stream_retire(s);
        r->retired++;
        tell(r, e, PROBE_RETIRED);
        if (e->tags != 0)
            deliver_retired(r, e);
    }
}

static void squash(struct replay *r, unsigned count)
{
    struct stream *s = &r->stream;
    if (s->tail - s->head < count || s->cause == PROBE_CAUSE_NONE) {
        r->failed = true;
        return;
    }
    while (count-- > 0) {
        stream_begin_squash(s);
        struct stream_entry *e = stream_squash(s);
        tell(r, e, PROBE_SQUASHED);
        if ((e->tags & r->port.squash_tags) != 0)
            probe_port_deliver(&r->port, &e->in, e->tags, s->now);
    }
}

/* The instruction in flight at a position behind the oldest, or NULL. */
static struct stream_entry *in_flight(struct replay *r, uint64_t position)
{
    const struct stream *s = &r->stream;
    if (position - s->head < s->tail - s->head)
        return stream_at(s, position);
    r->failed = true;
    return NULL;
}

static inline void exec_one(struct replay *r)
{
    static const enum record_column column[EXEC_EVENT] = {RECORD_READY, RECORD_ISSUED, RECORD_LOADED, RECORD_DONE};
    static const enum probe_stage stage[EXEC_EVENT] = {PROBE_DATA_READY, PROBE_ISSUED, PROBE_LOAD_COMPLETED,
                                                       PROBE_READY_TO_RETIRE};
    uint8_t callback = cursor_get(&r->column[RECORD_EXEC]);
    if (callback >= EXEC_EVENT) {
        if (callback - EXEC_EVENT < PROBE_EVENT_COUNT)
            probe_port_happens(&r->port, 1u << (callback - EXEC_EVENT), r->stream.now);
        else
            r->failed = true;
        return;
    }
    see(r);
    uint64_t *last = &r->stream.last[callback];
    *last += cursor_difference(&r->column[column[callback]]);
    struct stream_entry *e = in_flight(r, *last);
    if (e != NULL)
        tell(r, e, stage[callback]);
}

static inline void exec(struct replay *r, unsigned count)
{
    if (r->wants_exec)
        while (count-- > 0)
            exec_one(r);
}

static void end_cycle(struct replay *r, enum record_op op)
{
    struct stream *s = &r->stream;
    struct cursor *c = &r->column[RECORD_TOKENS];
    struct probe_token whole = {.repeat = 1};
    uint64_t flags = s->flags;
    if (op == OP_TOKEN_WHOLE)
        stream_get_token(c, &whole);
    else if (op == OP_TOKEN_FLAGS)
        flags = cursor_number(c);
    uint64_t repeat = op == OP_TOKEN_FLAGS || op == OP_TOKEN_REPEAT ? cursor_number(c) : whole.repeat;
    if (repeat == 0 || repeat > UINT64_MAX - s->now || flags >> (PROBE_MAX_BANKS + 2) != 0) {
        r->failed = true;
        return;
    }
    uint64_t end = s->now + repeat;
    stream_end_token(s, (uint32_t)flags, repeat, banks_wanted(r, end));
    if (op == OP_TOKEN_WHOLE) {
        whole.cycle = s->now;
        stream_replace_token(s, &whole);
    }
    s->now = end;
    if (r->port.token_list.count > 0 && r->port.token_from < end)
        probe_port_token(&r->port, &s->token);
    stream_next_cycle(s);
}

static void change_events(struct replay *r, enum record_op op)
{
    struct stream *s = &r->stream;
    struct cursor *c = &r->column[RECORD_EVENTS];
    uint64_t at = op == OP_EVENTS || op == OP_EVENTS_BANK ? cursor_number(c) : 0;
    uint32_t events = (uint32_t)cursor_number(c);
    if (op == OP_EVENTS_FETCH) {
        s->fetch_events ^= events;
        return;
    }
    if (op != OP_EVENTS_HEAD)
        see(r);
    if (op == OP_EVENTS_BANK) {
        if (at < s->token.banks)
            stream_change_bank(s, (unsigned)at, events);
        else
            r->failed = true;
        return;
    }
    struct stream_entry *e = in_flight(r, s->head + at);
    if (e != NULL)
        e->in.events ^= events;
}

/* The access of a store, by its number behind the oldest that waits. */
static void end_store(struct replay *r, uint64_t behind, uint32_t events)
{
    uint64_t number = r->waiting + behind;
    if (number >= r->stream.stores || behind >= STORES_WAIT) {
        r->failed = true;
        return;
    }
    if (r->port.kept.count != 0)
        probe_port_deliver_kept(&r->port, (uint32_t)number, events, r->stream.now);
    r->done[number % STORES_WAIT] = true;
    while (r->waiting < r->stream.stores && r->done[r->waiting % STORES_WAIT])
        r->done[r->waiting++ % STORES_WAIT] = false;
}

/* Operations that are not frequent. */
static void other(struct replay *r, enum record_op op)
{
    struct stream *s = &r->stream;
    struct cursor *rest = &r->column[RECORD_REST];
    uint64_t n = cursor_number(rest);
    switch (op) {
    case OP_CAUSE:
        r->failed |= n >= PROBE_CAUSE_COUNT;
        s->cause = (uint8_t)n;
        break;
    case OP_SEQ:
        r->failed |= n < s->seq;
        s->seq = n;
        break;
    case OP_HISTORY:
        r->history = n;
        r->has_history = true;
        break;
    case OP_NEXT_PC:
        see(r);
        stream_give_pc(s, s->next_pc + (n >> 1 ^ -(n & 1)));
        break;
    case OP_STORE:
        see(r);
        end_store(r, n, (uint32_t)cursor_number(rest));
        break;
    case OP_CLOCK:
        r->failed |= n < s->now;
        s->now = n;
        break;
    case OP_OUTCOME:
        if (r->head.values && in_flight(r, s->head + n) != NULL)
            stream_get_values(s, &r->column[RECORD_VALUES], s->head + n);
        else
            r->failed = true;
        break;
    default:
        r->failed = true;
    }
}

static inline void operate(struct replay *r, uint8_t op)
{
    if (op < OP_MAP) {
        see(r);
        for (unsigned n = 0; n <= op && !r->failed; n++)
            fetch(r, stream_predict(&r->stream));
    } else if (op < OP_RETIRE) {
        map(r, (op - OP_MAP) % RECORD_RUN + 1u, op >= OP_MAP_READY);
    } else if (op < OP_ISSUE) {
        retire(r, op - OP_RETIRE + 1u);
    } else if (op < OP_EXEC) {
        issue(r, op - OP_ISSUE + 1u);
    } else if (op < OP_SQUASH) {
        exec(r, op - OP_EXEC + 1u);
    } else if (op < OP_TOKEN) {
        squash(r, op - OP_SQUASH + 1u);
    } else if (op <= OP_TOKEN_WHOLE) {
        end_cycle(r, (enum record_op)op);
    } else if (op <= OP_FETCH_NEW) {
        see(r);
        fetch(r, number_to_fetch(r, (enum record_op)op));
    } else if (op == OP_BEFORE) {
        stream_get_before(&r->column[RECORD_REST], &r->stream);
    } else if (op >= OP_EVENTS && op <= OP_EVENTS_BANK) {
        change_events(r, (enum record_op)op);
    } else {
        other(r, (enum record_op)op);
    }
}

/* ---- parts ---- */

static void end_with(struct replay *r, enum status st)
{
    r->ended = true;
    r->status = st;
}

static char *copy_facts(const struct cursor *c)
{
    size_t bytes = (size_t)(c->end - c->at);
    char *text = xmalloc(bytes + 1);
    memcpy(text, c->at, bytes);
    return text;
}

static enum status damaged(struct replay *r, const char *what)
{
    return fail(&r->error, ST_FORMAT, "%s: offset %" PRIu64 ": the recording is damaged: %s", r->name,
                part_offset(r->parts), what);
}

/* The words of the code when the recorded run was over: those that were fetched, and those that have changed. */
static bool read_changed_code(struct replay *r, struct cursor *c)
{
    const struct stream *s = &r->stream;
    uint64_t number = 0;
    r->final_word = xcalloc(s->codes, sizeof *r->final_word);
    for (uint32_t n = 0; n < s->codes; n++)
        r->final_word[n] = stream_code(s, n)->insn.word;
    while (c->at != c->end) {
        uint64_t step = cursor_number(c), word = cursor_number(c);
        if (r->failed || step >= s->codes || word > UINT32_MAX || (number += step) >= s->codes)
            return false;
        r->final_word[number] = (uint32_t)word;
    }
    return true;
}

static void read_tail(struct replay *r, const struct cursor *c)
{
    struct errmsg why;
    if (!facts_are_sound(c)) {
        end_with(r, damaged(r, "its facts are no pairs of texts"));
        return;
    }
    if (facts_get_tail(c, &r->tail, &why) != ST_OK)
        end_with(r, damaged(r, why.text));
    else if (r->tail.cycles != r->stream.now - r->begin_cycle || r->tail.instructions != r->retired)
        end_with(r, damaged(r, "it has not the cycles and instructions that its end says"));
    else if (!read_changed_code(r, &r->column[RECORD_CHANGED_CODE]))
        end_with(r, damaged(r, "it has another code at its end"));
    else if (!part_at_end(r->parts))
        end_with(r, damaged(r, "there is something behind its end"));
    else
        end_with(r, ST_OK);
}

static uint32_t columns_wanted(const struct replay *r)
{
    uint32_t all = (1u << RECORD_COLUMNS) - 1;
    uint32_t exec = 1u << RECORD_EXEC | 1u << RECORD_READY | 1u << RECORD_ISSUED | 1u << RECORD_LOADED | 1u << RECORD_DONE;
    return r->wants_exec ? all : all & ~exec;
}

/* Reads the next block; false: there is none. */
static bool read_block(struct replay *r)
{
    enum record_part kind;
    enum status st = part_read(r->parts, &kind, r->column, columns_wanted(r), &r->error);
    if (st != ST_OK)
        end_with(r, st);
    else if (kind == RECORD_PART_HEAD)
        end_with(r, damaged(r, "a second part HEAD"));
    else if (kind == RECORD_PART_TAIL)
        read_tail(r, &r->column[0]);
    return !r->ended;
}

/* A block is over: all its columns must be. */
static void end_block(struct replay *r)
{
    for (unsigned n = 0; n < RECORD_COLUMNS && !r->failed; n++)
        r->failed = (columns_wanted(r) >> n & 1) != 0 && r->column[n].at != r->column[n].end;
    if (r->failed)
        end_with(r, damaged(r, "an operation is impossible where it stands"));
}

/* Operations up to the end of the block or a request to stop. */
static bool run_block(struct replay *r)
{
    const struct cursor *ops = &r->column[RECORD_OPS];
    while (ops->at != ops->end && !r->failed) {
        uint8_t op = *r->column[RECORD_OPS].at++;
        operate(r, op);
        if (op >= OP_TOKEN && op <= OP_TOKEN_WHOLE && r->guest->hart.stop)
            return false;
    }
    end_block(r);
    return true;
}

/* ---- the engine ---- */

static void *replay_make(const struct core_config *config, struct guest *guest)
{
    (void)config, (void)guest;
    BUG("a replay is made by replay_core");
}

static void replay_release(void *self) { (void)self; }

static struct engine_parts replay_parts(void *self)
{
    struct replay *r = self;
    return (struct engine_parts){.guest = r->guest, .port = &r->port, .interrupt = &r->interrupt, .config = &r->head.config};
}

static bool wants_exec(const struct probe_port *p)
{
    enum { EXEC = 1 << PROBE_DATA_READY | 1 << PROBE_ISSUED | 1 << PROBE_LOAD_COMPLETED | 1 << PROBE_READY_TO_RETIRE };
    return (p->stages_wanted & EXEC) != 0 || (p->events_wanted & ~(uint32_t)PROBE_WRONG_PATH) != 0;
}

static enum rv_trap replay_run(void *self, uint64_t max_insts)
{
    struct replay *r = self;
    (void)max_insts;
    if (!r->wants_exec && wants_exec(&r->port))
        r->wants_exec = true;
    while (!r->ended) {
        const struct cursor *ops = &r->column[RECORD_OPS];
        if (ops->at == ops->end && !read_block(r))
            break;
        if (!run_block(r))
            return RV_TRAP_STOP;
    }
    return RV_TRAP_NONE;
}

static void replay_begin(void *self)
{
    (void)self;
    BUG("a replay cannot begin anew");
}

static uint64_t replay_clock(const void *self) { return ((const struct replay *)self)->stream.now; }

static uint64_t replay_cycle(const void *self)
{
    const struct replay *r = self;
    return r->stream.now - r->begin_cycle;
}

static uint64_t replay_retired(const void *self) { return ((const struct replay *)self)->retired; }
static struct core_stats replay_stats(const void *self) { return ((const struct replay *)self)->tail.stats; }

static void replay_check(const void *self)
{
    const struct stream *s = &((const struct replay *)self)->stream;
    if (s->head > s->issue || s->head > s->mapped || s->mapped > s->tail)
        BUG("cycle %" PRIu64 ": the positions are not in order", s->now);
}

static void replay_print(const void *self, FILE *out)
{
    const struct replay *r = self;
    fprintf(out, "cycle %" PRIu64 ", %" PRIu64 " instructions retired, %" PRIu64 " in flight\n", r->stream.now,
            r->retired, r->stream.tail - r->stream.head);
}

static const struct engine replay_engine = {
    .make = replay_make, .release = replay_release, .parts = replay_parts, .run = replay_run, .begin = replay_begin,
    .clock = replay_clock, .cycle = replay_cycle, .retired = replay_retired, .stats = replay_stats,
    .check = replay_check, .print = replay_print,
};

/* ---- the recording ---- */

static enum status read_head(struct replay *r, struct errmsg *err)
{
    enum record_part kind;
    struct errmsg why;
    enum status st = part_read(r->parts, &kind, r->column, 0, err);
    const struct cursor *c = &r->column[0];
    if (st != ST_OK)
        return st;
    if (kind != RECORD_PART_HEAD || !facts_are_sound(c))
        return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": expected the facts of a recorded run, found something else",
                    r->name, part_offset(r->parts));
    size_t bytes = (size_t)(c->end - c->at);
    r->head_text = copy_facts(c);
    struct cursor facts = {(const uint8_t *)r->head_text, (const uint8_t *)r->head_text + bytes, &r->failed};
    st = facts_get_head(&facts, &r->head, &why);
    if (st == ST_OK && !facts_number(&facts, "clock", &r->begin_cycle))
        st = fail(&why, ST_FORMAT, "expected a fact 'clock'");
    if (st != ST_OK)
        return fail(err, st, "%s: offset %" PRIu64 ": %.400s", r->name, part_offset(r->parts), why.text);
    return ST_OK;
}

enum status replay_open(struct replay **out, FILE *in, const char *name, struct errmsg *err)
{
    struct replay *r = xcalloc(1, sizeof *r);
    r->name = name;
    for (unsigned n = 0; n < RECORD_COLUMNS; n++)
        r->column[n].failed = &r->failed;
    enum status st = part_reader_new(&r->parts, in, name, err);
    if (st == ST_OK)
        st = read_head(r, err);
    if (st != ST_OK) {
        replay_close(r);
        return st;
    }
    r->column[RECORD_OPS].at = r->column[RECORD_OPS].end;
    stream_init(&r->stream, r->head.config.core != 0, r->head.values);
    r->stream.now = r->begin_cycle;
    probe_port_init(&r->port);
    interrupt_init(&r->interrupt);
    *out = r;
    return ST_OK;
}

void replay_close(struct replay *r)
{
    if (r == NULL)
        return;
    facts_free_tail(&r->tail);
    part_reader_free(r->parts);
    probe_port_fini(&r->port);
    stream_fini(&r->stream);
    free(r->head_text);
    free(r->final_word);
    free(r);
}

const struct record_head *replay_head(const struct replay *r) { return &r->head; }
const struct record_tail *replay_tail(const struct replay *r) { return &r->tail; }
unsigned replay_interrupts(const struct replay *r) { return r->interrupt.lines; }

struct core *replay_core(struct replay *r, struct guest *guest)
{
    r->guest = guest;
    return core_of_engine(&replay_engine, r);
}

enum status replay_error(const struct replay *r, struct errmsg *err)
{
    if (r->status != ST_OK)
        *err = r->error;
    return r->status;
}

/* ---- code ---- */

/* The page of that address is mapped; false: there are too many, or it is beyond the guest's memory. */
static bool map_page(struct hart *hart, uint64_t address, unsigned *pages)
{
    uint64_t page = address & ~(uint64_t)(MEM_PAGE_BYTES - 1);
    if (memory_allows(&hart->mem, address, 1, MEM_MAPPED))
        return true;
    return address >> MEM_ADDRESS_BITS == 0 && ++*pages <= CODE_PAGES_MOST &&
           memory_map(&hart->mem, page, MEM_PAGE_BYTES, MEM_R | MEM_X) == ST_OK;
}

enum status replay_restore_code(const struct replay *r, struct hart *hart, struct errmsg *err)
{
    unsigned pages = 0;
    for (uint32_t n = 1; n < r->stream.codes && r->final_word != NULL; n++) {
        uint64_t pc = stream_code(&r->stream, n)->pc;
        uint32_t word = r->final_word[n];
        unsigned bytes = (word & 3) == 3 ? 4 : 2;
        if (word == 0)
            continue;
        if (!map_page(hart, pc, &pages) || !map_page(hart, pc + bytes - 1, &pages))
            return fail(err, ST_RANGE, "%s: the code at 0x%" PRIx64 " has no place: expected at most %d pages below 2^%d",
                        r->name, pc, CODE_PAGES_MOST, MEM_ADDRESS_BITS);
        for (unsigned i = 0; i < bytes; i++)
            *memory_at(&hart->mem, pc + i) = (uint8_t)(word >> 8 * i);
    }
    return ST_OK;
}
