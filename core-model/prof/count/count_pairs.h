/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact counts of pairs (ProfileMe paper, section 5.2): for every instruction, how many other instructions of the run
 * are in each relation PAIR of contract/countprof.def to it, and the cycles of the rows TOGETHER (defined in
 * contract/profileme.h).
 *
 * The relations follow from the numbers of issues, of retirements, and of instructions in each phase per cycle, all of
 * retired instructions. An instruction is counted when no instruction in flight can still contribute to the cycles on
 * which its counts depend. Memory is bounded by the number of instructions in flight, however long their flight. */
#ifndef CORE_MODEL_PROF_COUNT_COUNT_PAIRS_H
#define CORE_MODEL_PROF_COUNT_COUNT_PAIRS_H

#include "core-model/prof/count/count_table.h"

/* A fetched instruction, until it is counted. */
struct pairs_insn {
    uint64_t fetched, issued, done, retired; /* cycles of stages; 0: not passed */
    struct profileme_span span[PHASES];      /* interval of each phase */
    uint32_t at;                             /* its row in the table */
    bool ended;                              /* retired or squashed */
};

/* A cycle in which a retired instruction issues, retires, or enters or leaves a phase. */
struct pairs_cycle {
    uint64_t cycle;
    uint32_t issues, retirements; /* in this cycle, of retired instructions */
    int32_t entered[PHASES];      /* of retired instructions: number that enter the phase minus number that leave it */
    /* Valid for entries before `final`: totals of all earlier cycles, instruction-cycles in each phase in them, and
     * instructions in each phase just before this cycle. */
    uint64_t issues_before, retirements_before;
    uint64_t spent_before[PHASES], in_before[PHASES];
};

struct count_pairs {
    struct count_table *table;
    struct pairs_insn *insn;    /* ring by fetch number; capacity is a power of two */
    uint64_t first, open, next; /* sequence numbers: oldest not counted; oldest in flight; one past the last */
    size_t insn_capacity;
    struct pairs_cycle *cycle; /* ring of cycles in order, without those in which nothing happens */
    uint64_t low, high, final; /* range [low, high) of the ring; entries before `final` have final sums */
    uint64_t end;              /* first cycle whose sums are not final */
    uint64_t issues, retirements, spent[PHASES]; /* totals of the cycles before `end` */
    uint64_t in[PHASES];                         /* instructions in the phase in the last cycle before `end` */
    size_t cycle_capacity;
};

/* `table` is borrowed. */
void count_pairs_init(struct count_pairs *p, struct count_table *table);
void count_pairs_fini(struct count_pairs *p);
/* To be called for each fetched instruction, in order. */
void count_pairs_fetch(struct count_pairs *p, uint64_t seq, uint64_t cycle);
/* To be called when the instruction has retired or been squashed; its counts are added to row `at` of the table. `in`
 * must have the cycles of all stages. */
void count_pairs_end(struct count_pairs *p, const struct probe_insn *in, uint32_t at);
/* Counts all remaining instructions at the end of the run. */
void count_pairs_finish(struct count_pairs *p);

#endif
