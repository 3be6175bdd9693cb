/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of a probe stream, derived from the callbacks so far: instructions in flight, code, and predictions of the next
 * callbacks. The recorder (core-model/prof/log/recorder.c) and the replay (replay.c) maintain the same state with the
 * same functions. The recorder compares the prediction with the core's report and writes the difference, so
 * mispredictions cost only space and the replay is exact. */
#ifndef CORE_MODEL_RECORD_STREAM_H
#define CORE_MODEL_RECORD_STREAM_H

#include "core-model/probe/probe_port.h"
#include "core-model/record/format.h"

enum { STREAM_CODE_CHUNK = 1 << 10, STREAM_CODE_CHUNKS = 1 << 12 }; /* up to 4 Mi instructions */

/* The recorded values of an outcome. */
struct stream_values {
    uint64_t value, ea, operand[2];
};

/* A static instruction: a word at an address. Number 0 is a placeholder before the first instruction. */
struct stream_code {
    uint64_t pc;
    struct rv_insn insn;
    uint32_t next, other;      /* numbers of its successors in fetch order: the last one, and the last different one */
    struct stream_values last; /* values of its last fetched instance */
};

struct stream_entry {
    struct probe_insn in;
    uint32_t code; /* number of the static instruction */
    uint32_t tags; /* tags set by the replay's observers */
};

struct stream {
    bool in_order;
    uint64_t now, seq; /* cycle number; sequence number of the next fetched instruction */
    /* Positions of the instructions in flight in program order: oldest, next to issue (in-order core), next to rename,
     * next to fetch. Positions of squashed instructions are reused. */
    uint64_t head, issue, mapped, tail;
    /* Owned. The size is a power of two, at least twice the maximum in flight, so entries of retired instructions
     * remain valid until the ring wraps. */
    struct stream_entry *ring;
    uint64_t ring_mask, in_flight; /* index mask; maximum number of instructions in flight */
    /* Owned; parallel to the ring. Without recorded values a single element with `taken` and `next_pc` of the retiring
     * instruction. */
    struct rv_outcome *outcome;
    bool values;
    uint64_t target; /* next_pc of the next retiring instruction, if it differs from the derived one */
    bool has_target;
    struct stream_code *code[STREAM_CODE_CHUNKS]; /* owned; in chunks, so that pointers to instructions remain valid */
    uint32_t codes;
    uint32_t fetch_events;     /* initial events of fetched instructions */
    uint64_t last[EXEC_EVENT]; /* by callback of the column exec: position of the last one */

    /* State of the current cycle. */
    uint64_t cycle_head,
        cycle_mapped;     /* at the start of the cycle: oldest position in the commit banks; next to rename */
    uint32_t commits;     /* instructions retired in the cycle; in-order core: issued */
    uint8_t trap;         /* enum probe_cause of an exception, or PROBE_CAUSE_NONE */
    uint8_t cause;        /* enum probe_cause of the last squash */
    bool dispatched;      /* an instruction was renamed, the first at dispatch_pc */
    bool seen;            /* stream_sample_banks was called in this cycle */
    bool banks_filled;    /* the banks were copied to the token */
    uint32_t head_events; /* events of the oldest instruction in the banks at stream_sample_banks */
    uint64_t next_pc;     /* address of the oldest instruction not retired (in-order core: not issued) */
    uint64_t dispatch_pc;

    struct probe_token
        token;            /* token of this cycle; until its end, OIR and last commit are those of the previous one */
    uint64_t bank_offset; /* bank of position 0 */
    uint32_t flags;       /* FLAGS_KEPT of the last token */
    uint64_t given_pc;    /* recorded interrupt_pc, valid if has_given_pc, until it can be derived again */
    bool has_given_pc;
    struct probe_oir before; /* OIR before the next retiring instruction: members of probe_insn */
    uint64_t retired_before;
    uint64_t stores; /* number of retired stores */
};

