/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The out-of-order core's state, shared by its stages. Private to core-model/pipe.
 *
 * One power-of-two ring holds all instructions in flight, from fetch to retirement, by position:
 *
 *      head            rob_tail            fetch_tail
 *       | reorder buffer  | fetch buffer      |
 *
 * A position grows with each fetch and falls back at a squash; its low bits index the ring and all arrays beside it.
 * What is looked at every cycle (struct slot, one cache line of the host) is apart from what is needed once (outcome,
 * prediction, probe record).
 *
 * Instructions are executed functionally when they are fetched, along the predicted path; a squash takes them back,
 * youngest first. The pipeline only decides when things happen. No stage scans the ROB or a queue: completions come
 * from an event wheel, operands from lists of waiting consumers, and selection from one ready bitmap per queue over
 * ring indices, oldest first. */
#ifndef CORE_MODEL_PIPE_PIPE_H
#define CORE_MODEL_PIPE_PIPE_H

#include "core-model/engine.h"

enum { NIL = 0xffff, REGISTERS = 64, WHEEL_CYCLES = 1024, STORE_FILTER = 512, RING_MAX = 1024 };

enum queue { QUEUE_MEM, QUEUE_INT, QUEUE_FP, QUEUE_COUNT };

enum slot_flag {
    SLOT_EXECUTED = 1 << 0,    /* its effects are in the hart: a squash must take them back */
    SLOT_QUEUED = 1 << 1,      /* holds an issue queue entry */
    SLOT_READY = 1 << 2,       /* is in its queue's ready bitmap */
    SLOT_DONE = 1 << 3,        /* may retire */
    SLOT_UNRESOLVED = 1 << 4,  /* counts against max_branches */
    SLOT_RAS = 1 << 5,         /* changed the return address stack */
    SLOT_WRONG = 1 << 6,       /* the path fetched after it is not the one it takes */
    SLOT_REPLAY = 1 << 7,      /* overtook a conflicting store: fetched again when it is the oldest */
    SLOT_DEFERRED = 1 << 8,    /* executes when it is alone, not at fetch */
    SLOT_ADDRESS = 1 << 9,     /* store: address generated */
    SLOT_DATA = 1 << 10,       /* store: datum there */
    SLOT_RETRY = 1 << 11,      /* load: its event is another look at store queue and cache */
    SLOT_TRANSLATED = 1 << 12, /* has been through the data TLB */
    SLOT_TAGGED = 1 << 13,     /* has tags */
    SLOT_BLOCKED = 1 << 14     /* load: has waited for an older store */
};

struct slot {
    uint64_t pc;
    const struct rv_insn *insn;
    uint64_t seq;
    uint64_t dispatch_cycle; /* earliest entry into the ROB */
    uint32_t store_mark;     /* store queue tail when it entered: older stores are below (stores: its own index) */
    uint32_t events;         /* enum probe_event */
    uint16_t packet;         /* which fetch packet it came with: consecutive numbers, which a squash gives out again */
    uint16_t next, prev;     /* in the list it is in */
    uint16_t list;           /* which: wheel bucket or store's waiters; NIL */
    uint16_t dst, old_dst;   /* physical registers; NIL where it writes none */
    uint16_t src[3];         /* physical registers; NIL where it reads none */
    uint16_t flags;          /* enum slot_flag */
    uint8_t waiting;         /* operands it cannot issue without */
    uint8_t queue;           /* enum queue */
    uint8_t trap;            /* enum rv_trap */
    uint8_t level;           /* enum mem_level of its data */
};
_Static_assert(sizeof(struct slot) == 64, "one cache line");
_Static_assert((int)PROBE_EVENT_COUNT <= 32, "probe.def: more events than struct slot has bits");

/* A store from rename until the cache has it. */
struct store {
    uint64_t ea, done_cycle;         /* done_cycle: once sent, when it is in the cache */
    uint64_t data_cycle;             /* from then on the datum is in the queue; 0: since it was renamed */
    uint64_t violator, violator_seq; /* oldest load that overtook it and overlaps; seq 0: none */
    uint32_t index;                  /* ring index of its instruction */
    uint8_t bytes;
    bool known; /* loads see its address */
    bool ready; /* address and datum there */
};

struct unit {
    uint16_t latency;
    uint8_t count;
    bool pipelined;
    uint8_t used; /* in used_cycle */
    uint64_t used_cycle;
    uint64_t busy_until[8]; /* of those that are not pipelined */
};

