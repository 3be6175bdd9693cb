/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The out-of-order core's state, shared by its stages. Private to core-model/pipe.
 *
 * One power-of-two ring holds all instructions in flight, from fetch to retirement, by position:
 *
 *      head            rob_tail            fetch_tail
 *       | reorder buffer  | fetch buffer      |
 *
 * A position is incremented at each fetch and rolled back at a squash; its low bits index the ring and all parallel
 * arrays. Data used every cycle (struct slot, one cache line of the host) are separate from data used once (outcome,
 * prediction, probe record).
 *
 * Instructions are executed functionally at fetch along the predicted path; a squash undoes them, youngest first. The
 * pipeline models only timing. No stage scans the ROB or a queue: completions come from an event wheel, operands from
 * lists of waiting consumers, and selection from one ready bitmap per queue over ring indices, oldest first. */
#ifndef CORE_MODEL_PIPE_PIPE_H
#define CORE_MODEL_PIPE_PIPE_H

#include "core-model/engine.h"

enum { NIL = 0xffff, SOON = 0xfffe, REGISTERS = 64, WHEEL_CYCLES = 1024, STORE_FILTER = 512, RING_MAX = 1024 };

enum queue { QUEUE_MEM, QUEUE_INT, QUEUE_FP, QUEUE_COUNT };

enum slot_flag {
    SLOT_EXECUTED = 1 << 0,    /* executed in the hart: a squash must undo it */
    SLOT_QUEUED = 1 << 1,      /* occupies an issue queue entry */
    SLOT_READY = 1 << 2,       /* set in its queue's ready bitmap */
    SLOT_DONE = 1 << 3,        /* may retire */
    SLOT_UNRESOLVED = 1 << 4,  /* counts against max_branches */
    SLOT_RAS = 1 << 5,         /* modified the return address stack */
    SLOT_WRONG = 1 << 6,       /* mispredicted: the path fetched after it is wrong */
    SLOT_REPLAY = 1 << 7,      /* load that bypassed a conflicting store: refetched when oldest */
    SLOT_DEFERRED = 1 << 8,    /* executes when alone in the pipeline, not at fetch */
    SLOT_ADDRESS = 1 << 9,     /* store: address generated */
    SLOT_DATA = 1 << 10,       /* store: data available */
    SLOT_RETRY = 1 << 11,      /* load: its event is a retry of store queue and cache */
    SLOT_TRANSLATED = 1 << 12, /* translated by the data TLB */
    SLOT_TAGGED = 1 << 13,     /* tagged by an observer */
    SLOT_BLOCKED = 1 << 14,    /* load: has been blocked by an older store */
    SLOT_AWAITED = 1 << 15     /* load: has waited for its line to arrive at another hart */
};

struct slot {
    uint64_t pc;
    const struct rv_insn *insn;
    uint64_t seq;
    uint64_t dispatch_cycle; /* earliest entry into the ROB */
    uint32_t events;         /* enum probe_event */
    uint16_t flags;          /* enum slot_flag */
    uint8_t trap;            /* enum rv_trap */
    uint8_t level;           /* enum mem_level of its data */
    uint32_t store_mark;     /* store queue tail at rename: older stores have lower numbers (store: its own number) */
    uint16_t packet;         /* number of its fetch packet; consecutive, reused after a squash */
    uint16_t next, prev;     /* links of its list */
    uint16_t list;           /* its list: wheel bucket, SOON, or a store's waiting loads; NIL: none */
    uint16_t dst, old_dst;   /* physical registers; NIL: no destination */
    uint16_t src[3];         /* physical registers; NIL: no operand */
    uint8_t waiting;         /* number of operands not yet available */
    uint8_t queue;           /* enum queue */
};
enum { SLOTS_BEHIND = 3 }; /* after the end of the ring: slots may be read four at a time */
_Static_assert(sizeof(struct slot) == 64, "one cache line");
_Static_assert((int)PROBE_EVENT_COUNT <= 32, "probe.def: more events than struct slot has bits");

/* A store from rename until it is in the cache. */
struct store {
    uint64_t ea, pc;
    uint64_t done_cycle; /* in which it is in the cache; before sending: when its line is free, 0: not asked */
    uint64_t data_cycle; /* first cycle with the data in the queue; 0: since rename */
    uint64_t violator, violator_seq; /* oldest load that bypassed it and overlaps; seq 0: none */
    uint32_t index;                  /* ring index of its instruction */
    uint8_t bytes;
    bool known;     /* its address is visible to loads */
    bool ready;     /* address and data are available */
    bool performed; /* visible to other harts */
};

