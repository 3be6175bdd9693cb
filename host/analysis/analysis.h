/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The analyses of DCPI (SOSP 1997, section 6) of one procedure: frequencies, cycles per instruction, and the causes of
 * stalls. docs/analysis.md has the rules and the meaning of each column. */
#ifndef HOST_ANALYSIS_ANALYSIS_H
#define HOST_ANALYSIS_ANALYSIS_H

#include "contract/schedule.h"
#include "host/analysis/frequency.h"
#include "host/analysis/procedure.h"

/* Events that bound the stalls of a cause. */
enum analysis_event {
    ANALYSIS_IMISS,
    ANALYSIS_ITLB_MISS,
    ANALYSIS_DMISS,
    ANALYSIS_DTLB_MISS,
    ANALYSIS_MISPREDICTED,
    ANALYSIS_EVENTS
};

/* Samples of the profile at an address. Absent functions are NULL. */
struct analysis_samples {
    void *ctx;
    double (*cycles)(void *ctx, uint64_t pc); /* samples of time */
    double period;                            /* cycles that a sample of time stands for */
    /* Number of executions, exact or estimated; NAN: unknown. NULL: frequencies are estimated from `cycles`. */
    double (*executions)(void *ctx, uint64_t pc);
    bool exact; /* the executions are exact */
    /* Estimated number of events; NAN: the event was not sampled. */
    double (*events)(void *ctx, enum analysis_event event, uint64_t pc);
};

/* A cause of a dynamic stall of an instruction: at most so much of it, in samples. */
struct analysis_cause {
    bool possible;
    double most;
    uint64_t culprit; /* the instruction that causes it; 0: unknown */
};

struct analysis_insn {
    uint64_t pc;
    uint32_t block;
    double samples;
    double minimum; /* M: static cycles, mean over the paths that lead here; 0: it issues with the instruction before */
    bool varies;    /* M differs by path */
    bool chosen;    /* its ratio is in the estimate of its class */
    double cpi;     /* cycles at the head of the issue stage per execution; NAN: unknown frequency */
    struct schedule_row schedule;
    uint64_t static_culprit; /* the instruction that it waits for statically; 0: none */
    double dynamic;          /* samples beyond the static cycles; negative: fewer than these */
    bool is_stall;           /* `dynamic` is more than a sampling error */
    struct analysis_cause cause[DYNAMIC_STALLS];
};

struct analysis_block {
    uint64_t start, last;
    uint32_t first, insns; /* among the analysis's instructions */
    struct frequency frequency;
};

struct analysis_edge {
    uint32_t from, to; /* blocks; the number of blocks: outside */
    enum procedure_edge_kind kind;
    enum code_graph_edge_kind transfer; /* if kind is PROCEDURE_INSIDE */
    struct frequency frequency;
};

/* How the cycles of a procedure, or of several, are spent, in samples. */
struct analysis_summary {
    double samples, tallied;   /* all; those of instructions whose frequency is known */
    double instructions, best; /* executions of instructions; cycles of the static schedule */
    double execution;          /* issue slots that instructions use */
    double by_static[STATIC_STALLS];
    double least[DYNAMIC_STALLS], most[DYNAMIC_STALLS];
    double unexplained_stall, unexplained_gain; /* the latter is negative */
    double dynamic;                             /* all dynamic stalls and gains */
    double error;                               /* differences within the sampling error */
};

struct analysis {
    uint64_t start;
    double period; /* a frequency times the period is a number of executions */
    bool missing;  /* edges of the graph are missing */
    struct analysis_insn *insn;
    uint32_t insns;
    struct analysis_block *block;
    uint32_t blocks;
    struct analysis_edge *edge;
    uint32_t edges;
    struct analysis_summary summary;
};

/* Analyses the procedure that contains the block of a resolved graph. All arguments are borrowed during the call. */
struct analysis *analysis_new(const struct code_graph *g, uint32_t block, const struct code_schedule *schedule,
                              const struct analysis_samples *samples);
/* NULL is allowed. */
void analysis_free(struct analysis *a);

/* Adds the summary of a procedure to that of a program. */
void analysis_summary_add(struct analysis_summary *to, const struct analysis_summary *one);

/* Bounds the best case of a summary that is complete by the width. Instructions that issue in cycles of callers or
 * callees that are not in it take fewer cycles than their issue slots: these are a gain, not a negative stall. */
void analysis_summary_bound(struct analysis_summary *s);

/* The parts of a summary in tenths of a per cent of the tallied samples, rounded so that they add up: dynamic + static
 * = stall, stall + execution + error = 1000. */
struct analysis_shares {
    int least[DYNAMIC_STALLS], most[DYNAMIC_STALLS];
    int unexplained_stall, unexplained_gain, dynamic;
    int by_static[STATIC_STALLS], all_static;
    int stall, execution, error;
};
struct analysis_shares analysis_shares(const struct analysis_summary *s);

#endif
