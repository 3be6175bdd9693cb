/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TAGE's folded histories and indexes: inline parts of tage.c and branch_log.c. Private to this folder. */
#ifndef CORE_MODEL_BPRED_TAGE_HASH_H
#define CORE_MODEL_BPRED_TAGE_HASH_H

#include "core-model/bpred/tage.h"

/* History lengths in bits, geometric from 4 to 64. */
enum { BITS_0 = 4, BITS_1 = 7, BITS_2 = 12, BITS_3 = 21, BITS_4 = 37, BITS_5 = 64 };
enum { FOLDED_TAG_BITS = TAGE_TAG_BITS - 1 };
enum { AGEING_PERIOD = 1 << 18 }; /* branches trained between two agings of the useful counters */

/* The folds to `bits` bits when one more outcome comes and the oldest of each table's history leaves it: each bit moves
 * up by one, the highest to the lowest. */
static inline tage_lanes tage_fold_once(tage_lanes v, uint32_t bits, uint16_t newest, tage_lanes oldest, tage_lanes end)
{
    const uint16_t mask = (uint16_t)((1u << bits) - 1);
    return (v << 1 ^ v >> (uint16_t)(bits - 1) ^ newest ^ (oldest & end)) & mask;
}

/* All bits of a lane are those of the oldest outcome of the table's history. */
static inline tage_lanes tage_oldest_of(uint64_t history)
{
#define WORD(table) ((BITS_##table - 1) / 16)
#define BIT(table) (1u << (BITS_##table - 1) % 16)
    const tage_lanes words = (tage_lanes)(tage_halves){history, history};
    const tage_lanes bit = {BIT(0), BIT(1), BIT(2), BIT(3), BIT(4), BIT(5)};
    const tage_lanes word = __builtin_shufflevector(words, words, WORD(0), WORD(1), WORD(2), WORD(3), 4 + WORD(4),
                                                    4 + WORD(5), 4, 4);
    return (tage_lanes)((word & bit) == bit);
#undef WORD
#undef BIT
}

/* The folds when one more outcome comes. f->history, of which the folds are, stays. */
static inline __attribute__((always_inline)) void tage_fold_next(const struct tage *t, struct tage_folds *f,
                                                                 uint16_t newest)
{
    const tage_lanes oldest = tage_oldest_of(f->history);
    f->index = tage_fold_once(f->index, t->index_bits, newest, oldest, t->index_end);
    f->tag = tage_fold_once(f->tag, FOLDED_TAG_BITS, newest, oldest, t->tag_end);
}

static inline tage_lanes tage_index(const struct tage *t, const struct tage_site *s, const struct tage_folds *f)
{
    return (s->index ^ f->index) & (uint16_t)t->index_mask;
}

/* The tag folds to another width, so that histories that collide in the index differ in the tag. */
static inline tage_lanes tage_tag(const struct tage_site *s, const struct tage_folds *f)
{
    return (s->tag ^ f->tag << 1 ^ f->index >> 3) & (uint16_t)((1u << TAGE_TAG_BITS) - 1);
}

#endif
