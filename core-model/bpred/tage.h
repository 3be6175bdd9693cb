/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TAGE, the conditional branch predictor of the TIP paper's core: a base table of 2-bit counters and 6 tagged tables
 * indexed with geometrically longer pieces of the global history, folded to the index width. Source: Seznec and
 * Michaud, "A case for (partially) tagged geometric history length branch prediction", 2006. At the default sizes:
 * 16384 x 2 bit + 6 x 2048 x (11 tag + 3 counter + 2 useful) bit = 28 kB, the paper's size.
 *
 * The history is at most 64 bits, as in SonicBOOM (globalHistoryLength), and comes with each call, so a squash restores
 * it by restoring one word. */
#ifndef CORE_MODEL_BPRED_TAGE_H
#define CORE_MODEL_BPRED_TAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "core-model/checkpoint/stream.h"
#include "core-model/config/tage_storage.h"

struct tage_entry {
    uint16_t tag;
    int8_t counter; /* -4..3; taken if >= 0 */
    uint8_t useful; /* 0..3 */
};

/* A number for each of the tagged tables, and two that are not used: a vector of the host. */
typedef uint16_t tage_lanes __attribute__((vector_size(16)));
typedef uint64_t tage_halves __attribute__((vector_size(16)));

/* Histories folded to the widths of index and tag, by XOR of pieces of that width. */
struct tage_folds {
    uint64_t history; /* that they are of */
    tage_lanes index, tag;
};

/* What a branch's address contributes to the indexes and tags. */
struct tage_site {
    tage_lanes index, tag;
    uint32_t base; /* index in the base table */
};

struct tage {
    uint8_t *base;                         /* owned; 0..3; taken if >= 2 */
    struct tage_entry *table[TAGE_TABLES]; /* owned */
    uint32_t base_mask, index_mask, index_bits;
    int8_t use_alternate;    /* -8..7; if >= 0, the alternate predicts instead of a newly allocated provider */
    uint32_t lfsr;           /* random source for allocation */
    uint32_t trained;        /* branches trained since the last aging of the useful counters */
    struct tage_folds folds; /* of the history of the last prediction */
    /* Bit of the folds that the oldest outcome of a table's history has left when a new one comes. */
    tage_lanes index_end, tag_end;
    tage_lanes pc_scale; /* powers of two: what an address's upper bits are shifted by, for each table's index */
};

/* State of a prediction, kept with the branch for training at retirement. */
struct tage_info {
    tage_lanes index, tag;
    int8_t provider, alternate; /* table number; -1: base table */
    bool provider_taken, alternate_taken, taken;
    bool fresh; /* the provider is newly allocated: weak and not useful */
};

void tage_init(struct tage *t, uint32_t base_entries, uint32_t entries);
void tage_fini(struct tage *t);
bool tage_predict(struct tage *t, uint64_t pc, uint64_t history, struct tage_info *info);
void tage_train(struct tage *t, uint64_t pc, const struct tage_info *info, bool taken);
/* Both at once, for functional warming. */
void tage_warm(struct tage *t, uint64_t pc, uint64_t history, bool taken);
/* The same with the indexes and tags. */
void tage_warm_hashed(struct tage *t, uint64_t pc, tage_lanes index, tage_lanes tag, bool taken);
void tage_site_init(const struct tage *t, uint64_t pc, struct tage_site *s);
/* Has t->folds be those of the history. */
void tage_fold_history(struct tage *t, uint64_t history);
/* Halves the useful counters, after AGEING_PERIOD trainings. */
void tage_age(struct tage *t);

/* Moves the tables; the folds are computed anew. */
void tage_move(struct tage *t, struct checkpoint_stream *s);

/* Prediction of the base table alone: 2-bit counters indexed by address. */
bool tage_base_predict(const struct tage *t, uint64_t pc);
void tage_base_train(struct tage *t, uint64_t pc, bool taken);

#endif
