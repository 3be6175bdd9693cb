/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface of pcemu's plug-ins (pcemu --plugin FILE.so[:OPTIONS]). A plug-in is a shared object that defines
 *
 *     const struct pcemu_plugin pcemu_plugin = {...};
 *
 * This header is all that it includes of pcemu; C11 and C++ compile it.
 *
 * Versions. Every structure begins with its version and its size in bytes, of the side that fills it. A plug-in fills
 * the structures of its functions by PCEMU_VERSION(type) or member by member. pcemu refuses another version. Later
 * pcemus append members; they then accept the smaller structures of older plug-ins, and a plug-in that uses an appended
 * member of a structure that it is given tests `size` first. Numbers of enumerators do not change.
 *
 * Call order, of one plug-in: create; then the functions of its kind; report, any number of times (observers); destroy.
 * With `--harts N` create is called N times, for hart 0 first, and the functions get the state of their hart. A process
 * that the guest forks and that is followed (--follow-children) has states of its own. All calls come from one thread,
 * and none is nested in another one. The state belongs to the plug-in.
 *
 * Pointers that a function is given are valid during the call, those of `create` until `destroy`. A plug-in does not
 * change what they point to, but where a comment says so. Texts are UTF-8.
 *
 * Determinism. Two runs have the same results if the plug-in's depend on its arguments alone; its random numbers
 * begin with pcemu_setup.seed. */
#ifndef PCEMU_PLUGIN_H
#define PCEMU_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface: of struct pcemu_plugin and of each structure that has a version. */
#define PCEMU_ABI 1u
#define PCEMU_VERSION(type) PCEMU_ABI, (uint32_t)sizeof(type)

enum pcemu_kind {
    PCEMU_KIND_OBSERVER = 1,   /* observes the run and adds results to the report */
    PCEMU_KIND_PREDICTOR = 2,  /* predicts the directions of conditional branches, in place of the model's predictor */
    PCEMU_KIND_PREFETCHER = 3, /* prefetches into the L1 data cache */
};

/* ---- what pcemu gives to every plug-in ---- */

/* The simulated machine. */
struct pcemu_machine {
    uint32_t version, size;
    uint32_t out_of_order; /* 1: the out-of-order core; 0: the in-order core */
    uint32_t harts;        /* number of harts */
    uint32_t line_bytes;   /* size of a cache line, a power of two */
    uint32_t l1d_bytes, l1d_ways, l1d_mshrs;
    uint32_t l1d_cycles; /* latency of a hit, in cycles */
    uint32_t commit_width;
    uint32_t rob_entries; /* 0: the core has no reorder buffer */
};

/* The arguments of create. */
struct pcemu_setup {
    uint32_t version, size;
    const char *options; /* the text after the colon in --plugin FILE:OPTIONS; "": none */
    uint64_t seed;       /* the run's seed (--seed) plus the number of the hart */
    uint32_t hart;       /* number of the hart of this state, from 0 */
    const struct pcemu_machine *machine;
};

/* ---- observers ---- */

/* The stages of an instruction, as indexes of pcemu_insn.cycle. */
enum pcemu_stage {
    PCEMU_STAGE_FETCHED = 0,
    PCEMU_STAGE_MAPPED = 1,     /* renamed and entered into the ROB; in order, entered into the issue stage */
    PCEMU_STAGE_DATA_READY = 2, /* all source operands are known; in order, all older instructions have issued, too */
    PCEMU_STAGE_ISSUED = 3,     /* sent to a function unit */
    PCEMU_STAGE_LOAD_COMPLETED = 4,
    PCEMU_STAGE_READY_TO_RETIRE = 5,
    PCEMU_STAGE_RETIRED = 6,
    PCEMU_STAGE_SQUASHED = 7,
    PCEMU_STAGES = 8
};

