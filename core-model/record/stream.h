/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a probe stream as far as it follows from the callbacks so far: the instructions in flight, the code, and
 * the parts of the next callbacks that can be derived. The recorder (core-model/prof/log/recorder.c) and the replay
 * (replay.c) keep the same state by the same functions. The recorder compares what is derived with what the core
 * reports, and writes the difference. So a derivation only needs to be right mostly, and the replay is exact. */
#ifndef CORE_MODEL_RECORD_STREAM_H
#define CORE_MODEL_RECORD_STREAM_H

#include "core-model/probe_port.h"
#include "core-model/record/format.h"

enum { STREAM_CODE_CHUNK = 1 << 10, STREAM_CODE_CHUNKS = 1 << 12 }; /* up to 4 Mi instructions */

/* The values of an outcome that are recorded. */
struct stream_values {
    uint64_t value, ea, operand[2];
};

/* An instruction of the program: a word at an address. Number 0 stands for the one before the first. */
struct stream_code {
    uint64_t pc;
    struct rv_insn insn;
    uint32_t next, other;      /* numbers of what was fetched behind it: last time, and the last time it was another */
    struct stream_values last; /* of its last instance that was fetched */
};

struct stream_entry {
    struct probe_insn in;
    uint32_t code; /* its number */
    uint32_t tags; /* of the replay's observers */
};

struct stream {
    bool in_order;
    uint64_t now, seq; /* number of the cycle, and of the next instruction that is fetched */
    /* Positions in program order of the instructions in flight: oldest, next to issue (in-order core), next to rename,
     * next to fetch. Those that are squashed are given out again. */
    uint64_t head, issue, mapped, tail;
    /* Owned; a power of two of entries, twice as many as can be in flight: an entry stays as it is until the ring has
     * come round, so an instruction that has left can still be read for a while. */
    struct stream_entry *ring;
    uint64_t ring_mask, in_flight; /* in_flight: the most instructions */
    /* Owned; beside the ring. If values are not recorded, one for all, which has `taken` and `next_pc` of the
     * instruction that retires. */
    struct rv_outcome *outcome;
    bool values;
    uint64_t target; /* next_pc of the next instruction that retires, if it is not the derived one */
    bool has_target;
    struct stream_code *code[STREAM_CODE_CHUNKS]; /* owned; chunks, so that an instruction stays where it is */
    uint32_t codes;
    uint32_t fetch_events;     /* with which instructions are fetched */
    uint64_t last[EXEC_EVENT]; /* positions of the last callbacks of the column exec */

    /* The cycle so far. */
    uint64_t cycle_head, cycle_mapped; /* the oldest in the commit banks; next to rename; as the cycle began */
    uint32_t commits;                  /* instructions that have retired; in order: issued */
    uint8_t trap;                      /* enum probe_cause of an exception; PROBE_CAUSE_NONE */
    uint8_t cause;                     /* enum probe_cause of the last squash */
    bool dispatched;                   /* an instruction was renamed: the first was at dispatch_pc */
    bool seen;                         /* the banks have been seen */
    bool banks_filled;                 /* ... and copied into the token */
    uint32_t head_events;              /* of the oldest in the banks, when these were seen */
    uint64_t next_pc;                  /* the oldest instruction that has neither retired nor, in order, issued */
    uint64_t dispatch_pc;

    struct probe_token token; /* of this cycle; until its end, OIR and last commit are of the one before */
    uint64_t bank_offset;     /* bank of position 0 */
    uint32_t flags;           /* FLAGS_KEPT of the last token */
    uint64_t given_pc;        /* interrupt_pc of the tokens, if has_given_pc: until it is known again */
    bool has_given_pc;
    struct probe_oir before; /* what the next instruction that retires finds: probe_insn's members */
    uint64_t retired_before;
    uint64_t stores; /* that have retired */
};

/* For a core of that configuration; `values`: the stream has outcomes. */
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

/* The instruction that is fetched behind the youngest one, as predicted. */
static inline uint32_t stream_predict(const struct stream *s)
{
    return stream_code(s, stream_at(s, s->tail - 1)->code)->next;
}

/* The branch history of an instruction at pc that is fetched behind the youngest one. */
static inline uint64_t stream_history(const struct stream *s, uint64_t pc)
{
    const struct probe_insn *before = &stream_at(s, s->tail - 1)->in;
    if (!(before->insn->flags & RV_BRANCH))
        return before->history;
    return before->history << 1 | (pc != before->pc + before->insn->length_bytes);
}

/* The instruction of that number is fetched behind the youngest one. */
static inline void stream_follow(struct stream *s, uint32_t number)
{
    struct stream_code *before = stream_code(s, stream_at(s, s->tail - 1)->code);
    if (before->next != number) {
        before->other = before->next;
        before->next = number;
    }
    s->has_given_pc &= s->tail != s->head;
}

/* Fetches the instruction of that number. The history is derived; the caller may change it. */
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

/* Is it a store whose access comes when it has retired? */
static inline bool stream_is_store(const struct rv_insn *in) { return in->unit == RV_UNIT_STORE; }

/* The address behind the oldest instruction, which is about to retire. */
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

/* The same operations where nothing but tokens is read: entries have only what these need. */
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

/* Fetches `count` instructions that are predicted; false: one of them is not known. */
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

/* A squash goes on, for the cause of the stream. */
void stream_begin_squash(struct stream *s);

/* Takes the youngest instruction back. */
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

/* The core looks at the commit banks once in a cycle: out of order behind commit, in order before the first instruction
 * issues. To be called before the first operation that comes later in a cycle. `banks`: how many of the banks to
 * copy. */
void stream_look(struct stream *s, unsigned banks);
static inline void stream_see(struct stream *s, unsigned banks)
{
    if (!s->seen)
        stream_look(s, banks);
}

/* An instruction in the n-th bank from the oldest on has had these events too when the banks were seen. */
void stream_change_bank(struct stream *s, unsigned n, uint32_t events);

/* The token's interrupt_pc as derived; `none`: a handler runs or an exception fires. The banks have been seen. */
uint64_t stream_interrupt_pc(const struct stream *s, bool none);
static inline void stream_give_pc(struct stream *s, uint64_t pc)
{
    s->given_pc = pc;
    s->has_given_pc = true;
}

/* Completes the token of the cycle, of `repeat` cycles, with flags of enum record_flag. `banks` as above. */
void stream_end_token(struct stream *s, uint32_t flags, uint64_t repeat, unsigned banks);
/* The token is another one than derived. */
void stream_replace_token(struct stream *s, const struct probe_token *t);
/* The next cycle begins. */
void stream_next_cycle(struct stream *s);

/* What the recording has of an outcome: the difference to the last one of the same instruction. */
void stream_put_values(struct stream *s, struct column *c, uint64_t position, const struct rv_outcome *o);
void stream_get_values(struct stream *s, struct column_cursor *c, uint64_t position);

/* An OIR and a cycle, in full. */
void stream_put_before(struct column *c, const struct probe_oir *before, uint64_t retired_before);
void stream_get_before(struct column_cursor *c, struct stream *s);
/* A token in full. */
void stream_put_token(struct column *c, const struct probe_token *t);
void stream_get_token(struct column_cursor *c, struct probe_token *t);

#endif
