/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probe port: the stream of events that a core sends about each instruction and each cycle. Every profiler, the
 * exact references included, is a function of this stream alone, so any number can observe one run, and a hand-written
 * stream is a unit test. The pipeline includes this header and nothing of prof/.
 *
 * Sources: ProfileMe paper section 4.1 (per-instruction stages, events, latencies); TIP paper section 3.1 (the
 * per-cycle commit information: banks, OIR flags). */
#ifndef CORE_MODEL_PROBE_H
#define CORE_MODEL_PROBE_H

#include "core-model/riscv/hart.h"
#include "isa/contract/sample.h"

/* The rows of probe.def, and their names. */
enum probe_stage {
#define STAGE(sym, name, meaning) PROBE_##sym,
#include "core-model/probe.def"
    PROBE_STAGE_COUNT
};

enum probe_event_bit {
#define EVENT(sym, name, meaning) PROBE_BIT_##sym,
#include "core-model/probe.def"
    PROBE_EVENT_COUNT
};

enum probe_event {
#define EVENT(sym, name, meaning) PROBE_##sym = 1 << PROBE_BIT_##sym,
#include "core-model/probe.def"
};

enum probe_cause { /* why an instruction was squashed */
#define CAUSE(sym, name, meaning) PROBE_CAUSE_##sym,
#include "core-model/probe.def"
                   PROBE_CAUSE_COUNT
};

extern const char *const probe_stage_names[PROBE_STAGE_COUNT];
extern const char *const probe_event_names[PROBE_EVENT_COUNT];
extern const char *const probe_cause_names[PROBE_CAUSE_COUNT];

/* TIP's Offending Instruction Register (TIP paper, section 3.1): the instruction that is the cause if the ROB becomes
 * empty. It is the youngest committed instruction or, since then, the one whose exception has fired. A handler's last
 * instruction has no address, and flushes. */
struct probe_oir {
    uint64_t pc;
    uint32_t events; /* enum probe_event of that instruction, but for PAGE_FAULT */
    bool mispredicted, flush, exception;
};

/* One instruction in flight. Borrowed by observers for the length of the call. */
struct probe_insn {
    uint64_t seq; /* fetch order over both paths, from 1; never reused */
    uint64_t pc;
    const struct rv_insn *insn;
    const struct rv_outcome *outcome; /* values; meaningful from FETCHED on, as the core executes at fetch */
    uint64_t history;                 /* global branch history at its fetch, youngest in bit 0 */
    /* The cycle at which it passed each stage, 0 if it has not; only of the stages in an observer's `cycles`. */
    uint64_t stage_cycle[PROBE_STAGE_COUNT];
    uint32_t events; /* enum probe_event, as far as known */
    uint8_t cause;   /* enum probe_cause, at SQUASHED */
    /* Kept only if an observer's `extras` have them: the stack pointer, x2, before the instruction executed; and the
     * address of the line that the access of a load or atomic evicted from the L1 data cache, 0 if none. */
    uint64_t sp, evicted;
    /* At RETIRED, for observers that read that stage's cycle: the OIR of the instruction that retired before it, in the
     * same cycle or earlier, or of the exception or handler since; and the cycle in which that instruction retired, or
     * the last one of the handler. At the start of the run, or behind core_begin, it is the cycle of that. The
     * difference to its own cycle is the retire delay (Alpha 21264A "inum retire delay"); 0: it retires together with
     * the one before it. */
    struct probe_oir before;
    uint64_t retired_before;
};

enum { PROBE_MAX_BANKS = 8 };

/* The commit side of one cycle, or of `repeat` cycles in which nothing changed. */
struct probe_token {
    uint64_t cycle;     /* the first of them */
    uint64_t repeat;    /* 1 or more; more only where nothing commits, dispatches or flushes */
    uint8_t committing; /* number of instructions that commit in this cycle */
    uint8_t banks;      /* commit width: banks in use */
    uint8_t head;       /* bank that holds the oldest */
    bool rob_empty;
    bool exception;   /* an exception fires in this cycle, for exception_pc */
    bool ordering;    /* it is that of a load that overtook a store; else of a fault */
    bool handler;     /* a handler occupies the core, or is about to: nothing of the program's commits */
    bool dispatching; /* the first instruction enters the empty ROB in this cycle: dispatch_pc */
    bool blocked;     /* the ROB is empty, and dispatch_pc waits for the store queue: not a front-end stall */
    uint64_t exception_pc, dispatch_pc;
    /* The address of the instruction before which the core takes an interrupt that is due in this cycle; 0: it takes
     * none, because a handler runs, an exception fires, or an instruction that decides the next address is not over. */
    uint64_t interrupt_pc;
    struct probe_oir oir; /* after this cycle's commit; so an observer need not read every token */
    uint64_t last_commit; /* address of the youngest committed instruction; 0: none, or a handler's */
    bool last_handler;    /* the youngest committed instruction is a handler's */
    struct {
        uint64_t pc;
        uint32_t events; /* enum probe_event, as far as known: complete if it commits */
        bool valid;      /* holds an instruction */
        bool commits;
        bool mispredicted;
        bool flushes;
    } bank[PROBE_MAX_BANKS];
};

/* Returns the tag of an instruction, by its fetch number, address and class. */
typedef unsigned probe_tag_fn(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle);

/* Tagging (ProfileMe paper, section 4.1; co-processor paper, section 3.2). The core keeps an instruction's tags, one
 * for each tagging observer, and delivers the instruction to the observers that tagged it when it retires or is
 * squashed. */
