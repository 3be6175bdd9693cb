/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TAGE; source and sizes in tage.h. Entry points: tage_predict, tage_train. */
#include "core-model/bpred/tage_hash.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core-model/bpred/counters.h"

enum { LFSR_SEED = 0xace1, LFSR_TAPS = 0xb400 };
static const uint8_t history_bits[TAGE_TABLES] = {BITS_0, BITS_1, BITS_2, BITS_3, BITS_4, BITS_5};

void tage_init(struct tage *t, uint32_t base_entries, uint32_t entries)
{
    *t = (struct tage){.base_mask = base_entries - 1,
                       .index_mask = entries - 1,
                       .index_bits = (uint32_t)__builtin_ctz(entries),
                       .lfsr = LFSR_SEED};
    t->base = xmalloc(base_entries);
    memset(t->base, 1, base_entries);
    for (int i = 0; i < TAGE_TABLES; i++)
        t->table[i] = xcalloc(entries, sizeof *t->table[i]);
    for (int i = 0; i < TAGE_TABLES; i++) {
        t->index_end[i] = (uint16_t)(1u << history_bits[i] % t->index_bits);
        t->tag_end[i] = (uint16_t)(1u << history_bits[i] % FOLDED_TAG_BITS);
        t->pc_scale[i] = (uint16_t)(1u << (16 - t->index_bits + (uint32_t)i));
    }
}

void tage_fini(struct tage *t)
{
    free(t->base);
    for (int i = 0; i < TAGE_TABLES; i++)
        free(t->table[i]);
}

/* Folds a history of `length` bits to `bits` bits by XOR of 2, 4 and 8 pieces at a time. */
static inline uint16_t tage_fold(uint64_t h, uint32_t length, uint32_t bits)
{
    h &= UINT64_MAX >> (64 - length);
    for (uint32_t shift = bits; shift < length; shift *= 2)
        h ^= h >> shift;
    return (uint16_t)(h & ((1u << bits) - 1));
}

void tage_fold_history(struct tage *t, uint64_t history)
{
    t->folds.history = history;
    for (int i = 0; i < TAGE_TABLES; i++) {
        t->folds.index[i] = tage_fold(history, history_bits[i], t->index_bits);
        t->folds.tag[i] = tage_fold(history, history_bits[i], FOLDED_TAG_BITS);
    }
}

static inline void fold_all_next(struct tage *t, uint64_t history)
{
    struct tage_folds *f = &t->folds;
    tage_fold_next(t, f, (uint16_t)(history & 1));
    f->history = history;
}

/* The upper halves of the products. */
static inline tage_lanes high_products(tage_lanes a, tage_lanes b)
{
    tage_lanes high = {0};
    for (int i = 0; i < 8; i++)
        high[i] = (uint16_t)((uint32_t)a[i] * b[i] >> 16);
    return high;
}

/* For each table, p ^ p >> (index_bits - table). */
static inline tage_lanes fold_pc(const struct tage *t, uint32_t p)
{
    const tage_lanes low = (tage_lanes){0} + (uint16_t)p;
    return low ^ high_products(low, t->pc_scale) ^ (uint16_t)(p >> 16) * t->pc_scale;
}

void tage_site_init(const struct tage *t, uint64_t pc, struct tage_site *s)
{
    const uint32_t p = (uint32_t)(pc >> 1);
    s->index = fold_pc(t, p);
    s->tag = (tage_lanes){0} + (uint16_t)(p ^ p >> TAGE_TAG_BITS);
    s->base = (uint32_t)(pc >> 1) & t->base_mask;
}

static inline __attribute__((always_inline)) void tage_hash(struct tage *t, uint64_t pc, uint64_t history,
                                                            struct tage_info *info)
{
    struct tage_site site;
    tage_site_init(t, pc, &site);
    if (history >> 1 == (t->folds.history & UINT64_MAX >> 1))
        fold_all_next(t, history);
    else if (history != t->folds.history)
        tage_fold_history(t, history);
    info->index = tage_index(t, &site, &t->folds);
    info->tag = tage_tag(&site, &t->folds);
}