/* What the current cycle has done, for the cycle stack and the commit token. */
struct cycle_report {
    uint64_t head, rob_tail; /* before commit */
    uint64_t exception_pc, dispatch_pc;
    uint64_t *stall;   /* in stats: why rename stopped at its first instruction; NULL */
    uint64_t *fetch;   /* in stats: what fetch did, or why nothing */
    uint64_t *blocked; /* in stats: why rename stopped at any instruction; NULL */
    uint32_t renamed;
    uint32_t commits;
    bool exception, dispatching;
    bool active;   /* something changed: the next cycle cannot be skipped */
    uint64_t wake; /* where nothing did: the earliest cycle, besides the wheel's, in which something may */
};

enum empty_cause { EMPTY_FRONTEND, EMPTY_MISPREDICT, EMPTY_FLUSH, EMPTY_EXCEPTION, EMPTY_ORDERING, EMPTY_HANDLER };

struct ooo {
    uint64_t now;
    struct cycle_report cycle;

    /* Side by side, so that a cycle adds them up in a few operations: what is in use is each, or the difference of two.
     */
    union {
        struct {
            uint64_t head, rob_tail, fetch_tail;
        };
        _Alignas(16) uint64_t positions[4];
    };
    union {
        struct {
            uint32_t queue_used[QUEUE_COUNT], unresolved, loads, free_count[2];
            uint32_t targets; /* entries of the fetch target queue, as of fetch */
        };
        _Alignas(16) uint32_t counts[8];
    };
    union {
        struct {
            uint32_t store_head, store_send, store_commit, store_tail;
        };
        uint32_t stores[4];
    };
    struct in_use {
        _Alignas(16) uint64_t positions[4];
        uint32_t counts[8], stores[4], cycles_left; /* until the sums go into stats */
    } recent;

    uint32_t ring_mask, ring_words; /* words of a bitmap over the ring */
    struct slot *slot;
    struct rv_outcome *outcome;
    struct bpred_history *history; /* before each instruction */
    uint32_t *tags;                /* of instructions with SLOT_TAGGED */
    uint64_t *due;                 /* cycle of its event, which may lie beyond the wheel */
    struct bpred_info *predict;
    struct probe_insn *probe; /* holds the stages' cycles that observers read; the rest is set for each call */
    uint8_t squash_cause;     /* enum probe_cause of the squash that goes on */

    /* rename */
    uint16_t map[REGISTERS];
    uint8_t *reg_ready;     /* per physical register */
    uint16_t *reg_waiters;  /* youngest waiting operand: ring index * 4 + operand number, or NIL */
    uint16_t *next_waiter;  /* by the same number: the next older */
    uint16_t *free_list[2]; /* stacks: integer, floating-point */
    uint32_t first_fp;
    uint8_t queue_for[RV_UNIT_COUNT]; /* enum queue */
    uint32_t queue_size[QUEUE_COUNT], ready_count[QUEUE_COUNT];
    uint64_t ready[QUEUE_COUNT][RING_MAX / 64];
    bool serial_in_rob;

    /* execution */
    struct unit unit[RV_UNIT_COUNT];
    uint64_t ports_cycle;
    uint32_t ports_used;
    uint16_t *list_head; /* wheel buckets, then one list of waiting loads per store queue entry */
    uint64_t wheel_map[WHEEL_CYCLES / 64];
    struct store *store;
    uint32_t store_mask;
    uint32_t store_unknown;
    uint16_t store_filter[STORE_FILTER];
    uint8_t *store_wait;
    uint64_t store_wait_until;

    struct front front;

    /* commit */
    uint64_t retired, limit;
    uint64_t begin_cycle, begin_retired; /* what is reported counts from here */
    bool finished;
    struct interrupt interrupt;
    uint8_t empty;    /* enum empty_cause: why the ROB is, or would be, empty */
    uint64_t *refill; /* in stats: what rename's slots count as that find no instruction */

    struct core_stats stats;
    struct core_config cfg;
    struct hierarchy mem;
    struct bpred bpred;

    struct probe_port port;
    struct probe_token token; /* of this cycle, if token_complete */
    bool token_complete;
    struct probe_oir offender; /* of the last exception that has fired */
    uint64_t offender_head;    /* head when an exception fired or an interrupt was taken, for the last time */
    uint64_t handled_head;     /* head while a handler ran, for the last time */
    uint64_t merged_to;        /* observers of merged tokens have, or the port keeps, what was before this cycle */
};