/* Events of an instruction: bits of pcemu_insn.events. */
enum pcemu_event {
    PCEMU_EVENT_ICACHE_MISS = 1 << 0, /* its fetch waited for the L1 instruction cache */
    PCEMU_EVENT_ITLB_MISS = 1 << 1,
    PCEMU_EVENT_ITLB_WALK = 1 << 2, /* its fetch waited for a page walk */
    PCEMU_EVENT_DCACHE_MISS = 1 << 3,
    PCEMU_EVENT_L2_MISS = 1 << 4,
    PCEMU_EVENT_LLC_MISS = 1 << 5,
    PCEMU_EVENT_DTLB_MISS = 1 << 6,
    PCEMU_EVENT_DTLB_WALK = 1 << 7,
    PCEMU_EVENT_TAKEN = 1 << 8,        /* conditional branch taken, or a jump */
    PCEMU_EVENT_MISPREDICTED = 1 << 9, /* direction or target */
    PCEMU_EVENT_FORWARDED = 1 << 10,   /* load data came from an older store in the store queue */
    PCEMU_EVENT_STORE_QUEUE_FULL = 1 << 11,
    PCEMU_EVENT_REPLAYED = 1 << 12, /* issued before an older conflicting store: ordering violation */
    PCEMU_EVENT_FLUSHES = 1 << 13,  /* flushes the pipeline when it commits */
    PCEMU_EVENT_WRONG_PATH = 1 << 14,
    PCEMU_EVENT_PAGE_FAULT = 1 << 15,
    PCEMU_EVENT_HITM = 1 << 16, /* its line came from another hart's cache, which had modified it */
};

/* Classes of instructions. */
enum pcemu_class {
    PCEMU_CLASS_INT = 0, /* integer register operations */
    PCEMU_CLASS_MUL = 1,
    PCEMU_CLASS_DIV = 2,
    PCEMU_CLASS_LOAD = 3, /* integer loads */
    PCEMU_CLASS_STORE = 4,
    PCEMU_CLASS_FLOAD = 5,
    PCEMU_CLASS_FSTORE = 6,
    PCEMU_CLASS_ATOMIC = 7,
    PCEMU_CLASS_FP = 8,
    PCEMU_CLASS_FDIV = 9,
    PCEMU_CLASS_BRANCH = 10, /* conditional branches */
    PCEMU_CLASS_CALL = 11,   /* direct calls */
    PCEMU_CLASS_JUMP = 12,   /* direct jumps */
    PCEMU_CLASS_ICALL = 13,  /* indirect calls */
    PCEMU_CLASS_IJUMP = 14,  /* indirect jumps */
    PCEMU_CLASS_RET = 15,
    PCEMU_CLASS_SWAP = 16,  /* co-routine swaps: a return and a call */
    PCEMU_CLASS_LJUMP = 17, /* other jumps that write a register */
    PCEMU_CLASS_CSR = 18,
    PCEMU_CLASS_SYSTEM = 19,
    PCEMU_CLASS_FENCE = 20,
};

/* Why an instruction was squashed. */
enum pcemu_cause {
    PCEMU_CAUSE_NONE = 0, /* it retired */
    PCEMU_CAUSE_MISPREDICT = 1,
    PCEMU_CAUSE_ORDERING = 2,
    PCEMU_CAUSE_EXCEPTION = 3,
    PCEMU_CAUSE_SERIALISE = 4, /* behind an instruction that flushes the pipeline */
    PCEMU_CAUSE_INTERRUPT = 5,
};

/* An instruction that has retired or was squashed. */
struct pcemu_insn {
    uint32_t version, size;
    uint64_t number; /* in fetch order over both paths, from 1 */
    uint64_t pc;
    uint64_t next_pc; /* address of the next instruction; of a squashed one, by its own execution */
    uint64_t address; /* of the memory access; valid if bytes is not 0 */
    uint64_t value;   /* written to the destination register, or stored; a replay needs --record-values */
    uint64_t history; /* directions of the conditional branches before its fetch, the youngest in bit 0, 1: taken */
    uint32_t bytes;   /* size of the memory access; 0: none */
    uint32_t length;  /* size of the instruction in bytes: 2 or 4 */
    uint32_t opclass; /* enum pcemu_class */
    uint32_t events;  /* enum pcemu_event. Misses of a store's access after its retirement are not in it */
    uint32_t writes;  /* 1: the access writes memory */
    uint32_t taken;   /* 1: a transfer of control that was taken */
    uint32_t cause;   /* enum pcemu_cause */
    uint32_t reserved;
    /* The cycle in which it passed each stage; 0: it has not. Valid only for the stages of pcemu_observer.stages. */
    uint64_t cycle[PCEMU_STAGES];
};