enum { UNITS_MAX = 16 }; /* rows of the tables below, at least RV_UNIT_COUNT: two words of the host */
_Static_assert((int)RV_UNIT_COUNT <= (int)UNITS_MAX, "UNITS_MAX");

/* Function units, by enum rv_unit. */
struct units {
    _Alignas(16) uint8_t count[UNITS_MAX];
    _Alignas(16) uint8_t left[UNITS_MAX]; /* operations that can still start in this cycle */
    uint32_t ports_left;                  /* the same, of the memory ports */
    uint32_t unpipelined;                 /* bit set */
    uint16_t latency[UNITS_MAX];
    uint64_t (*busy_until)[8]; /* per instance of each unpipelined unit; [UNITS_MAX], owned */
};

/* Activity of the current cycle, for the cycle stack and the commit token. */
struct cycle_report {
    uint64_t head, rob_tail; /* before commit */
    uint64_t *fetch;         /* statistic: activity of fetch, or cause of its stall */
    uint64_t wake;           /* if not active: the earliest cycle with possible activity, except events of the wheel */
    uint64_t store_wake;     /* the same, in which the oldest store is in the cache */
    uint64_t exception_pc;   /* from here on all is 0 at the beginning */
    uint64_t dispatch_pc;
    uint64_t *stall;   /* statistic: why rename stalled at its first instruction; NULL: it did not */
    uint64_t *blocked; /* statistic: why rename stalled at any instruction; NULL: it did not */
    uint32_t renamed;
    uint32_t issued;
    uint32_t commits;
    bool exception, dispatching;
    bool active; /* state has changed: the next cycle cannot be skipped */
};

/* A category of lost slots, and the address of its instruction. Without activity it changes in cycle `changes`, if
 * that is ahead. */
struct slot_cause {
    enum topdown_leaf leaf;
    uint64_t pc, changes;
};

/* What observers of slots are told besides (slots.c). */
struct slot_causes {
    struct slot_cause entry;         /* why the last slot at rename was lost */
    uint32_t beyond[TOPDOWN_STAGES]; /* instructions that have passed the stage beyond its width, for later cycles */
    uint8_t refill;    /* enum topdown_leaf: why no instruction enters after the last squash, until one does */
    uint64_t squasher; /* address of the instruction that caused it */
    uint8_t waited;    /* enum topdown_leaf: why fetch has delivered nothing since its last packet */
    uint8_t packet_waited[RING_MAX]; /* the same, by fetch packet */
    uint64_t *translated; /* by ring index, of instructions that missed the L1 TLB: cycle with the address; owned */
};

/* Cycles with commits that have not been sent to the observers of merged tokens. Their instructions are not copied one
 * by one: they stay in the ring until fetch reaches their slots, and all are copied before it can. */
struct pending_commits {
    uint64_t first, limit; /* position of the oldest instruction; `head` must not exceed the limit. 0: none pending */
    uint32_t most;         /* the limit is this far from the first position */
    struct probe_commit *next; /* in port.commits */
};

/* Why an instruction cannot be renamed: a resource is used up. It cannot be until the count of that resource changes,
 * because nothing else is renamed before it. */
struct stall {
    uint64_t seq;          /* of the instruction; 0: none */
    const uint32_t *count; /* of the resource, and its value if all are used */
    uint32_t full;
    uint64_t *statistic;
};

enum empty_cause { EMPTY_FRONTEND, EMPTY_MISPREDICT, EMPTY_FLUSH, EMPTY_EXCEPTION, EMPTY_ORDERING, EMPTY_HANDLER };

struct ooo {
    uint64_t now;
    struct cycle_report cycle;

    /* Occupancy counters, adjacent so that they are summed with vector operations: each is an occupancy, or the
     * difference of two is. */
    union {
        struct {
            uint64_t head, rob_tail, fetch_tail;
        };
        _Alignas(16) uint64_t positions[4];
    };
    union {
        struct {
            uint32_t queue_used[QUEUE_COUNT], unresolved, loads, free_count[2];
            uint32_t targets; /* occupied entries of the fetch target queue after fetch */
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
        uint32_t counts[8], stores[4], cycles_left; /* cycles left until the sums are added to the statistics */
    } recent;

    uint32_t ring_mask, ring_words; /* index mask; number of words of a bitmap over the ring */
    struct slot *slot;
    struct rv_outcome *outcome;
    struct bpred_history *history; /* history before each instruction */
    uint32_t *tags;                /* valid with SLOT_TAGGED */
    uint32_t tagged_classes;       /* bit set by enum opclass: classes of which an instruction has been tagged */
    uint64_t *due;                 /* cycle of its event, possibly beyond the wheel's horizon */
    struct bpred_info *predict;
    struct probe_insn *probe; /* keeps the cycles of stages that observers read; other members are set per call */
    uint8_t squash_cause;     /* enum probe_cause of the current squash */