enum { PROBE_TAG_BITS = 32 }; /* of all observers of a core together */
struct probe_tagger {
    /* PROBE_FETCHED: both paths, as they are fetched. PROBE_MAPPED: as they enter the back end, behind which an
     * interrupt would be taken: after rename or, on an in-order core, as they issue. */
    enum probe_stage at;
    uint8_t bits; /* width of this observer's tags: 1 to 8. 0: it tags nothing */
    /* `tag` is called for instructions that pass the filter and have this fetch number or a later one, from this cycle
     * on. All are borrowed; NULL: for all. Number and cycle are read again behind each call of a tag or `tagged`
     * function and of an interrupt's handler, and as core_run begins. */
    struct event_filter *filter;
    const uint64_t *from_seq, *from_cycle;
    /* The tag, less than 1 << bits, of the instruction that is being fetched or renamed; 0: not tagged. NULL: each
     * instruction has the tag 1, and there is neither filter nor number nor cycle. */
    probe_tag_fn *tag;
    /* Delivers a tagged instruction that retires (in->cause is PROBE_CAUSE_NONE) or, if wanted, is squashed (in->cause
     * says why). */
    void (*tagged)(void *ctx, const struct probe_insn *in, unsigned tag, uint64_t cycle);
    bool squashed; /* `tagged` is called for squashed instructions too */
    /* A store that has retired is delivered when the cache accepts its access, with the events of that access
     * (ProfileMe paper, section 4.1.4: after all activity of the instruction), or without them if the run ends before;
     * the rest of it is as it was at RETIRED. A store that a write buffer has merged with an earlier one makes no
     * access of its own: it is delivered as it retires. Such an entry can wait in the buffer for as long as a loop
     * stores to its line. Else all are delivered as they retire, and the misses of stores are not known. */
    bool complete;
};

/* Members of struct probe_insn that the core keeps only for observers that read them. */
enum probe_extra { PROBE_EXTRA_sp = 1 << 0, PROBE_EXTRA_evicted = 1 << 1 };

/* Consecutive cycles in each of which instructions commit, or the oldest instruction waits: for observers of merged
 * tokens, in the place of the tokens of these cycles. */
enum { PROBE_COMMIT_CYCLES = 64 };
struct probe_commits {
    uint64_t from;   /* the first of the cycles */
    unsigned cycles; /* number of cycles in which instructions commit */
    unsigned insns;  /* number of instructions that commit in them */
    struct probe_commit {
        uint64_t
            stalled; /* number of cycles before this one, back to the one before in `at`, in which nothing commits */
        unsigned committing;
    } at[PROBE_COMMIT_CYCLES];
    /* Of the instructions, in program order: the first ones are those of at[0]. */
    uint64_t pc[PROBE_COMMIT_CYCLES * PROBE_MAX_BANKS + 3]; /* a core may write four at a time */
    uint32_t event[PROBE_COMMIT_CYCLES * PROBE_MAX_BANKS]; /* enum probe_event; only for observers with commit_events */
};

/* What an observer subscribes to. Members that are NULL cost nothing. */
struct probe_observer {
    void *ctx;
    void (*stage[PROBE_STAGE_COUNT])(void *ctx, const struct probe_insn *in, uint64_t cycle);
    /* Borrowed; the stage is reported for instructions that pass. NULL: for all. */
    struct event_filter *filter[PROBE_STAGE_COUNT];
    uint32_t cycles; /* a bit for each enum probe_stage of which it reads stage_cycle */
    /* It reads stage_cycle of instructions that it has tagged alone, and its filters of stages that pass nothing (no
     * class, and from UINT64_MAX) open in a call of `tag` or `tagged` alone. So its stages and their cycles cost
     * nothing while it has no tagged instruction in flight and the filters are closed. */
    bool for_tagged;
    uint32_t extras; /* a bit set of enum probe_extra: which of them it reads */
    /* It reads more of outcomes than `taken` and `next_pc` of instructions that retire: a recording may lack the rest,
     * which is undefined then. */
    bool values;
    /* Called in the cycle in which the event happens, on both paths, once for each instruction that has it: a miss when
     * the access is made, also that of a store that has retired; TAKEN and MISPREDICTED at the branch's resolution;
     * FLUSHES as it retires. A miss of fetch is found before there are instructions, and is one for all that the group
     * will have. So is the access of several stores that a write buffer has merged. WRONG_PATH is what hardware does
     * not know: it is reported at fetch. */
    void (*event[PROBE_EVENT_COUNT])(void *ctx, uint64_t cycle);
    struct probe_tagger tagger;
    void (*token)(void *ctx, const struct probe_token *t);
    bool token_outline; /* reads only the banks that commit, or the head's bank if none commits */
    /* If set, the tokens are merged: those of cycles in which nothing commits, fires or enters the ROB may come as one,
     * and those of cycles in which instructions commit as one call of `commits`. Both come when the next token differs,
     * or later, or when core_run returns; their order is that of the cycles. `token` must take tokens of all kinds even
     * so: a replay sends no commits. Only for observers that act upon nothing else than tokens, and have token_outline
     * and no token_from. They must not read
     * interrupt_pc, nor oir, last_commit and last_handler where the oldest instruction waits. */
    void (*commits)(void *ctx, const struct probe_commits *c);
    bool commit_events; /* it reads `event` of struct probe_commits */
    /* Borrowed; `token` is called for tokens that end after this cycle. The observer moves it: within `token` as it
     * likes, otherwise to an earlier cycle only with core_expect_token. NULL: for all. */
    const uint64_t *token_from;
};

/* All stages' cycles. */
enum { PROBE_ALL_CYCLES = (1 << PROBE_STAGE_COUNT) - 1 };

#endif
