/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probe port: the stream of events that a core sends about each instruction and each cycle. Every profiler, the
 * exact references included, is a function of this stream alone, so any number can observe one run, and a hand-written
 * stream is a unit test. The pipeline includes this header and nothing of prof/.
 *
 * Sources: ProfileMe paper section 4.1 (per-instruction stages, events, latencies); TIP paper section 3.1 (the
 * per-cycle commit information: banks, OIR flags). */
#ifndef CORE_MODEL_PROBE_PROBE_H
#define CORE_MODEL_PROBE_PROBE_H

#include "contract/topdown.h"
#include "core-model/riscv/hart.h"
#include "isa/sample.h"

/* The rows of probe.def, and their names. */
enum probe_stage {
#define STAGE(sym, name, meaning) PROBE_##sym,
#include "core-model/probe/probe.def"
    PROBE_STAGE_COUNT
};

enum probe_event_bit {
#define EVENT(sym, name, meaning) PROBE_BIT_##sym,
#include "core-model/probe/probe.def"
    PROBE_EVENT_COUNT
};

enum probe_event {
#define EVENT(sym, name, meaning) PROBE_##sym = 1 << PROBE_BIT_##sym,
#include "core-model/probe/probe.def"
};

enum probe_cause { /* why an instruction was squashed */
#define CAUSE(sym, name, meaning) PROBE_CAUSE_##sym,
#include "core-model/probe/probe.def"
                   PROBE_CAUSE_COUNT
};

extern const char *const probe_stage_names[PROBE_STAGE_COUNT];
extern const char *const probe_event_names[PROBE_EVENT_COUNT];
extern const char *const probe_cause_names[PROBE_CAUSE_COUNT];

/* TIP's Offending Instruction Register (TIP paper, section 3.1): the instruction to which an empty ROB is attributed.
 * It is the youngest committed instruction or, if an exception has fired since, the instruction that raised it. After
 * a handler, pc is 0 and `flush` is set. */
struct probe_oir {
    uint64_t pc;
    uint32_t events; /* enum probe_event of that instruction, without PAGE_FAULT */
    bool mispredicted, flush, exception;
};

/* One instruction in flight. Borrowed by observers for the duration of the call. */
struct probe_insn {
    uint64_t seq; /* fetch order over both paths, from 1; never reused */
    uint64_t pc;
    const struct rv_insn *insn;
    const struct rv_outcome *outcome; /* values; valid from FETCHED on, because the core executes at fetch */
    uint64_t history;                 /* global branch history at its fetch, youngest in bit 0 */
    /* The cycle in which the instruction passed each stage, 0 if it has not. Valid only for the stages in an
     * observer's `cycles`. */
    uint64_t stage_cycle[PROBE_STAGE_COUNT];
    uint32_t events; /* enum probe_event, as far as known */
    uint8_t cause;   /* enum probe_cause, at SQUASHED */
    /* Valid only if an observer's `extras` request them. `sp`: the stack pointer, x2, before the instruction
     * executed. `evicted`: address of the line that a load or atomic evicted from the L1 data cache; 0: none. */
    uint64_t sp, evicted;
    uint64_t fp; /* x8; valid only at transfers */
    /* Valid at RETIRED, if an observer reads that stage's cycle. `before`: the OIR when this instruction retires: the
     * previous retired instruction, or the exception or handler since. `retired_before`: the cycle in which the
     * previous instruction retired, or the last cycle of the handler; for the first instruction, the cycle of the
     * start of the run or of core_begin. The instruction's own cycle minus retired_before is the retire delay (Alpha
     * 21264A "inum retire delay"); 0: both retire in the same cycle. */
    struct probe_oir before;
    uint64_t retired_before;
};

enum { PROBE_MAX_BANKS = 8 };