/* Initialises the state for a core of this configuration; `values`: the stream has outcomes. */
void stream_init(struct stream *s, const struct core_config *config, bool values);
void stream_fini(struct stream *s);

static inline struct stream_entry *stream_at(const struct stream *s, uint64_t position)
{
    return &s->ring[position & s->ring_mask];
}

static inline struct rv_outcome *stream_outcome(const struct stream *s, uint64_t position)
{
    return &s->outcome[position & s->ring_mask];
}

static inline struct stream_code *stream_code(const struct stream *s, uint32_t number)
{
    return &s->code[number / STREAM_CODE_CHUNK][number % STREAM_CODE_CHUNK];
}

/* Adds an instruction; returns its number, or 0 if there are too many. */
uint32_t stream_add_code(struct stream *s, uint64_t pc, const struct rv_insn *insn);

/* Predicted successor of the youngest instruction in fetch order. */
static inline uint32_t stream_predict(const struct stream *s)
{
    return stream_code(s, stream_at(s, s->tail - 1)->code)->next;
}

/* Branch history of an instruction at pc that is fetched after the youngest one. */
static inline uint64_t stream_history(const struct stream *s, uint64_t pc)
{
    const struct probe_insn *before = &stream_at(s, s->tail - 1)->in;
    if (!(before->insn->flags & RV_BRANCH))
        return before->history;
    return before->history << 1 | (pc != before->pc + before->insn->length_bytes);
}

/* Records that this instruction is fetched after the youngest one. */
static inline void stream_follow(struct stream *s, uint32_t number)
{
    struct stream_code *before = stream_code(s, stream_at(s, s->tail - 1)->code);
    if (before->next != number) {
        before->other = before->next;
        before->next = number;
    }
    s->has_given_pc &= s->tail != s->head;
}

/* Fetches an instruction by number. Its history is derived; the caller may change it. */
static inline struct stream_entry *stream_fetch(struct stream *s, uint32_t number)
{
    const struct stream_code *code = stream_code(s, number);
    struct stream_entry *e = stream_at(s, s->tail);
    stream_follow(s, number);
    e->code = number;
    e->tags = 0;
    e->in.history = stream_history(s, code->pc);
    e->in.seq = s->seq++;
    e->in.pc = code->pc;
    e->in.insn = &code->insn;
    e->in.events = s->fetch_events;
    e->in.cause = PROBE_CAUSE_NONE;
    s->tail++;
    return e;
}

static inline struct stream_entry *stream_map(struct stream *s)
{
    struct stream_entry *e = stream_at(s, s->mapped++);
    if (!s->dispatched)
        s->dispatch_pc = e->in.pc;
    s->dispatched = true;
    return e;
}

/* Returns whether the instruction is a store, which accesses the cache after retirement. */
static inline bool stream_is_store(const struct rv_insn *in) { return in->unit == RV_UNIT_STORE; }

/* Successor address of the oldest instruction, at its retirement. */
uint64_t stream_target(const struct stream *s);
static inline void stream_give_target(struct stream *s, uint64_t pc)
{
    s->target = pc;
    s->has_target = true;
}

static inline struct stream_entry *stream_retire(struct stream *s)
{
    struct stream_entry *e = stream_at(s, s->head);
    if (!s->values) {
        s->outcome->next_pc = stream_target(s);
        s->outcome->taken = (e->in.events & PROBE_TAKEN) != 0;
        s->has_target = false;
    }
    s->head++;
    e->in.before = s->before;
    e->in.retired_before = s->retired_before;
    s->before = probe_oir_of(e->in.pc, e->in.events);
    s->retired_before = s->now;
    s->stores += stream_is_store(e->in.insn);
    if (!s->in_order) {
        s->commits++;
        s->issue = s->head;
    }
    return e;
}

static inline struct stream_entry *stream_issue(struct stream *s)
{
    s->commits++;
    return stream_at(s, s->issue++);
}

