/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact counts of pairs (ProfileMe paper, section 5.2): for every instruction, how many of all other ones in the run
 * stand in the relations of the rows PAIR of isa/contract/countprof.def to it, and the cycles of the rows TOGETHER
 * (isa/contract/profileme.h defines them).
 *
 * The relations need only the number of issues and of retirements in each cycle, and of instructions in each phase, all
 * of instructions that have retired. An instruction waits until no other one is in flight that could still add to the
 * cycles it looks at. The memory needed is bounded by the number of instructions in flight and by the cycles for which
 * they are. */
#ifndef CORE_MODEL_PROF_COUNT_COUNT_PAIRS_H
#define CORE_MODEL_PROF_COUNT_COUNT_PAIRS_H

#include "core-model/prof/count/count_table.h"

/* An instruction that has been fetched, until it is counted. */
struct pairs_insn {
    uint64_t fetched, issued, done, retired; /* cycles; 0: it has not passed the stage */
    struct profileme_span span[PHASES];      /* cycles in which it was in each phase */
    uint32_t at;                             /* its row of the table */
    bool ended;                              /* delivered */
};

struct pairs_cycle {
    uint32_t issues, retirements;               /* in this cycle, of instructions that have retired */
    int32_t entered[PHASES];                    /* of these: how many enter the phase, less those that leave it */
    uint64_t issues_before, retirements_before; /* in all cycles before it; once `final` is behind it */
    uint64_t spent_before[PHASES];              /* the same: cycles that they spent in the phase */
};

struct count_pairs {
    struct count_table *table;
    struct pairs_insn *insn;    /* ring by fetch number; capacity is a power of two */
    uint64_t first, open, next; /* fetch numbers: the oldest not yet counted; the oldest in flight; one past the last */
    size_t insn_capacity;
    struct pairs_cycle *cycle;                   /* ring by cycle number */
    uint64_t low, high, final;                   /* it has [low, high); the sums are of the cycles before `final` */
    uint64_t issues, retirements, spent[PHASES]; /* these sums */
    uint64_t in[PHASES];                         /* instructions in the phase in the last final cycle */
    size_t cycle_capacity;
};

/* `table` is borrowed. */
void count_pairs_init(struct count_pairs *p, struct count_table *table);
void count_pairs_fini(struct count_pairs *p);
/* The instruction is fetched; called for all, in order. */
void count_pairs_fetch(struct count_pairs *p, uint64_t seq, uint64_t cycle);
/* It has retired or been squashed; its counts go to row `at` of the table. It has all stages' cycles. */
void count_pairs_end(struct count_pairs *p, const struct probe_insn *in, uint32_t at);
/* Counts those that wait: nothing more will be fetched. */
void count_pairs_finish(struct count_pairs *p);

#endif
