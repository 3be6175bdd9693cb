/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples for path reconstruction: the global branch history of a retired instruction, as captured by hardware, and the
 * actual path, against which the reconstruction is evaluated (ProfileMe paper, section 5.3). The core model fills them
 * from the probe port; the host side reconstructs and evaluates. */
#ifndef CONTRACT_PATHPROF_H
#define CONTRACT_PATHPROF_H

#include <stddef.h>
#include <stdint.h>

#include "contract/code.h"

enum {
    PATH_BRANCHES = 16, /* longest history evaluated, in conditional branches */
    PATH_WINDOW = 63    /* maximum distance of a pair, in instructions */
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
    uint64_t partner_pc; /* pc of the instruction that retired `distance` instructions before it */
    unsigned distance;   /* at least 1 */
    /* Number of transfers before the sample, back to a taken one at or before the conditional branch `length` branches
     * back; and the index of the youngest in path_profile.transfer, which older ones follow. */
    unsigned transfers;
    size_t first;
};

/* Exact edge count: how often control passed from the instruction at pc to the one at `next`. */
struct path_edge {
    uint64_t pc, next, count;
};

struct path_profile {
    const char *label; /* the observer with its options, as given by the user */
    unsigned length;   /* conditional branches on the true path of each sample: 1 to PATH_BRANCHES */
    unsigned window;   /* pair distances are uniform from 1 to this */
    uint64_t period;   /* configured mean number of fetched instructions between selections */
    uint64_t selected; /* instructions tagged at fetch */
    uint64_t squashed; /* of `selected`: squashed */
    uint64_t cut; /* of `selected`: retired before `length` branches and `window` instructions had retired, or after a
                   * path with more transfers than are kept */
    uint64_t thinned; /* of `selected`: dropped at random to bound the number of samples */
    const struct path_sample *sample;
    size_t samples;
    const struct path_transfer *transfer;
    const struct path_edge *edge; /* sorted by pc and next: edges of all retired branches, jumps, calls and returns */
    size_t edges;
};

struct path_result {
    const struct path_profile *profile;
    unsigned profiles;
    uint64_t cycles; /* of the run */
    struct code code;
};

#endif