/* Stages, in the order a cycle runs them: from commit back to fetch, so that what a stage frees is used in the next
 * cycle. */
void commit_tick(struct ooo *c);
/* Behind commit, where one is due. */
void commit_interrupt(struct ooo *c);
/* The address of the oldest instruction that has not retired. */
static inline uint64_t commit_next_pc(const struct ooo *c)
{
    return c->head != c->fetch_tail ? c->slot[c->head & c->ring_mask].pc : c->front.hart->pc;
}
void event_tick(struct ooo *c);
void issue_tick(struct ooo *c);
void rename_tick(struct ooo *c);
void store_tick(struct ooo *c);
void fetch_tick(struct ooo *c);

void rename_init(struct ooo *c);
void rename_fini(struct ooo *c);
/* Takes a renamed instruction out of map, lists and queues. Youngest first. */
void rename_squash(struct ooo *c, uint32_t i);

/* The register has its value: wakes the instructions that wait for it. */
void issue_wake(struct ooo *c, uint16_t reg);
/* The instruction may retire: result, branch resolution. */
void issue_complete(struct ooo *c, uint32_t i);

void lsq_init(struct ooo *c);
void lsq_fini(struct ooo *c);
void lsq_rename(struct ooo *c, uint32_t i);
void lsq_squash(struct ooo *c, uint32_t i);
void lsq_issue(struct ooo *c, uint32_t i);
/* A store's address generation or a load's retry is due. */
void lsq_event(struct ooo *c, uint32_t i);
/* A store's datum has arrived. */
void lsq_store_data(struct ooo *c, uint32_t i);
/* Frees the store queue entries that the cache has. */
void lsq_free(struct ooo *c);

/* Removes all from `position` on, youngest first, and takes back what they executed. */
void squash_from(struct ooo *c, uint64_t position, enum probe_cause cause);
/* The same, and fetch goes on at pc with that history. */
void squash_redirect(struct ooo *c, uint64_t position, uint64_t pc, struct bpred_history history,
                     enum probe_cause cause);

/* Reports the stage to its subscribers, the n-th in its list being the first that takes the instruction. */
void probe_deliver(struct ooo *c, uint32_t i, enum probe_stage stage, int n);
/* Reports DATA_READY or ISSUED, unless the instruction is a store that lacks its datum. Such a store issues for its
 * address; for observers it has its operands, and has issued, when both are there. */
void probe_with_datum(struct ooo *c, uint32_t i, enum probe_stage stage);
/* The datum of a store has arrived: the same, of what that completes. */
void probe_datum(struct ooo *c, uint32_t i);
/* Delivers a tagged instruction that has retired (PROBE_CAUSE_NONE) or been squashed. */
void probe_deliver_tagged(struct ooo *c, uint32_t i, enum probe_cause cause);
/* To be called right after commit if an observer wants the token of the cycle: makes it. The token is sent at the end
 * of the cycle. */
void probe_snapshot(struct ooo *c);
void probe_send_token(struct ooo *c, uint64_t repeat);
/* For observers of merged tokens, at the end of a cycle: one in which instructions commit (see below), and `cycles` in
 * which the ROB is empty, or one in which an exception fires. Other cycles need no call: the oldest instruction waits
 * in them. */
void probe_merge_empty(struct ooo *c, uint64_t cycles);
/* Of the first: begins a run of such cycles; adds addresses and events of the instructions, which begin at that index.
 */
void probe_merge_anew(struct ooo *c);
void probe_merge_pcs(struct ooo *c, uint32_t insn);
void probe_merge_events(struct ooo *c, uint32_t insn);
/* The oldest instruction has waited up to cycle `end`, and does not commit in it. */
void probe_merge_stall(struct ooo *c, uint64_t end);
void stats_account(struct ooo *c, uint64_t cycles);
/* Adds what is recent. */
void stats_add_recent(const struct ooo *c, struct core_stats *s);
void stats_begin(struct ooo *c);
void ooo_check(const void *self);
void ooo_print(const void *self, FILE *out);

/* Entries of the fetch target queue: packets of which an instruction is in flight. */
static inline uint32_t fetch_targets(const struct ooo *c)
{
    if (c->head == c->fetch_tail)
        return 0;
    uint16_t youngest = c->slot[(c->fetch_tail - 1) & c->ring_mask].packet;
    return (uint16_t)(youngest - c->slot[c->head & c->ring_mask].packet) + 1u;
}