/* Variants for replays in which only tokens are read: entries have only the members that tokens need. */
static inline void stream_fetch_unseen(struct stream *s, uint32_t number)
{
    const struct stream_code *code = stream_code(s, number);
    struct stream_entry *e = stream_at(s, s->tail);
    stream_follow(s, number);
    e->code = number;
    e->in.pc = code->pc;
    e->in.insn = &code->insn;
    e->in.events = s->fetch_events;
    s->seq++;
    s->tail++;
}

/* Fetches `count` predicted instructions; returns false if one of them is unknown. */
static inline bool stream_fetch_run_unseen(struct stream *s, unsigned count)
{
    const struct stream_code *code = stream_code(s, stream_at(s, s->tail - 1)->code);
    s->has_given_pc &= s->tail != s->head;
    for (; count > 0; count--) {
        uint32_t number = code->next;
        struct stream_entry *e = stream_at(s, s->tail);
        if (number == 0)
            return false;
        code = stream_code(s, number);
        e->code = number;
        e->in.pc = code->pc;
        e->in.insn = &code->insn;
        e->in.events = s->fetch_events;
        s->seq++;
        s->tail++;
    }
    return true;
}

static inline void stream_retire_unseen(struct stream *s, unsigned count)
{
    s->head += count;
    if (!s->in_order) {
        s->commits += count;
        s->issue = s->head;
    }
}

static inline void stream_squash_unseen(struct stream *s, unsigned count)
{
    s->tail -= count;
    if (s->mapped > s->tail)
        s->mapped = s->tail;
    if (s->issue > s->tail)
        s->issue = s->tail;
}

/* Begins or continues a squash with the stream's cause. */
void stream_begin_squash(struct stream *s);

/* Squashes the youngest instruction. */
static inline struct stream_entry *stream_squash(struct stream *s)
{
    struct stream_entry *e = stream_at(s, --s->tail);
    e->in.cause = s->cause;
    if (s->mapped > s->tail)
        s->mapped = s->tail;
    if (s->issue > s->tail)
        s->issue = s->tail;
    return e;
}

/* Samples the commit banks, once per cycle: in the out-of-order core after commit, in the in-order core before the
 * first issue. To be called before the first later operation of the cycle. `banks`: number of banks to copy. */
void stream_sample_banks(struct stream *s, unsigned banks);
static inline void stream_see(struct stream *s, unsigned banks)
{
    if (!s->seen)
        stream_sample_banks(s, banks);
}

/* Adds events to the instruction in the n-th bank from the oldest, as of the sampling of the banks. */
void stream_change_bank(struct stream *s, unsigned n, uint32_t events);

/* Derived interrupt_pc of the token; `none`: a handler runs or an exception occurs. To be called after
 * stream_sample_banks. */
uint64_t stream_interrupt_pc(const struct stream *s, bool none);
static inline void stream_give_pc(struct stream *s, uint64_t pc)
{
    s->given_pc = pc;
    s->has_given_pc = true;
}

/* Completes the token of the cycle, which represents `repeat` cycles, with flags of enum record_flag. `banks` as
 * above. */
void stream_end_token(struct stream *s, uint32_t flags, uint64_t repeat, unsigned banks);
/* Replaces the derived token. */
void stream_replace_token(struct stream *s, const struct probe_token *t);
/* Begins the next cycle. */
void stream_next_cycle(struct stream *s);

/* Encodes an outcome as the difference to the last one of the same static instruction. */
void stream_put_values(struct stream *s, struct column *c, uint64_t position, const struct rv_outcome *o);
void stream_get_values(struct stream *s, struct column_cursor *c, uint64_t position);

/* Encodes an OIR and a cycle in full. */
void stream_put_before(struct column *c, const struct probe_oir *before, uint64_t retired_before);
void stream_get_before(struct column_cursor *c, struct stream *s);
/* Encodes a token in full. */
void stream_put_token(struct column *c, const struct probe_token *t);
void stream_get_token(struct column_cursor *c, struct probe_token *t);

#endif
