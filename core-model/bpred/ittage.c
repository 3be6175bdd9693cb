/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ITTAGE; source in ittage.h. Entry points: ittage_predict, ittage_train. */
#include "core-model/bpred/ittage.h"

#include <stdlib.h>

#include "base/status.h"

/* History lengths in bits, geometric from 4 to 64. */
static const uint8_t history_bits[ITTAGE_TABLES] = {4, 10, 25, 64};
enum { MOST_CONFIDENCE = 3 };

void ittage_init(struct ittage *t, uint32_t entries)
{
    *t = (struct ittage){.index_mask = entries - 1};
    if (entries == 0)
        return;
    t->index_bits = (uint32_t)__builtin_ctz(entries);
    for (int i = 0; i < ITTAGE_TABLES; i++)
        t->table[i] = xcalloc(entries, sizeof *t->table[i]);
}

void ittage_fini(struct ittage *t)
{
    for (int i = 0; i < ITTAGE_TABLES; i++)
        free(t->table[i]);
}

static struct ittage_entry *ittage_entry_of(const struct ittage *t, const struct ittage_info *info, int i)
{
    return &t->table[i][info->index[i]];
}

/* Hashes the history by multiplication. XOR folding, as in TAGE, is unsuitable: in a periodic history of jumps the
 * pieces are equal and cancel. A bit above the tag distinguishes it from an empty entry. */
static void ittage_hash(const struct ittage *t, uint64_t pc, uint64_t path, struct ittage_info *info)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    const uint32_t present = 1u << ITTAGE_TAG_BITS;
    uint32_t p = (uint32_t)(pc >> 1), folded = p ^ p >> ITTAGE_TAG_BITS;
#pragma GCC unroll 4
    for (int i = 0; i < ITTAGE_TABLES; i++) {
        uint64_t mixed = (path & UINT64_MAX >> (64 - history_bits[i])) * factor;
        info->index[i] = (uint16_t)((p ^ p >> t->index_bits ^ mixed >> 48) & t->index_mask);
        info->tag[i] = (uint16_t)(((folded ^ mixed >> 37) & (present - 1)) | present);
    }
}

/* The table below `limit` with the longest matching history, or -1. */
static int longest_match(const struct ittage *t, const struct ittage_info *info, int limit)
{
    while (--limit >= 0 && ittage_entry_of(t, info, limit)->tag != info->tag[limit])
        continue;
    return limit;
}

uint64_t ittage_predict(const struct ittage *t, uint64_t pc, uint64_t path, uint64_t base, struct ittage_info *info)
{
    info->provider = -1;
    info->target = info->other = base;
    if (t->table[0] == NULL)
        return base;
    ittage_hash(t, pc, path, info);
    info->provider = (int8_t)longest_match(t, info, ITTAGE_TABLES);
    if (info->provider < 0)
        return base;
    int second = longest_match(t, info, info->provider);
    if (second >= 0)
        info->other = ittage_entry_of(t, info, second)->target;
    const struct ittage_entry *e = ittage_entry_of(t, info, info->provider);
    info->target = e->confidence == 0 && info->other != 0 ? info->other : e->target;
    return info->target;
}

/* After a misprediction: allocates an entry that is not useful in a table with longer history; if all are useful,
 * clears their useful bits. */
static void ittage_allocate(struct ittage *t, const struct ittage_info *info, uint64_t target)
{
    for (int i = info->provider + 1; i < ITTAGE_TABLES; i++) {
        struct ittage_entry *e = ittage_entry_of(t, info, i);
        if (e->useful)
            continue;
        *e = (struct ittage_entry){.target = target, .tag = info->tag[i]};
        return;
    }
    for (int i = info->provider + 1; i < ITTAGE_TABLES; i++)
        ittage_entry_of(t, info, i)->useful = false;
}

void ittage_train(struct ittage *t, const struct ittage_info *info, uint64_t target)
{
    if (t->table[0] == NULL)
        return;
    struct ittage_entry *e = info->provider >= 0 ? ittage_entry_of(t, info, info->provider) : NULL;
    /* Another jump may have replaced the entry since the prediction. */
    if (e != NULL && e->tag == info->tag[info->provider]) {
        if (e->target == target) {
            e->useful |= info->other != target;
            if (e->confidence < MOST_CONFIDENCE)
                e->confidence++;
        } else if (e->confidence > 0) {
            e->confidence--;
        } else {
            *e = (struct ittage_entry){.target = target, .tag = e->tag};
        }
    }
    if (info->target != target)
        ittage_allocate(t, info, target);
}

/* ---- the warmed state ---- */

/* An entry is two numbers: the target; tag with the bit above it, confidence and useful bit, from the lowest bit on. */
static void ittage_move_entry(struct ittage_entry *e, struct checkpoint_stream *s)
{
    enum { CONFIDENCE = ITTAGE_TAG_BITS + 1, USEFUL = CONFIDENCE + 2, BITS = USEFUL + 1 };
    CHECKPOINT_MOVE(s, e->target);
    const uint64_t written = e->tag | (uint64_t)e->confidence << CONFIDENCE | (uint64_t)e->useful << USEFUL;
    const uint64_t word = checkpoint_move(s, written, 0, (UINT64_C(1) << BITS) - 1);
    e->tag = (uint16_t)(word & ((1u << CONFIDENCE) - 1));
    e->confidence = (uint8_t)(word >> CONFIDENCE & MOST_CONFIDENCE);
    e->useful = word >> USEFUL != 0;
}

void ittage_move(struct ittage *t, struct checkpoint_stream *s)
{
    for (int i = 0; i < ITTAGE_TABLES && t->table[i] != NULL; i++)
        for (size_t n = 0; n <= t->index_mask; n++)
            ittage_move_entry(&t->table[i][n], s);
}
