/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The in-order core's state, shared by its parts. Private to core-model/inorder.
 *
 * One ring holds all instructions in flight by position: head, issued and not complete; issue, in the issue stage;
 * arrived, on the way through the front end; tail. Instructions issue in program order as soon as their operands are
 * there, a few per cycle as the slotting rules allow, and complete out of order; results pass through a scoreboard that
 * knows when each register will be ready. As in the Alpha 21164, no instruction stalls once issued, so the issue stage
 * is what profilers see as commit: the banks of the commit token are its slots, the oldest waiting instruction is the
 * head, and to issue is to commit (DCPI paper, section 3: CYCLES samples name the instruction at the head of the issue
 * queue).
 *
 * Modelled simply: nothing issues behind a mispredicted branch until it is resolved, so the wrong path is fetched but
 * never issued; an instruction that faults waits until all before it are complete. */
#ifndef CORE_MODEL_INORDER_INORDER_H
#define CORE_MODEL_INORDER_INORDER_H

#include "core-model/engine.h"

enum {
    IN_RING = 256,
    IN_REGISTERS = 64,
    IN_UNITS = 8,
    IN_WRITES = 512
}; /* IN_UNITS, IN_WRITES: the most that keys allow */

enum in_flag {
    IN_EXECUTED = 1 << 0, /* its effects are in the hart: a squash must take them back */
    IN_DEFERRED = 1 << 1, /* executes when it is alone, not at fetch */
    IN_RAS = 1 << 2,      /* changed the return address stack */
    IN_WRONG = 1 << 3,    /* the path fetched after it is not the one it takes */
    IN_READY = 1 << 4,    /* its operands have been seen ready */
    IN_DONE = 1 << 5,     /* complete */
    IN_WRITING = 1 << 6,  /* a store whose access waits in the write buffer, in an entry that it has opened */
};

struct in_entry {
    uint64_t pc, seq;
    struct bpred_history history; /* before it */
    const struct rv_insn *insn;
    uint64_t arrives; /* earliest cycle in the issue stage */
    uint64_t done;    /* issued: completion */
    uint32_t events;  /* enum probe_event */
    uint32_t tags;    /* of its observers; 0: not tagged */
    uint32_t write;   /* IN_WRITING: number of the entry of the write buffer */
    uint32_t written; /* once that has left: the access's events (enum probe_event) */
    uint8_t flags;    /* enum in_flag */
    uint8_t trap;     /* enum rv_trap */
    struct rv_outcome outcome;
    struct bpred_info predict;
    struct probe_insn probe;
};

struct in_unit {
    uint32_t count, latency, used;
    bool pipelined;
    uint64_t busy_until[IN_UNITS];
};

/* An entry of the write buffer: one line, with all stores to it that came before it left. */
struct in_write {
    uint64_t ea, done; /* done: once sent, when the cache has it */
    uint64_t mask;     /* of 64 parts of the line, those that are stored to from end to end */
    uint8_t bytes;
};

struct inorder {
    uint64_t now;
    uint64_t head, issue, arrived, tail;
    struct in_entry *entry; /* owned; IN_RING */

    uint64_t reg_ready[IN_REGISTERS];
    uint8_t reg_blame[IN_REGISTERS]; /* offset in struct core_stats of what its consumers wait for, in words */
    struct in_unit unit[RV_UNIT_COUNT];
    uint64_t last_store;  /* cycle in which one issued */
    uint64_t redirect_at; /* an issued branch was mispredicted: it resolves then; 0: none */
    bool serial;          /* one that must be alone has issued */
    struct in_write write[IN_WRITES];
    uint32_t write_head, write_send, write_tail;
    bool write_flush; /* the buffer is to be emptied: an instruction waits for that */

    struct front front;

    uint64_t retired, issued, limit, begin_cycle, begin_retired;
    uint64_t wake;     /* where nothing happens: the earliest cycle in which something may */
    uint64_t *stall;   /* in stats: why the head of the issue stage did not issue */
    uint64_t *fetched; /* in stats: what fetch did in the cycle, or why nothing */
    uint64_t *empty;   /* in stats: why the issue stage is empty, where fetch does not know better */
    bool finished, active;
    uint8_t squash_cause; /* enum probe_cause of the squash that goes on */
    struct interrupt interrupt;
    struct core_stats stats;
    struct core_config cfg;
    struct hierarchy mem;
    struct bpred bpred;
    struct probe_port port;
    struct probe_token token;
};

static inline struct in_entry *in_at(struct inorder *c, uint64_t position) { return &c->entry[position % IN_RING]; }

static inline void in_wake_at(struct inorder *c, uint64_t cycle)
{
    if (cycle < c->wake)
        c->wake = cycle;
}

/* Reports the stage to its subscribers, the n-th in its list being the first that takes the instruction. */
void in_deliver(struct inorder *c, struct in_entry *e, enum probe_stage stage, int n);
/* Delivers a tagged instruction that has retired (PROBE_CAUSE_NONE) or been squashed. */
void in_deliver_tagged(struct inorder *c, struct in_entry *e, enum probe_cause cause);

static inline void in_stage(struct inorder *c, struct in_entry *e, enum probe_stage stage)
{
    if ((c->port.stages_wanted & 1u << stage) == 0)
        return;
    const struct observer_list *l = &c->port.stage_list[stage];
    probe_port_note(&c->port, &e->probe, stage, c->now);
    int n = probe_port_next(l, 0, (enum opclass)e->insn->opclass, c->now);
    if (n < l->count)
        in_deliver(c, e, stage, n);
}

/* The instruction has these events (enum probe_event), from this cycle on. */
static inline void in_event(struct inorder *c, struct in_entry *e, uint32_t events)
{
    e->events |= events;
    probe_port_happens(&c->port, events, c->now);
}

/* Asks the list's observers, if it has any, whether they tag the instruction. */
static inline void in_tag(struct inorder *c, struct in_entry *e, const struct tagger_list *l)
{
    if (!probe_port_asks(l, e->seq, (enum opclass)e->insn->opclass, c->now))
        return;
    uint32_t before = e->tags;
    e->tags |= probe_port_tags(&c->port, l, e->seq, e->pc, (enum opclass)e->insn->opclass, c->now);
    if (before == 0 && e->tags != 0)
        probe_port_tagged(&c->port, l, &e->probe, c->now);
}

void in_fetch_tick(struct inorder *c);
void in_arrive_tick(struct inorder *c);
void in_issue_init(struct inorder *c);
void in_issue_tick(struct inorder *c);
void in_complete_tick(struct inorder *c);
void in_write_tick(struct inorder *c);

void inorder_print(const void *self, FILE *out);

/* Removes all from `position` on, and fetch goes on at pc with that history. */
void in_squash(struct inorder *c, uint64_t position, uint64_t pc, struct bpred_history history, enum probe_cause cause);

#endif