/* State of commit in consecutive cycles. */
struct pcemu_cycles {
    uint32_t version, size;
    uint64_t cycle;      /* the first */
    uint64_t cycles;     /* their number; above 1 only if nothing commits in them */
    uint32_t committing; /* instructions that commit in the cycle */
    uint32_t rob_empty;  /* 1: no instruction is in the ROB; in order, in the issue stage and behind */
    uint32_t exception;  /* 1: an exception fires in the cycle */
    uint32_t handler;    /* 1: a handler occupies the core */
    /* Of the instruction that commits first, or of the oldest one that waits; 0: there is none. */
    uint64_t pc;
};

/* Types of columns. */
enum pcemu_column {
    PCEMU_COLUMN_TEXT = 1,
    PCEMU_COLUMN_COUNT = 2,   /* a whole number, not negative */
    PCEMU_COLUMN_REAL = 3,    /* a number; one that is not finite is absent */
    PCEMU_COLUMN_SHARE = 4,   /* 0 to 1, in the text form per cent */
    PCEMU_COLUMN_ADDRESS = 5, /* an address of code, which the report shows with function, file and line */
};

struct pcemu_report;
struct pcemu_table;

/* Functions by which `report` adds results. A key is the member's name in JSON: lower-case letters, digits and '_',
 * beginning with a letter, and distinct from the others of its object. A label or title is the text in the text form. A
 * unit is a name such as "cycles"; NULL: none. All texts are copied. A call that breaks these rules ends pcemu after
 * the run with a message. */
struct pcemu_host {
    uint32_t version, size;
    void (*text)(struct pcemu_report *r, const char *key, const char *label, const char *text);
    void (*count)(struct pcemu_report *r, const char *key, const char *label, uint64_t n, const char *unit);
    /* `decimals`: decimal places in the text form, 0 to 9. */
    void (*real)(struct pcemu_report *r, const char *key, const char *label, double x, unsigned decimals,
                 const char *unit);
    void (*share)(struct pcemu_report *r, const char *key, const char *label, double share);
    void (*note)(struct pcemu_report *r, const char *words); /* a paragraph of the text form */
    /* Begins a table. Its columns follow, before its first row; then each row and its cells, in the order of the
     * columns and of their types. A table is complete when another one begins or `report` returns. */
    struct pcemu_table *(*table)(struct pcemu_report *r, const char *key, const char *title);
    void (*column)(struct pcemu_table *t, uint32_t type, const char *key, const char *title);
    void (*row)(struct pcemu_table *t);
    void (*cell_text)(struct pcemu_table *t, const char *text);
    void (*cell_number)(struct pcemu_table *t, double x);  /* of a column REAL or SHARE */
    void (*cell_count)(struct pcemu_table *t, uint64_t n); /* of a column COUNT or ADDRESS */
};

/* The functions of an observer. NULL: it does not subscribe, at no cost. */
struct pcemu_observer {
    uint32_t version, size;
    uint32_t stages;   /* the cycles of pcemu_insn that it reads: bit set by enum pcemu_stage */
    uint32_t reserved; /* 0 */
    /* Called for each instruction when it retires, in program order. */
    void (*retired)(void *state, const struct pcemu_insn *in);
    /* Called for each instruction that is squashed, the youngest first. Squashes of fetched instructions are many: a
     * run is slower with it, because states of the core are not memoised. */
    void (*squashed)(void *state, const struct pcemu_insn *in);
    /* Called for every cycle, in order; states of the core are not memoised with it either. */
    void (*cycles)(void *state, const struct pcemu_cycles *c);
    /* Adds the results up to now to the report. With --sort it is also called before the run, for a further state, to
     * find the columns: a table has the same columns then, and no rows are needed. May be NULL. */
    void (*report)(void *state, const struct pcemu_host *host, struct pcemu_report *r);
};

/* ---- predictors of the directions of conditional branches ---- */