/* A bit for each table whose entry has the tag. */
static inline uint32_t matching_tables(const struct tage *t, const struct tage_info *info)
{
    tage_lanes tag = {0};
#pragma GCC unroll 6
    for (int i = 0; i < TAGE_TABLES; i++)
        tag[i] = t->table[i][info->index[i]].tag;
    const tage_lanes bits = {1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5};
    const tage_halves half = (tage_halves)((tage_lanes)(tag == info->tag) & bits);
    return (uint32_t)((half[0] | half[1]) * UINT64_C(0x0001000100010001) >> 48); /* the sum of the lanes */
}

/* The entry of table number `i` that the branch selects. */
static inline struct tage_entry *tage_entry_of(const struct tage *t, const struct tage_info *info, int i)
{
    return &t->table[i][info->index[i]];
}

/* The highest number of a table of the set, or -1. */
static inline int8_t longest_of(uint32_t tables) { return (int8_t)(30 - __builtin_clz(tables << 1 | 1)); }

/* `info` has indexes and tags. */
static inline __attribute__((always_inline)) bool predict_hashed(const struct tage *t, uint64_t pc,
                                                                 struct tage_info *info)
{
    uint32_t matching = matching_tables(t, info);
    const bool base = tage_base_predict(t, pc);
    info->fresh = false;
    info->taken = info->provider_taken = info->alternate_taken = base;
    info->provider = info->alternate = -1;
    if (matching == 0)
        return base;
    info->provider = longest_of(matching);
    info->alternate = longest_of(matching & ~(1u << info->provider));
    if (info->alternate >= 0)
        info->alternate_taken = tage_entry_of(t, info, info->alternate)->counter >= 0;
    const struct tage_entry *e = tage_entry_of(t, info, info->provider);
    info->provider_taken = e->counter >= 0;
    info->fresh = e->useful == 0 && (e->counter == 0 || e->counter == -1);
    info->taken = info->fresh && t->use_alternate >= 0 ? info->alternate_taken : info->provider_taken;
    return info->taken;
}

bool tage_predict(struct tage *t, uint64_t pc, uint64_t history, struct tage_info *info)
{
    tage_hash(t, pc, history, info);
    return predict_hashed(t, pc, info);
}

static inline int8_t tage_step(int8_t v, bool up, int8_t min, int8_t max)
{
    if (up)
        return v < max ? (int8_t)(v + 1) : max;
    return v > min ? (int8_t)(v - 1) : min;
}

bool tage_base_predict(const struct tage *t, uint64_t pc) { return t->base[(pc >> 1) & t->base_mask] >= 2; }

void tage_base_train(struct tage *t, uint64_t pc, bool taken)
{
    uint8_t *base = &t->base[(pc >> 1) & t->base_mask];
    *base = (uint8_t)tage_step((int8_t)*base, taken, 0, 3);
}

/* After a misprediction: allocates an entry that is not useful in a table with longer history; if all are useful,
 * decrements their useful counters. */
static __attribute__((noinline)) void tage_allocate(struct tage *t, const struct tage_info *info, bool taken)
{
    t->lfsr = (t->lfsr >> 1) ^ (-(t->lfsr & 1u) & LFSR_TAPS);
    int first = info->provider + 1;
    if (first < TAGE_TABLES - 1 && (t->lfsr & 3) == 0) /* randomly skips a table, against ping-pong allocation */
        first++;
    for (int i = first; i < TAGE_TABLES; i++) {
        struct tage_entry *e = &t->table[i][info->index[i]];
        if (e->useful == 0) {
            *e = (struct tage_entry){.tag = info->tag[i], .counter = taken ? 0 : -1};
            return;
        }
    }
    for (int i = first; i < TAGE_TABLES; i++)
        t->table[i][info->index[i]].useful--;
}