/* State of commit in one cycle, or in `repeat` consecutive cycles with the same state. */
struct probe_token {
    uint64_t cycle;     /* first cycle */
    uint64_t repeat;    /* number of cycles, at least 1; above 1 only if nothing commits, dispatches or flushes */
    uint8_t committing; /* number of instructions that commit in this cycle */
    uint8_t banks;      /* commit width: banks in use */
    uint8_t head;       /* bank that holds the oldest instruction */
    bool rob_empty;
    bool exception;   /* an exception fires in this cycle, for exception_pc */
    bool ordering;    /* the exception is the ordering violation of a load that overtook a store; if false, a fault */
    bool handler;     /* a handler occupies the core, or will next: no instruction of the program commits */
    bool dispatching; /* the instruction at dispatch_pc enters the empty ROB in this cycle */
    bool blocked;     /* the ROB is empty and dispatch_pc waits for a store queue entry: not a front-end stall */
    uint64_t exception_pc, dispatch_pc;
    /* Address of the instruction before which the core would take an interrupt due in this cycle. 0: the core cannot
     * take one, because a handler runs, an exception fires, or the instruction that determines the next address has
     * not completed. */
    uint64_t interrupt_pc;
    struct probe_oir oir; /* after this cycle's commit, so that an observer may skip tokens */
    uint64_t last_commit; /* address of the youngest committed instruction; 0: none, or an instruction of a handler */
    bool last_handler;    /* the youngest committed instruction belongs to a handler */
    struct {
        uint64_t pc;
        uint32_t events; /* enum probe_event, as far as known; complete if the instruction commits */
        bool valid;      /* holds an instruction */
        bool commits;
        bool mispredicted;
        bool flushes;
    } bank[PROBE_MAX_BANKS];
};

/* Returns the tag of an instruction, given its fetch number, address and opcode class. */
typedef unsigned probe_tag_fn(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle);

/* Tagging (ProfileMe paper, section 4.1; co-processor paper, section 3.2). The core keeps an instruction's tags, one
 * for each tagging observer, and delivers the instruction to the observers that tagged it when it retires or is
 * squashed. */
enum { PROBE_TAG_BITS = 32 }; /* in total for all observers of a core */
struct probe_tagger {
    /* PROBE_FETCHED: instructions of both paths, at fetch. PROBE_MAPPED: instructions that enter the back end, after
     * rename or, on an in-order core, at issue. An interrupt is taken after the youngest of these. */
    enum probe_stage at;
    uint8_t bits; /* width of this observer's tags, 1 to 8; 0: the observer does not tag */
    /* `tag` is called for instructions that pass the filter, have at least the fetch number *from_seq, and reach the
     * stage in cycle *from_cycle or later. All three are borrowed; NULL: no restriction. Number and cycle are read
     * again after each call of a `tag` or `tagged` function or of an interrupt handler, and when core_run begins. */
    struct event_filter *filter;
    const uint64_t *from_seq, *from_cycle;
    /* Where the filter says that the answer is known (event_filter_is_known), these are applied in place of a call, and
     * an instruction that passes them is tagged with 1. Borrowed; NULL: `tag` is always called. */
    const struct pc_filters *pc_filters;
    /* Returns the tag, less than 1 << bits, of the instruction that is being fetched or renamed; 0: not tagged. NULL:
     * each instruction is tagged with 1; filter, from_seq and from_cycle are not used. */
    probe_tag_fn *tag;
    /* Called for a tagged instruction when it retires (in->cause is PROBE_CAUSE_NONE) or, if `squashed` is set, when
     * it is squashed (in->cause is the cause). */
    void (*tagged)(void *ctx, const struct probe_insn *in, unsigned tag, uint64_t cycle);
    bool squashed; /* `tagged` is also called for squashed instructions */
    /* If true, a retired store is delivered when the cache accepts its access, with the events of that access
     * (ProfileMe paper, section 4.1.4: after all activity of the instruction). If the run ends earlier, the store is
     * delivered without these events. All other members keep their values of RETIRED. A store that a write buffer
     * merges with an earlier one makes no access of its own and is delivered when it retires, because the buffer
     * entry can wait for as long as a loop stores to its line. If false, all stores are delivered when they retire,
     * without their cache misses. */
    bool complete;
};

