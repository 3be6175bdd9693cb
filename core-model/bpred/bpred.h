/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branch prediction: direction (TAGE, tournament or bimodal), targets (branch target buffer; ITTAGE for indirect jumps)
 * and returns (return address stack). Tables are trained at retirement. The return address stack changes at fetch;
 * changes can be undone, youngest first. The caller owns the history and passes it to each call. */
#ifndef CORE_MODEL_BPRED_BPRED_H
#define CORE_MODEL_BPRED_BPRED_H

#include "core-model/bpred/ittage.h"
#include "core-model/bpred/tage.h"
#include "core-model/bpred/tournament.h"
#include "core-model/config/config.h"

struct btb_entry {
    uint64_t pc, target; /* pc 0: empty */
};

/* Speculative history of fetched control transfers, youngest in the low bits. */
struct bpred_history {
    uint64_t branches; /* one bit per conditional branch: 1 if taken */
    uint64_t path;     /* the same, plus target bits of each indirect jump that is not a return */
};

struct bpred {
    bool tournament; /* selects the tournament predictor, else TAGE */
    bool bimodal;    /* only TAGE's base table */
    bool perfect;    /* steer_predict returns the actual outcome; no lookups, no training */
    struct tage tage;
    struct tournament tour;
    struct btb_entry *btb; /* owned; [sets][ways]: in each set, the most recently trained first */
    uint32_t btb_set_mask, btb_ways;
    struct ittage ittage;
    uint32_t target_bits;       /* target bits added to the path by an indirect jump */
    uint64_t *ras;              /* owned; circular */
    uint32_t ras_mask, ras_top; /* ras_top: index of the youngest address */
};

/* State of one instruction's prediction, for training and for undoing it. */
struct bpred_info {
    union {
        struct tage_info tage;
        struct tournament_info tour;
        struct ittage_info ittage;
    };
    uint64_t ras_old; /* entry overwritten by a push */
    uint32_t ras_top; /* before the change */
    bool ras_pushed;
};

void bpred_init(struct bpred *b, const struct core_config *cfg);
void bpred_fini(struct bpred *b);

/* Add a fetched conditional branch, or an indirect jump to `target`, to the history. */
static inline void bpred_history_branch(struct bpred_history *h, bool taken)
{
    h->branches = h->branches << 1 | taken;
    h->path = h->path << 1 | taken;
}
static inline void bpred_history_jump(const struct bpred *b, struct bpred_history *h, uint64_t target)
{
    h->path = h->path << b->target_bits ^ ((target >> 1 ^ target >> 7 ^ target >> 13) & 0xff);
}

/* Direction of a conditional branch. `history`: bpred_history.branches at its fetch. */
bool bpred_direction(struct bpred *b, uint64_t pc, uint64_t history, struct bpred_info *info);
void bpred_train_direction(struct bpred *b, uint64_t pc, uint64_t history, const struct bpred_info *info, bool taken);
/* Both at once, for functional warming. */
static inline void bpred_warm_direction(struct bpred *b, uint64_t pc, uint64_t history, bool taken)
{
    struct bpred_info info;
    if (!b->bimodal && !b->tournament) {
        tage_warm(&b->tage, pc, history, taken);
        return;
    }
    (void)bpred_direction(b, pc, history, &info);
    bpred_train_direction(b, pc, history, &info, taken);
}

/* Target of the taken branch or jump at pc, or 0 if unknown. */
uint64_t bpred_target(const struct bpred *b, uint64_t pc);
static inline struct btb_entry *bpred_btb_set(const struct bpred *b, uint64_t pc)
{
    return &b->btb[((pc >> 1 ^ pc >> 12) & b->btb_set_mask) * b->btb_ways];
}
/* The general case of bpred_train_target. */
void bpred_train_older_target(const struct bpred *b, uint64_t pc, uint64_t target);
/* Replaces the least recently trained entry; retired taken branches train entries. */
static inline void bpred_train_target(const struct bpred *b, uint64_t pc, uint64_t target)
{
    struct btb_entry *newest = bpred_btb_set(b, pc);
    if (newest->pc == pc)
        newest->target = target;
    else
        bpred_train_older_target(b, pc, target);
}
/* Target of an indirect jump that is not a return, or 0. `path`: bpred_history.path at its fetch. */
uint64_t bpred_indirect(const struct bpred *b, uint64_t pc, uint64_t path, struct bpred_info *info);
void bpred_train_indirect(struct bpred *b, const struct bpred_info *info, uint64_t target);

void bpred_ras_push(struct bpred *b, uint64_t address, struct bpred_info *info);
uint64_t bpred_ras_pop(struct bpred *b, struct bpred_info *info);
/* Co-routine jump: a return and a call in one instruction. */
uint64_t bpred_ras_swap(struct bpred *b, uint64_t address, struct bpred_info *info);
/* Undoes the youngest push, pop or swap that has not been undone. */
void bpred_ras_undo(struct bpred *b, const struct bpred_info *info);

/* Move the branch target buffer, the return address stack, and the history. */
void bpred_move_btb(struct bpred *b, struct checkpoint_stream *s);
void bpred_move_ras(struct bpred *b, struct checkpoint_stream *s);
void bpred_history_move(struct bpred_history *h, struct checkpoint_stream *s);

#endif
