/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/bpred/branch_log.h"

#include <string.h>

#include "contract/opclass.h"
#include "core-model/bpred/tage_hash.h"

_Static_assert(sizeof(struct branch_site) == 64, "a site is a cache line of the host");

void branch_site_init(const struct bpred *b, const struct rv_insn *in, uint64_t pc, struct branch_site *s)
{
    struct tage_site t = {.base = 0};
    if (!b->tournament)
        tage_site_init(&b->tage, pc, &t);
    *s = (struct branch_site){.index = t.index,
                              .tag = t.tag,
                              .base = t.base,
                              .set = (uint32_t)(bpred_btb_set(b, pc) - b->btb),
                              .entry = {.pc = pc, .target = pc + (uint64_t)(int64_t)in->imm},
                              .opclass = in->opclass,
                              .length_bytes = in->length_bytes,
                              .is_branch = (in->flags & RV_BRANCH) != 0,
                              .is_indirect = (in->flags & RV_INDIRECT) != 0,
                              .is_plain = rv_is_plain_indirect(in)};
}

/* ---- jumps ---- */

static void warm_return_stack(struct bpred *b, enum opclass c, uint64_t after)
{
    struct bpred_info info;
    if (c == OPCLASS_CALL || c == OPCLASS_ICALL)
        bpred_ras_push(b, after, &info);
    else if (c == OPCLASS_RET)
        (void)bpred_ras_pop(b, &info);
    else if (c == OPCLASS_SWAP)
        (void)bpred_ras_swap(b, after, &info);
}

static inline void warm_target(struct bpred *b, struct bpred_history *history, const struct branch_site *s,
                               uint64_t next)
{
    struct bpred_info info;
    if (s->is_plain) {
        (void)bpred_indirect(b, s->entry.pc, history->path, &info);
        bpred_train_indirect(b, &info, next);
        bpred_history_jump(b, history, next);
    }
    warm_return_stack(b, (enum opclass)s->opclass, s->entry.pc + s->length_bytes);
    bpred_train_target(b, s->entry.pc, next);
}

void bpred_warm_jump(struct bpred *b, struct bpred_history *history, const struct rv_insn *in, uint64_t pc,
                     uint64_t next)
{
    const struct branch_site s = {.entry = {.pc = pc},
                                  .opclass = in->opclass,
                                  .length_bytes = in->length_bytes,
                                  .is_plain = rv_is_plain_indirect(in)};
    warm_target(b, history, &s, next);
}

/* The branch target buffer has the entry, and no training of it changes anything. */
static inline bool is_newest(const struct bpred *b, const struct branch_site *s)
{
    const struct btb_entry *newest = &b->btb[s->set];
    return ((newest->pc ^ s->entry.pc) | (newest->target ^ s->entry.target)) == 0;
}

/* The jump whose entry in the log, without the target, is before `from`. Returns the end of its entry. */
static const uint32_t *train_jump(struct bpred *b, struct bpred_history *history, const struct branch_site *s,
                                  const uint32_t *from)
{
    if (!s->is_indirect) {
        if (s->opclass == OPCLASS_CALL)
            warm_return_stack(b, OPCLASS_CALL, s->entry.pc + s->length_bytes);
        if (!is_newest(b, s))
            bpred_train_target(b, s->entry.pc, s->entry.target);
        return from;
    }
    warm_target(b, history, s, from[0] | (uint64_t)from[1] << 32);
    return from + 2;
}

/* ---- conditional branches ---- */

/* The base table's counters, as entries of a tagged one: the outcome, and whether training changes them. */
static const struct tage_entry base_entries[] = {{.counter = -4, .useful = 3},
                                                 {.counter = -1, .useful = 3},
                                                 {.counter = 0, .useful = 3},
                                                 {.counter = 3, .useful = 3}};

/* What matches, as a number with bits 2i and 2i+1 set for table i. */
static inline uint32_t pairs_of(tage_lanes equal)
{
#if defined(__SSE2__)
    typedef char bytes __attribute__((vector_size(16)));
    return (uint32_t)__builtin_ia32_pmovmskb128((bytes)equal) & ((1u << 2 * TAGE_TABLES) - 1);
#else
    uint32_t pairs = 0;
    for (int i = 0; i < TAGE_TABLES; i++)
        pairs |= equal[i] & 3u << 2 * i;
    return pairs;
#endif
}

/* 0, or 1 + the number of the highest table. */
static inline uint32_t highest_of(uint32_t pairs) { return (31u ^ (uint32_t)__builtin_clz(pairs << 1 | 1)) >> 1; }

/* TAGE while the log is read: what does not change is in registers. */
struct tage_reader {
    struct tage *t;
    const struct tage_entry *tables[1 + TAGE_TABLES]; /* the first is the base table */
    tage_lanes index, tag;                            /* folds of the history */
    tage_lanes index_mask, tag_mask, fold_mask, index_end, tag_end;
    uint64_t history;
};