/* A retired instruction of PROBE_TRANSFERS: one that writes or reads a link register (unprivileged ISA, section 2.5.1),
 * so it calls a function or returns from one; or another indirect jump, by which a function can return, too. */
struct probe_transfer {
    uint64_t pc, next_pc, return_address; /* return_address: of the instruction behind it */
    uint64_t sp, fp;                      /* stack pointer, x2, and frame pointer, x8, before the instruction */
    uint64_t seq;
    uint64_t retired; /* core_retired: instructions that have retired, this one included */
    enum opclass opclass;
};
enum {
    PROBE_TRANSFERS = 1 << OPCLASS_CALL | 1 << OPCLASS_ICALL | 1 << OPCLASS_RET | 1 << OPCLASS_SWAP |
                      1 << OPCLASS_IJUMP,
};

/* The kernel has acted for the hart; nothing is in flight. */
struct probe_kernel {
    uint64_t thread;         /* number of the running thread, from 1; 0: none */
    uint64_t handlers;       /* signal handlers that it has entered */
    uint64_t interrupted_pc; /* before which it has entered the last of them */
    /* Where it goes on, and its registers x2 and x1. */
    uint64_t pc, sp, return_address;
    uint64_t seq;     /* of the youngest instruction that has been fetched */
    uint64_t retired; /* core_retired */
};

/* Members of struct probe_insn that the core records only on request. */
enum probe_extra { PROBE_EXTRA_sp = 1 << 0, PROBE_EXTRA_evicted = 1 << 1 };

/* Consecutive cycles in each of which instructions commit or the oldest instruction waits. Listeners of merged tokens
 * receive this record in place of the tokens of these cycles. */
enum { PROBE_COMMITS = 128 };
struct probe_commits {
    uint64_t from;   /* first cycle */
    unsigned cycles; /* number of cycles with commits */
    unsigned insns;  /* number of committed instructions */
    struct probe_commit {
        uint64_t stalled; /* cycles without commits between the previous entry of `at` and this one */
        unsigned committing;
    } at[PROBE_COMMITS];
    /* Per committed instruction, in program order, beginning with those of at[0]. */
    uint64_t pc[PROBE_COMMITS + 3]; /* a core may write four at a time */
    uint32_t event[PROBE_COMMITS];  /* enum probe_event; valid only with commit_events */
};

/* `times` equal sequences of cycles, at any times of the run, in which
 * - instructions commit: one cycle, `committing` instructions, which are at `pc`;
 * - the oldest instruction, or the first one to enter the empty ROB, waits: it is at `pc`;
 * - the ROB is empty because of the instruction of the OIR, which was mispredicted or flushes: pc is NULL. */
struct probe_counted {
    uint64_t times, cycles;
    unsigned committing;
    const uint64_t *pc;
    struct probe_oir oir;
};

/* Slots of a stage in one cycle, or in `repeat` consecutive cycles in which the same happens (contract/topdown.h). */
struct probe_slots {
    uint64_t cycle, repeat;
    uint8_t width;   /* slots in each cycle */
    uint8_t entered; /* slots of instructions that pass the stage in each cycle */
    uint8_t leaf;    /* enum topdown_leaf of the other slots */
    /* The instruction to which the other slots belong. BAD_SPECULATION: the one that caused the squash; FRONTEND: the
     * next one to enter the back end or, on a wrong path, the mispredicted one; BACKEND: the oldest one that is not
     * complete or, where a queue for it is full or it must be alone, the one that waits to enter; at issue, the one
     * that computes what the oldest one without an issue waits for. 0: none of the program. */
    uint64_t pc;
};

/* Instructions that had passed the stage are squashed in this cycle: their slots are of this category, and belong to
 * the instruction at pc. */
struct probe_slots_squashed {
    uint64_t cycle, pc;
    uint32_t slots;
    uint8_t leaf; /* enum topdown_leaf */
};

