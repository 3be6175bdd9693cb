/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ITTAGE, an indirect-jump target predictor: tables of tagged targets, indexed with geometrically increasing lengths of
 * a history of branch directions and target bits of indirect jumps. The matching entry with the longest history
 * provides the target; the branch target buffer is the base predictor. Source: Seznec and Michaud, "A case for
 * (partially) tagged geometric history length branch prediction", 2006. Simplifications: a history of 64 bits; full
 * targets in the entries. */
#ifndef CORE_MODEL_BPRED_ITTAGE_H
#define CORE_MODEL_BPRED_ITTAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "core-model/checkpoint/stream.h"

enum { ITTAGE_TABLES = 4, ITTAGE_TAG_BITS = 11 };

struct ittage_entry {
    uint64_t target;
    uint16_t tag;
    uint8_t confidence; /* 0..3; an entry with confidence 0 predicts only if no other does */
    bool useful;        /* was correct where the next shorter history was not */
};

struct ittage {
    struct ittage_entry *table[ITTAGE_TABLES]; /* owned; NULL: no tables */
    uint32_t index_mask, index_bits;
};

/* State of a prediction, kept with the jump for training at retirement. */
struct ittage_info {
    uint64_t target, other; /* predicted target; that of the next shorter history; 0: none */
    uint16_t index[ITTAGE_TABLES], tag[ITTAGE_TABLES];
    int8_t provider; /* table; -1: none */
};

/* `entries`: entries per table, a power of two, or 0. */
void ittage_init(struct ittage *t, uint32_t entries);
void ittage_fini(struct ittage *t);
/* Predicted target of the jump at pc; `base` if no table has an entry. */
uint64_t ittage_predict(const struct ittage *t, uint64_t pc, uint64_t path, uint64_t base, struct ittage_info *info);
void ittage_train(struct ittage *t, const struct ittage_info *info, uint64_t target);

void ittage_move(struct ittage *t, struct checkpoint_stream *s);

#endif