static inline void core_wake_at(struct ooo *c, uint64_t cycle)
{
    if (cycle < c->cycle.wake)
        c->cycle.wake = cycle;
}

static inline void probe_stage(struct ooo *c, uint32_t i, enum probe_stage stage)
{
    if ((c->port.stages_wanted & 1u << stage) == 0)
        return;
    probe_port_note(&c->port, &c->probe[i], stage, c->now);
    if ((c->port.stages_called & 1u << stage) == 0)
        return;
    const struct observer_list *l = &c->port.stage_list[stage];
    int n = probe_port_next(l, 0, (enum opclass)c->slot[i].insn->opclass, c->now);
    if (n < l->count)
        probe_deliver(c, i, stage, n);
}

/* The instruction has these events (enum probe_event), from this cycle on. */
static inline void probe_event(struct ooo *c, struct slot *s, uint32_t events)
{
    s->events |= events;
    probe_port_happens(&c->port, events, c->now);
}

/* Asks the list's observers, if it has any, whether they tag the instruction. */
static inline void probe_tag(struct ooo *c, uint32_t i, struct slot *s, const struct tagger_list *l)
{
    if (!probe_port_asks(l, s->seq, (enum opclass)s->insn->opclass, c->now))
        return;
    uint32_t tags = probe_port_tags(&c->port, l, s->seq, s->pc, (enum opclass)s->insn->opclass, c->now);
    if (tags == 0)
        return;
    if (s->flags & SLOT_TAGGED) {
        c->tags[i] |= tags;
        return;
    }
    c->tags[i] = tags;
    s->flags |= SLOT_TAGGED;
    probe_port_tagged(&c->port, l, &c->probe[i], c->now);
}

/* Are these cycles, in which the ROB is empty, like those of the merged token that waits? Then they join it. */
static inline bool probe_joins(struct ooo *c, uint64_t cycles)
{
    const struct cycle_report *r = &c->cycle;
    struct probe_token *t = &c->port.joined;
    if (t->repeat == 0 || r->exception || r->dispatching || (r->stall != NULL) != t->blocked ||
        (t->blocked && r->dispatch_pc != t->dispatch_pc) ||
        interrupt_handled_at(&c->interrupt, c->now - cycles) != t->handler)
        return false;
    t->repeat += cycles;
    c->merged_to = c->now;
    return true;
}

static inline void probe_merge_commits(struct ooo *c)
{
    struct probe_commits *b = &c->port.commits;
    const uint32_t commits = (uint32_t)(c->head - c->cycle.head), insns = b->insns;
    if (b->cycles == 0)
        probe_merge_anew(c);
    struct probe_commit *at = &b->at[b->cycles++];
    at->stalled = c->now - 1 - c->merged_to;
    at->committing = commits;
    c->merged_to = c->now;
    b->insns = insns + commits;
    const uint32_t first = (uint32_t)c->cycle.head & c->ring_mask;
    if (commits <= 4 && first + 4 <= c->ring_mask) { /* more than that are copied at once */
        const struct slot *s = &c->slot[first];
        uint64_t *to = &b->pc[insns];
        to[0] = s[0].pc, to[1] = s[1].pc, to[2] = s[2].pc, to[3] = s[3].pc;
    } else {
        probe_merge_pcs(c, insns);
    }
    if (c->port.merged.reads_events)
        probe_merge_events(c, insns);
    if (b->cycles == PROBE_COMMIT_CYCLES)
        probe_port_flush_token(&c->port);
}

static inline void rename_free(struct ooo *c, uint16_t reg)
{
    uint32_t f = reg >= c->first_fp;
    c->free_list[f][c->free_count[f]++] = reg;
}

static inline bool is_kind(const struct slot *s, enum rv_unit unit) { return s->insn->unit == unit; }

static inline bool probe_wants(const struct ooo *c, enum probe_stage stage)
{
    return (c->port.stages_wanted & 1u << stage) != 0;
}

/* Instruction i has the operands it issues with: a store's datum is not among them. */
static inline void issue_ready(struct ooo *c, uint32_t i, struct slot *s)
{
    s->flags |= SLOT_READY;
    c->ready[s->queue][i / 64] |= UINT64_C(1) << (i % 64);
    c->ready_count[s->queue]++;
    if (probe_wants(c, PROBE_DATA_READY))
        probe_with_datum(c, i, PROBE_DATA_READY);
}

#endif