/* The subscriptions of one observer. NULL: not subscribed, at no cost. */
struct probe_listener {
    void *ctx;
    void (*stage[PROBE_STAGE_COUNT])(void *ctx, const struct probe_insn *in, uint64_t cycle);
    /* Borrowed; the stage is reported for instructions that pass the filter. NULL: for all instructions. */
    struct event_filter *filter[PROBE_STAGE_COUNT];
    uint32_t cycles; /* bit set by enum probe_stage: the elements of stage_cycle that the observer reads */
    /* The observer reads stage_cycle only of instructions that it has tagged. Its closed stage filters (no class, and
     * from UINT64_MAX) open only in calls of `tag` or `tagged`. So its stages and their cycles cost nothing while
     * none of its tagged instructions is in flight and its filters are closed. */
    bool for_tagged;
    uint32_t extras; /* bit set of enum probe_extra: the members that the observer reads */
    /* The observer reads more of the outcome of retired instructions than `taken` and `next_pc`. A recording may lack
     * the other members, which are then undefined. */
    bool values;
    /* Called after RETIRED for each instruction of the classes in `result_classes` (bit set by enum opclass), with the
     * value of its outcome. It costs less than a stage, for which the core describes the instruction. NULL: not
     * subscribed. */
    void (*result)(void *ctx, enum opclass opclass, uint64_t pc, uint64_t value);
    uint32_t result_classes;
    /* Called for each cycle, in order, with the slots of the stage `slots_of`; and, where instructions that had passed
     * it are squashed, before the cycle's call. Both or neither. Only a core makes these calls: a recording lacks
     * them. */
    enum topdown_stage slots_of;
    void (*slots)(void *ctx, const struct probe_slots *s);
    void (*slots_squashed)(void *ctx, const struct probe_slots_squashed *s);
    /* Called after RETIRED and `result`, for the instructions of PROBE_TRANSFERS alone. NULL: not subscribed. */
    void (*transfer)(void *ctx, const struct probe_transfer *t);
    /* Called when the kernel has acted, after the retirement of the system call that it has performed; before the first
     * instruction, too. Without Linux the thread is 0. NULL: not subscribed. */
    void (*kernel)(void *ctx, const struct probe_kernel *k);
    /* Called in the cycle of the event, on both paths, once for each instruction that has it:
     * - a data miss when the access is made, including the access of a retired store; once for all stores that a
     *   write buffer has merged into the access;
     * - a fetch miss once for all instructions of the fetch group, which are not yet known;
     * - TAKEN and MISPREDICTED when the branch resolves;
     * - FLUSHES when the instruction retires;
     * - WRONG_PATH at fetch; hardware does not know this event. */
    void (*event[PROBE_EVENT_COUNT])(void *ctx, uint64_t cycle);
    struct probe_tagger tagger;
    void (*token)(void *ctx, const struct probe_token *t);
    bool token_outline; /* the observer reads only the banks that commit or, if none commits, the head's bank */
    /* If not NULL, tokens are merged. Tokens of cycles in which nothing commits, no exception fires and nothing
     * enters the ROB may be sent as one token; tokens of cycles with commits, as one call of `commits`. Both are sent
     * in cycle order: at the next different token, later, or when core_run returns. `token` must nevertheless accept
     * all tokens, because a replay does not call `commits`. Only for observers that react to tokens alone, with
     * token_outline and without token_from. These observers must not read interrupt_pc, nor oir, last_commit and
     * last_handler of cycles in which the oldest instruction waits. */
    void (*commits)(void *ctx, const struct probe_commits *c);
    bool commit_events; /* the observer reads `event` of struct probe_commits */
    /* If not NULL, the order of the cycles of struct probe_counted does not matter to the observer, not even in
     * relation to other cycles: its results are sums. A core may then send such cycles neither as tokens nor to
     * `commits` but counted, until core_run returns. Only with `commits`. */
    void (*counted)(void *ctx, const struct probe_counted *n);
    /* Borrowed; `token` is called for tokens that end after this cycle. NULL: for all tokens. The observer may change
     * the cycle freely in a call of `token`; to make it earlier elsewhere, it also calls core_expect_token. */
    const uint64_t *token_from;
};

/* The cycles of all stages. */
enum { PROBE_ALL_CYCLES = (1 << PROBE_STAGE_COUNT) - 1 };

#endif
