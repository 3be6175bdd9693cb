/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples for the reconstruction of paths: the global branch history of a retired instruction, as hardware captures it,
 * and beside it the path that control really took, by which a reconstruction is judged (ProfileMe paper, section 5.3).
 * The core side fills them from the probe port; the host side reconstructs and judges. */
#ifndef ISA_CONTRACT_PATHPROF_H
#define ISA_CONTRACT_PATHPROF_H

#include <stddef.h>
#include <stdint.h>

#include "isa/contract/code.h"

enum {
    PATH_BRANCHES = 16, /* longest history that is examined, in conditional branches */
    PATH_WINDOW = 63    /* largest distance of a pair, in instructions */
};

/* A control transfer as it retired: a conditional branch of either direction, a jump, a call or a return. */
struct path_transfer {
    uint64_t pc, next; /* address of the instruction, and of the one after it */
    enum code_kind kind;
    bool taken;
};

struct path_sample {
    uint64_t pc;
    /* global branch history at its fetch: directions of conditional branches, youngest in bit 0 */
    uint64_t history;
    uint64_t partner_pc; /* of the instruction that retired `distance` instructions before it */
    unsigned distance;   /* 1 or more */
    /* Number of transfers before it, back to a taken one at or before the conditional branch `length` branches back;
     * and the youngest of them in path_profile.transfer: older ones follow. */
    unsigned transfers;
    size_t first;
};

/* How often control went from the instruction at pc to the one at `next`, exactly. */
struct path_edge {
    uint64_t pc, next, count;
};

struct path_profile {
    const char *label; /* the observer with its options, as it was asked for */
    unsigned length;   /* conditional branches on the true path of each sample: 1 to PATH_BRANCHES */
    unsigned window;   /* pair distances are uniform from 1 to this */
    uint64_t period;   /* mean number of fetched instructions between two selections, as it was asked for */
    uint64_t selected; /* instructions tagged at fetch */
    uint64_t squashed; /* of them: not retired */
    uint64_t cut;      /* of them: retired before `length` branches and `window` instructions had, or behind a path
                          with more transfers than are kept */
    uint64_t thinned;  /* of them: dropped, uniformly, to keep the number of samples within its limit */
    const struct path_sample *sample;
    size_t samples;
    const struct path_transfer *transfer;
    const struct path_edge *edge; /* by pc, then by next: of all retired branches, jumps, calls and returns */
    size_t edges;
};

struct path_result {
    const struct path_profile *profile;
    unsigned profiles;
    uint64_t cycles; /* of the run */
    struct code code;
};

#endif