static inline void reader_init(struct tage_reader *r, struct tage *t, uint64_t history)
{
    const tage_lanes zero = {0};
    r->t = t;
    r->tables[0] = base_entries;
    memcpy(&r->tables[1], t->table, sizeof t->table);
    if (t->folds.history != history)
        tage_fold_history(t, history);
    r->history = history;
    r->index = t->folds.index;
    r->tag = t->folds.tag;
    r->index_mask = zero + (uint16_t)t->index_mask;
    r->tag_mask = zero + (uint16_t)((1u << TAGE_TAG_BITS) - 1);
    r->fold_mask = zero + (uint16_t)((1u << FOLDED_TAG_BITS) - 1);
    r->index_end = t->index_end;
    r->tag_end = t->tag_end;
}

enum { NARROW_BITS = 14 }; /* of an index, so that twice a fold is less than 2^15 */

/* All bits of a lane that is greater than its limit. */
static inline tage_lanes above(tage_lanes v, tage_lanes limit)
{
    typedef int16_t signed_lanes __attribute__((vector_size(16)));
    return (tage_lanes)((signed_lanes)v > (signed_lanes)limit);
}

/* tage_fold_once, with the mask of the bits: doubled, a fold has its highest bit above the mask. */
static inline tage_lanes fold_in(tage_lanes v, tage_lanes mask, tage_lanes newest, tage_lanes oldest, tage_lanes end)
{
    const tage_lanes twice = v + v;
    return ((twice - above(twice, mask)) ^ newest ^ (oldest & end)) & mask;
}

/* Trains one branch. Mostly the longest matching entry is right and saturated; then nothing changes. */
static inline __attribute__((always_inline)) void read_branch(struct tage_reader *r, const struct branch_site *s,
                                                              bool taken)
{
    struct tage *t = r->t;
    const tage_lanes index = (s->index ^ r->index) & r->index_mask;
    const tage_lanes tag = (s->tag ^ (r->tag + r->tag) ^ r->index >> 3) & r->tag_mask;
    tage_lanes found = {0};
#pragma GCC unroll 6
    for (int i = 0; i < TAGE_TABLES; i++)
        found[i] = r->tables[1 + i][index[i]].tag;
    uint16_t at[1 + sizeof index / sizeof index[0]];
    memcpy(&at[1], &index, sizeof index);
    at[0] = t->base[s->base];
    const uint32_t pairs = pairs_of((tage_lanes)(found == tag)), provider = highest_of(pairs);
    const uint32_t alternate = highest_of(pairs & ((1u << 2 * provider) - 1) >> 2);
    const struct tage_entry *e = &r->tables[provider][at[provider]];
    const bool alternate_taken = r->tables[alternate][at[alternate]].counter >= 0;
    const bool is_sure = e->counter == (taken ? 3 : -4);
    if (__builtin_expect(is_sure & ((alternate_taken == taken) | (e->useful == 3)), 1)) {
        if (++t->trained == AGEING_PERIOD)
            tage_age(t);
    } else {
        tage_warm_hashed(t, s->entry.pc, index, tag, taken);
    }
    const tage_lanes oldest = tage_oldest_of(r->history), newest = (tage_lanes){0} + (uint16_t)taken;
    r->index = fold_in(r->index, r->index_mask, newest, oldest, r->index_end);
    r->tag = fold_in(r->tag, r->fold_mask, newest, oldest, r->tag_end);
    r->history = r->history << 1 | taken;
}

static void train_tage(struct bpred *b, struct bpred_history *history, const struct branch_site *sites,
                       const uint32_t *from, const uint32_t *to)
{
    struct tage_reader r;
    uint64_t path = history->path;
    reader_init(&r, &b->tage, history->branches);
    while (from != to) {
        const uint32_t entry = *from++;
        const struct branch_site *s = &sites[entry >> 1];
        if (s->is_branch) {
            const bool taken = entry & 1;
            read_branch(&r, s, taken);
            path = path << 1 | taken;
            if (__builtin_expect(taken & !is_newest(b, s), 0))
                bpred_train_target(b, s->entry.pc, s->entry.target);
        } else {
            history->path = path;
            from = train_jump(b, history, s, from);
            path = history->path;
        }
    }
    b->tage.folds = (struct tage_folds){.history = r.history, .index = r.index, .tag = r.tag};
    *history = (struct bpred_history){.branches = r.history, .path = path};
}

void branch_log_train(struct bpred *b, struct bpred_history *history, const struct branch_site *sites,
                      const uint32_t *from, const uint32_t *to)
{
    if (b->external == NULL && !b->bimodal && !b->tournament && b->tage.index_bits <= NARROW_BITS) {
        train_tage(b, history, sites, from, to);
        return;
    }
    while (from != to) {
        const uint32_t entry = *from++;
        const struct branch_site *s = &sites[entry >> 1];
        if (!s->is_branch) {
            from = train_jump(b, history, s, from);
            continue;
        }
        if (b->external != NULL)
            bpred_warm_external(
                b, &(struct bpred_branch){.pc = s->entry.pc, .target = s->entry.target, .history = *history},
                entry & 1);
        else
            bpred_warm_direction(b, s->entry.pc, history->branches, entry & 1);
        bpred_history_branch(history, entry & 1);
        if (entry & 1)
            bpred_train_target(b, s->entry.pc, s->entry.target);
    }
}