    /* rename */
    uint16_t map[REGISTERS];
    uint8_t *reg_ready;     /* by physical register */
    uint16_t *reg_waiters;  /* by physical register: youngest waiting operand (ring index * 4 + number), or NIL */
    uint16_t *next_waiter;  /* by operand, numbered in the same way: next older waiting operand */
    uint16_t *free_list[2]; /* stacks: integer, floating-point */
    uint32_t first_fp;
    uint8_t queue_for[RV_UNIT_COUNT]; /* enum queue */
    uint32_t queue_size[QUEUE_COUNT], ready_count[QUEUE_COUNT];
    uint64_t ready[QUEUE_COUNT][RING_MAX / 64];
    bool serial_in_rob;
    struct stall stall;

    /* execution */
    struct units units;
    uint16_t *soon[2]; /* ring indices of the instructions whose events are in the next cycle, and in this one */
    uint32_t soon_count;
    uint16_t *list_head; /* wheel buckets, then one list of waiting loads per store queue entry */
    uint64_t wheel_map[WHEEL_CYCLES / 64];
    struct store *store;
    uint32_t store_mask;
    uint32_t store_unknown;
    uint16_t store_filter[STORE_FILTER];
    uint8_t *store_wait;
    uint64_t store_wait_until;

    struct front front;
    struct memo *memo;         /* owned; NULL: none */
    const struct ideal *ideal; /* borrowed; NULL: nothing is idealised */

    /* commit */
    uint64_t retired, limit;
    uint64_t until;                      /* end of the hart's turn */
    bool shares;                         /* there are other harts */
    uint64_t begin_cycle, begin_retired; /* start of the measured interval */
    bool finished;
    struct interrupt interrupt;
    uint8_t empty;    /* enum empty_cause: cause if the ROB is or becomes empty */
    uint64_t *refill; /* statistic that counts rename slots without an instruction */
    struct slot_causes causes;

    struct core_stats stats,
        outside; /* outside: what the functions of outside.h count; the sums of both are reported */
    struct core_config cfg;
    struct hierarchy mem;
    struct bpred bpred;