void tage_age(struct tage *t)
{
    t->trained = 0;
    for (int i = 0; i < TAGE_TABLES; i++)
        for (uint32_t n = 0; n <= t->index_mask; n++)
            t->table[i][n].useful >>= 1;
}

static inline __attribute__((always_inline)) void bpred_tage_train(struct tage *t, uint64_t pc,
                                                                   const struct tage_info *info, bool taken)
{
    if (info->provider >= 0) {
        struct tage_entry *e = tage_entry_of(t, info, info->provider);
        const bool differ = info->provider_taken != info->alternate_taken;
        if (info->fresh && differ)
            t->use_alternate = tage_step(t->use_alternate, info->alternate_taken == taken, -8, 7);
        /* Another branch may have replaced the entry since the prediction. */
        if (e->tag == info->tag[info->provider]) {
            e->counter = tage_step(e->counter, taken, -4, 3);
            if (differ)
                e->useful = (uint8_t)tage_step((int8_t)e->useful, info->provider_taken == taken, 0, 3);
        }
    }
    if (info->provider < 0 || (info->fresh && info->alternate < 0))
        tage_base_train(t, pc, taken);
    if (info->taken != taken && info->provider < TAGE_TABLES - 1)
        tage_allocate(t, info, taken);
    if (++t->trained == AGEING_PERIOD)
        tage_age(t);
}

void tage_train(struct tage *t, uint64_t pc, const struct tage_info *info, bool taken)
{
    bpred_tage_train(t, pc, info, taken);
}

void tage_warm_hashed(struct tage *t, uint64_t pc, tage_lanes index, tage_lanes tag, bool taken)
{
    struct tage_info info = {.index = index, .tag = tag};
    (void)predict_hashed(t, pc, &info);
    bpred_tage_train(t, pc, &info, taken);
}

void tage_warm(struct tage *t, uint64_t pc, uint64_t history, bool taken)
{
    struct tage_info info;
    tage_hash(t, pc, history, &info);
    (void)predict_hashed(t, pc, &info);
    bpred_tage_train(t, pc, &info, taken);
}

/* ---- the warmed state ---- */

/* An entry is a number: tag, counter and useful counter, from the lowest bit on. */
static void tage_move_entry(struct tage_entry *e, struct checkpoint_stream *s)
{
    enum { USEFUL = TAGE_TAG_BITS + TAGE_COUNTER_BITS, BITS = USEFUL + TAGE_USEFUL_BITS, LEAST = -4 };
    const uint64_t counter = (uint64_t)(e->counter - LEAST);
    uint64_t word = e->tag | counter << TAGE_TAG_BITS | (uint64_t)e->useful << USEFUL;
    word = checkpoint_move(s, word, 0, (UINT64_C(1) << BITS) - 1);
    if (!s->reads)
        return;
    *e = (struct tage_entry){
        .tag = (uint16_t)(word & ((1u << TAGE_TAG_BITS) - 1)),
        .counter = (int8_t)((int)(word >> TAGE_TAG_BITS & ((1u << TAGE_COUNTER_BITS) - 1)) + LEAST),
        .useful = (uint8_t)(word >> USEFUL)};
}

void tage_move(struct tage *t, struct checkpoint_stream *s)
{
    counters_move(t->base, (size_t)t->base_mask + 1, TAGE_BASE_BITS, s);
    for (int i = 0; i < TAGE_TABLES; i++)
        for (size_t n = 0; n <= t->index_mask; n++)
            tage_move_entry(&t->table[i][n], s);
    t->use_alternate = (int8_t)checkpoint_move_signed(s, t->use_alternate, -8, 7);
    t->lfsr = (uint32_t)checkpoint_move(s, t->lfsr, 1, UINT16_MAX);
    t->trained = (uint32_t)checkpoint_move(s, t->trained, 0, AGEING_PERIOD - 1);
}
