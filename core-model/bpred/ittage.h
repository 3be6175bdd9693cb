/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ITTAGE, a predictor of the targets of indirect jumps: tables of tagged targets, indexed with geometrically longer
 * pieces of a history that holds the directions of branches and bits of the targets of indirect jumps. The entry with
 * the longest history that matches gives the target. A branch target buffer stands behind the tables.
 * Source: Seznec and Michaud, "A case for (partially) tagged geometric history length branch prediction", 2006.
 * Modelled simply: one history word of 64 bits; whole targets in the entries. */
#ifndef CORE_MODEL_BPRED_ITTAGE_H
#define CORE_MODEL_BPRED_ITTAGE_H

#include <stdbool.h>
#include <stdint.h>

enum { ITTAGE_TABLES = 4, ITTAGE_TAG_BITS = 11 };

struct ittage_entry {
    uint64_t target;
    uint16_t tag;
    uint8_t confidence; /* 0..3; an entry of confidence 0 predicts only where nothing else does */
    bool useful;        /* was right where the next shorter history was not */
};

struct ittage {
    struct ittage_entry *table[ITTAGE_TABLES]; /* owned; NULL: no tables */
    uint32_t index_mask, index_bits;
};

/* What a prediction was made of; kept with the jump until it retires and trains. */
struct ittage_info {
    uint64_t target, other; /* predicted; what the next shorter history predicts; 0: nothing */
    uint16_t index[ITTAGE_TABLES], tag[ITTAGE_TABLES];
    int8_t provider; /* table; -1: none */
};

/* `entries` of each table: a power of two, or 0. */
void ittage_init(struct ittage *t, uint32_t entries);
void ittage_fini(struct ittage *t);
/* The target of the jump at pc; `base` where no table knows it. */
uint64_t ittage_predict(const struct ittage *t, uint64_t pc, uint64_t path, uint64_t base, struct ittage_info *info);
void ittage_train(struct ittage *t, const struct ittage_info *info, uint64_t target);

#endif