    struct probe_port port;
    struct probe_token token; /* token of this cycle, valid if token_complete */
    bool token_complete;
    struct probe_oir offender; /* OIR of the last exception */
    uint64_t offender_head;    /* head at the last exception or interrupt */
    uint64_t handled_head;     /* head during the last handler */
    struct pending_commits pending;
    uint64_t merged_to; /* cycles before this one have been delivered to observers of merged tokens, or are pending in
                         * the port */
};

/* Stages, in order of evaluation within a cycle: from commit back to fetch, so that the output of a stage reaches the
 * next stage in the next cycle. */
void commit_tick(struct ooo *c);
/* The position from which all instructions may be squashed: with several harts, not an atomic that has executed. */
uint64_t commit_first_squashable(const struct ooo *c);
/* To be called after commit_tick if an interrupt is due. */
void commit_interrupt(struct ooo *c);
/* The handler of the guest's alarm; ctx is the core. */
uint64_t commit_alarm(void *ctx, uint64_t cycle, uint64_t pc);
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
/* Renames an instruction again, in program order, whose flags are those of a state of the pipeline (pack.h); `store` is
 * the number of the next store. */
void rename_again(struct ooo *c, uint32_t i, uint32_t *store);
/* Removes a renamed instruction from map, lists and queues; to be called youngest first. */
void rename_squash(struct ooo *c, uint32_t i);

/* Wakes the instructions that wait for the register. */
void issue_wake(struct ooo *c, uint16_t reg);
/* Completes an instruction: result and branch resolution. */
void issue_complete(struct ooo *c, uint32_t i);

void lsq_init(struct ooo *c);
void lsq_fini(struct ooo *c);
void lsq_rename(struct ooo *c, uint32_t i);
void lsq_squash(struct ooo *c, uint32_t i);
/* The store becomes visible to other harts, if it has not. */
void lsq_show_store(struct ooo *c, struct store *st);
/* Removes the youngest entries of the store queue. */
void lsq_forget(struct ooo *c, uint32_t stores);
void lsq_issue(struct ooo *c, uint32_t i);
/* Handles a store's address generation or a load's retry. */
void lsq_event(struct ooo *c, uint32_t i);
/* The data of a store have become available. */
void lsq_store_data(struct ooo *c, uint32_t i);
/* Frees the store queue entries of stores that are in the cache. With several harts, they become visible to others. */
void lsq_free(struct ooo *c);
/* lsq_free in each cycle, for other harts. */
void lsq_perform(struct ooo *c);
/* The retired stores become visible to other harts, before the kernel acts. */
void lsq_drain(struct ooo *c);

/* Squashes all instructions from `position` on, youngest first, and undoes their execution; then fetch resumes at pc
 * with the given history. */
void squash_redirect(struct ooo *c, uint64_t position, uint64_t pc, struct bpred_history history,
                     enum probe_cause cause);

/* Reports the stage to its subscribers from the n-th in the list on. */
void probe_deliver(struct ooo *c, uint32_t i, enum probe_stage stage, int n);
/* Reports DATA_READY or ISSUED, except for a store without its data: such a store issues for address generation, but
 * for observers it is ready and issued when address and data are available. */
void probe_with_datum(struct ooo *c, uint32_t i, enum probe_stage stage);
/* Reports DATA_READY and ISSUED of a store whose data have become available. */
void probe_datum(struct ooo *c, uint32_t i);
/* Delivers a tagged instruction that has retired, the last one before the head. */
void probe_deliver_retired(struct ooo *c, uint32_t i);
void probe_transfer(struct ooo *c, uint32_t i);
/* Delivers a tagged instruction that has been squashed. */
void probe_deliver_squashed(struct ooo *c, uint32_t i, enum probe_cause cause);
/* Creates the cycle's commit token; to be called directly after commit if an observer subscribes to the token of this
 * cycle. It is sent at the end of the cycle. */
void probe_snapshot(struct ooo *c);
void probe_send_token(struct ooo *c, uint64_t repeat);
/* For observers of merged tokens, to be called at the end of a cycle with commits (see below), or for `cycles` cycles
 * with an empty ROB or one with an exception. In all other cycles the oldest instruction stalls, which needs no
 * call. */
void probe_merge_empty(struct ooo *c, uint64_t cycles);
/* Sends the pending cycles with commits and begins a sequence of such cycles with this one. */
void probe_merge_anew(struct ooo *c);
/* Sends what is pending to the observers of merged tokens. All cycles with commits have been added. */
void probe_merge_flush(struct ooo *c);
/* The oldest instruction has stalled up to cycle `end`, in which it does not commit. */
void probe_merge_stall(struct ooo *c, uint64_t end);
void stats_account(struct ooo *c, uint64_t cycles);
/* Reports the slots of the last cycles to the observers of slots; `lost` is the statistic that has counted those of
 * rename without an instruction. */
void slots_report(struct ooo *c, uint64_t cycles, const uint64_t *lost);
/* Instructions from `position` on are squashed. */
void slots_squash(struct ooo *c, uint64_t position, enum probe_cause cause);
/* Adds the sums of the cycles not yet in the statistics. */
void stats_add_recent(const struct ooo *c, struct core_stats *s);
/* The same; they are then in c->stats and c->outside. */
void stats_settle(struct ooo *c);
/* Adds c->outside. */
void stats_add_outside(const struct ooo *c, struct core_stats *s);
void stats_begin(struct ooo *c);
/* Occupancy to subtract for stores that reach the cache within these cycles, in entries x cycles. */
uint64_t stats_leave_early(const struct ooo *c, uint64_t cycles);
/* The sum over these cycles of the occupied entries of the store queue. */
static inline uint64_t stats_store_occupancy(const struct ooo *c, uint64_t cycles)
{
    const uint64_t entries = (c->store_tail - c->store_head) * cycles;
    return c->store_head == c->store_send ? entries : entries - stats_leave_early(c, cycles);
}
/* Runs a cycle and the idle cycles after it. */
void core_cycle_tick(struct ooo *c);
void ooo_check(const void *self);
void ooo_print(const void *self, FILE *out);

/* Occupied entries of the fetch target queue: packets with an instruction in flight. */
static inline uint32_t fetch_targets(const struct ooo *c)
{
    if (c->head == c->fetch_tail)
        return 0;
    uint16_t youngest = c->slot[(c->fetch_tail - 1) & c->ring_mask].packet;
    return (uint16_t)(youngest - c->slot[c->head & c->ring_mask].packet) + 1u;
}

/* Returns whether a handler, or the kernel of an idle hart, runs in the cycle. */
static inline bool core_handled_at(const struct ooo *c, uint64_t cycle)
{
    return interrupt_handled_at(&c->interrupt, cycle) || c->front.halted;
}

/* Returns whether the run has a next cycle. */
static inline bool core_goes_on(const struct ooo *c)
{
    return !c->finished && c->retired < c->limit && c->now < c->until &&
           !(c->front.hart->stop && c->until == UINT64_MAX);
}

static inline void core_wake_at(struct ooo *c, uint64_t cycle)
{
    if (cycle < c->cycle.wake)
        c->cycle.wake = cycle;
}

static inline bool probe_wants(const struct ooo *c, enum probe_stage stage)
{
    return (c->port.stages_wanted & 1u << stage) != 0;
}

static inline void probe_stage(struct ooo *c, uint32_t i, enum probe_stage stage)
{
    if (!probe_wants(c, stage))
        return;
    probe_port_note(&c->port, &c->probe[i], stage, c->now);
    if ((c->port.stages_called & 1u << stage) == 0)
        return;
    const struct listener_list *l = &c->port.stage_list[stage];
    int n = probe_port_next(l, 0, (enum opclass)c->slot[i].insn->opclass, c->now);
    if (n < l->count)
        probe_deliver(c, i, stage, n);
}

/* Adds events (enum probe_event) to the instruction in this cycle. */
static inline void probe_event(struct ooo *c, struct slot *s, uint32_t events)
{
    s->events |= events;
    probe_port_event(&c->port, events, c->now);
}

/* Gives the instruction these tags of the list, of which there is one. */
static inline void probe_set_tags(struct ooo *c, uint32_t i, struct slot *s, const struct tagger_list *l, uint32_t tags)
{
    if (s->flags & SLOT_TAGGED) {
        c->tags[i] |= tags;
        return;
    }
    c->tags[i] = tags;
    c->tagged_classes |= 1u << s->insn->opclass;
    s->flags |= SLOT_TAGGED;
    probe_port_tagged(&c->port, l, &c->probe[i], c->now);
}

/* Calls the taggers of the list, each of which may tag the instruction, which has passed the list's guard. */
void probe_tag_asked(struct ooo *c, uint32_t i, const struct tagger_list *l);
static inline __attribute__((always_inline)) void probe_tag(struct ooo *c, uint32_t i, struct slot *s,
                                                            const struct tagger_list *l)
{
    const enum opclass opclass = (enum opclass)s->insn->opclass;
    if (!probe_port_asks(l, s->seq, opclass, c->now))
        return;
    if (!probe_port_knows(l, opclass, c->now)) {
        probe_tag_asked(c, i, l);
        return;
    }
    const uint32_t tags = probe_port_known_tags(l, s->pc);
    if (tags != 0)
        probe_set_tags(c, i, s, l, tags);
}

/* Merges cycles with an empty ROB into the pending token if they are equal; returns whether they were merged. */
static inline bool probe_joins(struct ooo *c, uint64_t cycles)
{
    const struct cycle_report *r = &c->cycle;
    struct probe_token *t = &c->port.joined;
    if (t->repeat == 0 || r->exception || r->dispatching || (r->stall != NULL) != t->blocked ||
        (t->blocked && r->dispatch_pc != t->dispatch_pc) || core_handled_at(c, c->now - cycles) != t->handler)
        return false;
    t->repeat += cycles;
    c->merged_to = c->now;
    return true;
}

/* Adds this cycle to the pending cycles with commits. */
static inline void probe_add_commit(struct ooo *c)
{
    struct probe_commit *at = c->pending.next++;
    at->stalled = c->now - 1 - c->merged_to;
    at->committing = c->cycle.commits;
    c->merged_to = c->now;
}

static inline void probe_merge_commits(struct ooo *c)
{
    if (c->head > c->pending.limit)
        probe_merge_anew(c);
    else
        probe_add_commit(c);
}

static inline void rename_free(struct ooo *c, uint16_t reg)
{
    uint32_t f = reg >= c->first_fp;
    c->free_list[f][c->free_count[f]++] = reg;
}

static inline bool is_kind(const struct slot *s, enum rv_unit unit) { return s->insn->unit == unit; }

/* Instruction i has the operands needed for issue, which exclude a store's data. */
static inline void issue_ready(struct ooo *c, uint32_t i, struct slot *s)
{
    s->flags |= SLOT_READY;
    c->ready[s->queue][i / 64] |= UINT64_C(1) << (i % 64);
    c->ready_count[s->queue]++;
    if (probe_wants(c, PROBE_DATA_READY))
        probe_with_datum(c, i, PROBE_DATA_READY);
}

#endif
