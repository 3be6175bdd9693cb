/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Top-down profiles: for each instruction address, the slots of each category. A slot is an opportunity for an
 * instruction to pass a stage of the pipeline. The core model fills the profiles from the probe port, which has the
 * category and the address of each slot; the host side reports them. The sum over all rows is the number of slots in a
 * cycle times the cycles of the run. */
#ifndef CONTRACT_TOPDOWN_H
#define CONTRACT_TOPDOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/code.h"

enum topdown_leaf {
#define TOPDOWN_LEAF(sym, path, event, statistic, meaning) TOPDOWN_##sym,
#include "contract/topdown.def"
    TOPDOWN_LEAVES
};

/* The stage whose slots a profile has. ENTRY: into the back end, at rename in the out-of-order core and at issue in the
 * in-order core. The others are of the out-of-order core. */
enum topdown_stage { TOPDOWN_AT_ENTRY, TOPDOWN_AT_ISSUE, TOPDOWN_AT_COMMIT, TOPDOWN_STAGES };

/* A row of topdown.def: a group or a leaf. */
struct topdown_node {
    const char *path, *event, *meaning;
};
enum {
#define TOPDOWN_GROUP(path, event, meaning) +1
#define TOPDOWN_LEAF(sym, path, event, statistic, meaning) +1
    TOPDOWN_NODES =
#include "contract/topdown.def"
};

struct topdown_row {
    uint64_t pc; /* 0: slots of no instruction of the program: of a handler, of an idle hart, or IN_FLIGHT */
    uint64_t slots[TOPDOWN_LEAVES];
};

struct topdown_profile {
    const char *label;
    enum topdown_stage stage;
    unsigned width;                /* slots in a cycle */
    uint64_t slots;                /* sum over the rows */
    const struct topdown_row *row; /* in ascending order of pc */
    size_t rows;
};

struct topdown_result {
    const struct topdown_profile *profile;
    unsigned profiles;
    uint64_t cycles; /* of the run */
    bool has_idle;   /* a hart has no thread at times: pc 0 has that time, too */
    struct code code;
};

/* The node of this number, in the order of topdown.def. */
const struct topdown_node *topdown_node(unsigned number);
/* Its level, from 1. */
unsigned topdown_level(const struct topdown_node *node);
const char *topdown_leaf_path(enum topdown_leaf leaf);
/* The slots of a node, given those of each leaf. */
uint64_t topdown_node_slots(const struct topdown_node *node, const uint64_t slots[TOPDOWN_LEAVES]);

static inline uint64_t topdown_total(const uint64_t slots[TOPDOWN_LEAVES])
{
    uint64_t sum = 0;
    for (int l = 0; l < TOPDOWN_LEAVES; l++)
        sum += slots[l];
    return sum;
}

#endif
