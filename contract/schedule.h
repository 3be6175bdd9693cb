/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The static schedule of straight-line code on a core, and the facts of the core that explain stalls. The core model
 * computes schedules by the issue rules of the core itself; analyses on the host side read them. */
#ifndef CONTRACT_SCHEDULE_H
#define CONTRACT_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum static_stall {
#define STATIC_STALL(sym, ...) STATIC_##sym,
#include "contract/stall.def"
    STATIC_STALLS
};

enum dynamic_stall {
#define DYNAMIC_STALL(sym, ...) DYNAMIC_##sym,
#include "contract/stall.def"
    DYNAMIC_STALLS
};

/* The schedule of one instruction. */
struct schedule_row {
    /* At the head of the issue stage: M of the DCPI paper; 0: it issues with the instruction before. Where time is
     * attributed at commit, a part of a cycle: which instructions commit together is not known. */
    double cycles;
    uint32_t slot; /* its place in its group, from 0 */
    /* Issue slots that were free when the instruction could not issue, by cause: before it in the group of the
     * instruction before, and in the cycles after. Their sum is cycles x width + slot - slot of the one before - 1. */
    uint32_t lost[STATIC_STALLS];
    enum static_stall cause; /* of its last wait; meaningful if cycles > 1 or lost is not 0 */
    int32_t culprit; /* position of the instruction that it waits for last, relative to itself: negative; 0: none */
};

/* Parameters of a core that bound its stalls, in cycles. */
struct schedule_machine {
    uint32_t width;             /* instructions that issue in a cycle */
    bool at_commit;             /* time is attributed at commit, not at issue (out-of-order core) */
    uint32_t line_bytes;        /* cache line */
    uint32_t fetch_bytes;       /* aligned block that is fetched in a cycle */
    uint32_t fill_cycles;       /* from a miss of a first-level cache to data from memory */
    uint32_t tlb_cycles;        /* miss of both TLBs */
    uint32_t mispredict_cycles; /* from the issue of a mispredicted branch to that of the next instruction */
    uint32_t bubble_cycles;     /* a taken transfer that the branch target buffer does not have */
    uint32_t load_cycles, mul_cycles, div_cycles, fdiv_cycles, longest_cycles; /* latencies; longest: of other units */
    uint32_t store_entries;                                                    /* of the store buffer */
};

struct code_schedule {
    void *ctx;
    struct schedule_machine machine;
    /* Schedules the instructions at pc[0..count), which execute in this order, on an idle core. Returns false if one of
     * them cannot be decoded. */
    bool (*code)(void *ctx, const uint64_t *pc, uint32_t count, struct schedule_row *out);
};

#endif