enum { PCEMU_KEPT_BYTES = 48 }; /* most bytes that are kept with a branch */

/* A conditional branch at its fetch. */
struct pcemu_branch {
    uint32_t version, size;
    uint64_t pc;
    uint64_t target; /* where it goes if it is taken */
    /* Speculative history at its fetch: of the conditional branches fetched before it, as predicted, those that are
     * known to be mispredicted as they are. The youngest is in bit 0; 1: taken. */
    uint64_t history;
    uint64_t path; /* the same, with bits of the targets of indirect jumps that are no returns */
};

/* Branch targets, returns and indirect jumps are predicted by the model. Branches are fetched, and so predicted, on
 * wrong paths, too. pcemu restores the history after a squash; tables change at retirement. */
struct pcemu_predictor {
    uint32_t version, size;
    uint32_t kept_bytes; /* bytes that are kept with each branch from predict to train, up to PCEMU_KEPT_BYTES */
    uint32_t reserved;   /* 0 */
    /* Predicts a fetched branch: not 0 if taken. `kept` is for the plug-in to fill: kept_bytes bytes at an address
     * that is a multiple of 16, not initialised. Must not change what it predicts with: the branch may be on a wrong
     * path, and is then never trained. */
    int (*predict)(void *state, const struct pcemu_branch *b, void *kept);
    /* The branch retires; branches retire in program order. `b` is as for predict, `kept` is what predict has left.
     * Also called, after predict for the same branch, when caches and predictors are warmed (--warm): then the history
     * has the true directions. */
    void (*train)(void *state, const struct pcemu_branch *b, const void *kept, int taken);
};

/* ---- prefetchers ---- */

enum { PCEMU_PREFETCHES = 16 }; /* most lines for one access */

/* An access to the L1 data cache: of a load or a store, on wrong paths, too. One that crosses a line is two accesses.
 * Stores access the cache after they have retired. */
struct pcemu_access {
    uint32_t version, size;
    uint64_t address; /* virtual */
    uint64_t pc;      /* of the instruction; of a write buffer's entry, of its first store; 0: not known */
    uint64_t cycle;
    uint32_t bytes;
    uint32_t writes;     /* 1: a store */
    uint32_t hit;        /* 1: the line is in the cache, with its data */
    uint32_t late;       /* 1: the line is on its way: the access merges with an earlier miss or prefetch */
    uint32_t prefetched; /* 1: the first access to a line that was prefetched; it may be `late`, too */
    uint32_t level;      /* where the data come from: 1, 2, 3: last-level cache, 4: memory */
};

struct pcemu_prefetcher {
    uint32_t version, size;
    /* Called in the order in which the model makes the accesses. Stores at `lines` the addresses of lines to prefetch,
     * at most `most` of them, and returns their number. Any address in a line stands for it. The model requests them in
     * this order, in the cycle of the access: a line that is in the cache or on its way is not requested, nor is one if
     * no MSHR of the L1 data cache is free. Addresses are not translated, so a prefetcher that is to stay in the page
     * of the access does so itself. */
    unsigned (*access)(void *state, const struct pcemu_access *a, uint64_t *lines, unsigned most);
};

/* ---- the plug-in ---- */

struct pcemu_plugin {
    uint32_t version, size;
    uint32_t kind;           /* enum pcemu_kind */
    uint32_t reserved;       /* 0 */
    const char *name;        /* 1 to 32 lower-case letters, digits, '-' and '_', beginning with a letter */
    const char *description; /* a line for pcemu --profile help */
    /* Returns the state of one hart; NULL: it fails, with the reason in `error`, a text of at most error_bytes - 1
     * bytes that the plug-in writes: for options, what was expected and what was found. */
    void *(*create)(const struct pcemu_setup *setup, char *error, size_t error_bytes);
    void (*destroy)(void *state); /* NULL: there is nothing to be released */
    /* The functions of its kind: a struct pcemu_observer, pcemu_predictor or pcemu_prefetcher. */
    const void *functions;
};

/* What the shared object defines. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern const struct pcemu_plugin pcemu_plugin;

#ifdef __cplusplus
}
#endif

#endif
