/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of the in-order core, shared by its stages. Private to core-model/inorder.
 *
 * One ring holds all instructions in flight by position: from `head`, issued but not complete; from `issue`, in the
 * issue stage; from `arrived` to `tail`, in the front end. Instructions issue in program order when their operands are
 * available, several per cycle within the slotting rules, and complete out of order; a scoreboard holds the cycle in
 * which each register becomes ready. As in the Alpha 21164, no instruction stalls after issue, so profilers observe the
 * issue stage as commit: its slots are the banks of the commit token, the oldest waiting instruction is the head, and
 * issue counts as commit (DCPI paper, section 3: CYCLES samples name the instruction at the head of the issue queue).
 *
 * Simplifications: no instruction issues after a mispredicted branch until the branch is resolved, so the wrong path is
 * fetched but never issued; a faulting instruction waits until all earlier instructions are complete. */
#ifndef CORE_MODEL_INORDER_INORDER_H
#define CORE_MODEL_INORDER_INORDER_H

#include "core-model/engine.h"
#include "core-model/front/ideal_access.h"
#include "core-model/inorder/board.h"

enum { IN_RING = 256, IN_WRITES = 512 }; /* IN_WRITES: maximum of the configuration key */

enum in_flag {
    IN_EXECUTED = 1 << 0,  /* executed in the hart: a squash must undo it */
    IN_DEFERRED = 1 << 1,  /* executes when alone in the pipeline, not at fetch */
    IN_RAS = 1 << 2,       /* modified the return address stack */
    IN_WRONG = 1 << 3,     /* mispredicted: the path fetched after it is wrong */
    IN_READY = 1 << 4,     /* its operands are ready, as reported to observers */
    IN_DONE = 1 << 5,      /* complete */
    IN_WRITING = 1 << 6,   /* store that has allocated an entry of the write buffer and waits in it */
    IN_PERFORMED = 1 << 7, /* store that is visible to other harts */
};

struct in_entry {
    uint64_t pc, seq;
    struct bpred_history history; /* history before the instruction */
    const struct rv_insn *insn;
    uint64_t arrives; /* earliest cycle in the issue stage */
    uint64_t done;    /* after issue: cycle of completion */
    uint32_t events;  /* enum probe_event */
    uint32_t ideal;   /* enum ideal_cause: what is idealised of it */
    uint32_t tags;    /* tags set by observers; 0: not tagged */
    uint32_t write;   /* IN_WRITING: number of its write-buffer entry */
    uint32_t written; /* after that entry was sent: events of the access (enum probe_event) */
    uint8_t flags;    /* enum in_flag */
    uint8_t trap;     /* enum rv_trap */
    uint8_t waited;   /* enum topdown_leaf: why fetch had delivered nothing before it */
    struct rv_outcome outcome;
    struct bpred_info predict;
    struct probe_insn probe;
};

/* Write-buffer entry: one line, into which stores merge until it is sent. */
struct in_write {
    uint64_t ea, done; /* done: after sending, the cycle in which it is in the cache */
    uint64_t pc;       /* of its first store */
    uint64_t mask;     /* of 64 parts of the line, those completely written */
    uint8_t bytes;
};

struct inorder {
    uint64_t now;
    uint64_t head, issue, arrived, tail;
    struct in_entry *entry; /* owned; IN_RING */

    struct in_board board;
    uint8_t reg_blame[IN_REGISTERS]; /* by register: statistic for stalls of its consumers, as word offset in struct
                                      * core_stats */
    uint8_t reg_leaf[IN_REGISTERS];  /* the same, as enum topdown_leaf */
    uint64_t redirect_at;            /* cycle in which an issued mispredicted branch resolves; 0: none */
    bool serial;                     /* an instruction that must be alone has issued */
    struct in_write write[IN_WRITES];
    uint32_t write_head, write_send, write_tail;
    bool write_flush;     /* an instruction waits until the buffer is empty */
    uint64_t last_stored; /* issue cycle of the last store; 0: none */

    struct front front;
    const struct ideal *ideal; /* borrowed; NULL: nothing is idealised */

    uint64_t retired, issued, limit, until, begin_cycle, begin_retired;
    uint64_t wake;      /* if nothing happens: the earliest cycle with possible activity */
    uint64_t *stall;    /* statistic: why the head of the issue stage did not issue */
    uint8_t stall_leaf; /* enum topdown_leaf: the same; TOPDOWN_LEAVES: that of the statistic */
    uint8_t waited;     /* enum topdown_leaf: why fetch has delivered nothing since its last packet */
    uint64_t *fetched;  /* statistic: activity of fetch in the cycle, or cause of its stall */
    uint64_t faulted;   /* address of the instruction that raised the last exception */
    uint64_t *empty;    /* statistic: why the issue stage is empty, unless fetch has a more specific cause */
    bool finished, active;
    uint8_t squash_cause; /* enum probe_cause of the current squash */
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

/* Reports the stage to its subscribers from the n-th in the list on. */
void in_deliver(struct inorder *c, struct in_entry *e, enum probe_stage stage, int n);
/* Delivers a tagged instruction that has retired (PROBE_CAUSE_NONE) or been squashed. */
void in_deliver_tagged(struct inorder *c, struct in_entry *e, enum probe_cause cause);

static inline void in_stage(struct inorder *c, struct in_entry *e, enum probe_stage stage)
{
    if ((c->port.stages_wanted & 1u << stage) == 0)
        return;
    const struct listener_list *l = &c->port.stage_list[stage];
    probe_port_note(&c->port, &e->probe, stage, c->now);
    int n = probe_port_next(l, 0, (enum opclass)e->insn->opclass, c->now);
    if (n < l->count)
        in_deliver(c, e, stage, n);
}

/* Adds events (enum probe_event) to the instruction in this cycle. */
static inline void in_event(struct inorder *c, struct in_entry *e, uint32_t events)
{
    e->events |= events;
    probe_port_event(&c->port, events, c->now);
}

/* The causes of the instruction at pc (enum ideal_cause). */
static inline uint32_t in_ideal_of(const struct inorder *c, uint64_t pc)
{
    return c->ideal != NULL ? ideal_causes(c->ideal, pc) : 0;
}

/* The instruction's flags (enum rv_flag) without those of what is idealised. What is deferred has effects outside the
 * hart, so it is always alone. */
static inline uint32_t in_flags_of(const struct in_entry *e)
{
    const bool is_ideal = (e->ideal & IDEAL_FLUSH) != 0 && (e->flags & IN_DEFERRED) == 0;
    return e->insn->flags & ~(is_ideal ? (uint32_t)RV_SERIAL | RV_FLUSH : 0);
}

/* Calls the taggers of the list, each of which may tag the instruction. */
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
/* With other harts: an issued store becomes visible to them, at the latest when it retires. */
void in_perform(struct inorder *c, struct in_entry *e);
void in_complete_tick(struct inorder *c);
void in_write_tick(struct inorder *c);

/* Reports the slots of these cycles to the observers of slots; `lost` is the statistic of the cycle stack for those
 * without an instruction. */
void in_report_slots(struct inorder *c, uint64_t cycles, const uint64_t *lost);

void inorder_print(const void *self, FILE *out);

/* Squashes all instructions from `position` on; fetch resumes at pc with this history. */
void in_squash(struct inorder *c, uint64_t position, uint64_t pc, struct bpred_history history, enum probe_cause cause);

#endif
