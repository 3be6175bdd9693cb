/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branch prediction: direction (TAGE, tournament or bimodal), targets (branch target buffer; ITTAGE for indirect jumps)
 * and returns (return address stack).
 * Tables learn when a branch retires. The return stack changes at fetch; each change can be taken back, youngest first.
 * The history belongs to the caller, which passes it in. */
#ifndef CORE_MODEL_BPRED_BPRED_H
#define CORE_MODEL_BPRED_BPRED_H

#include "core-model/bpred/ittage.h"
#include "core-model/bpred/tage.h"
#include "core-model/bpred/tournament.h"
#include "core-model/config.h"

struct btb_entry {
    uint64_t pc, target; /* pc 0: empty */
    uint32_t used;
};

/* What has been fetched, youngest in the low bits. */
struct bpred_history {
    uint64_t branches; /* a bit for each conditional branch: taken? */
    uint64_t path;     /* the same, and for each indirect jump that is no return, bits of its target */
};

struct bpred {
    bool tournament; /* which of the two */
    bool bimodal;    /* TAGE's base table alone */
    bool perfect;    /* steer_predict gives the outcome; nothing is looked up or learnt */
    struct tage tage;
    struct tournament tour;
    struct btb_entry *btb; /* owned; [sets][ways] */
    uint32_t btb_set_mask, btb_ways, btb_clock;
    struct ittage ittage;
    uint32_t target_bits;       /* of the path, for an indirect jump */
    uint64_t *ras;              /* owned; circular */
    uint32_t ras_mask, ras_top; /* ras_top: index of the youngest address */
};

/* What one instruction's prediction did: for training and for taking it back. */
struct bpred_info {
    union {
        struct tage_info tage;
        struct tournament_info tour;
        struct ittage_info ittage;
    };
    uint64_t ras_old; /* the word a push overwrote */
    uint32_t ras_top; /* before */
    bool ras_pushed;
};

void bpred_init(struct bpred *b, const struct core_config *cfg);
void bpred_fini(struct bpred *b);

/* A conditional branch, or an indirect jump to `target`, has been fetched. */
static inline void bpred_history_branch(struct bpred_history *h, bool taken)
{
    h->branches = h->branches << 1 | taken;
    h->path = h->path << 1 | taken;
}
static inline void bpred_history_jump(const struct bpred *b, struct bpred_history *h, uint64_t target)
{
    h->path = h->path << b->target_bits ^ ((target >> 1 ^ target >> 7 ^ target >> 13) & 0xff);
}

/* Conditional branches. `history`: bpred_history.branches as it was when the branch was fetched. */
bool bpred_direction(const struct bpred *b, uint64_t pc, uint64_t history, struct bpred_info *info);
void bpred_train_direction(struct bpred *b, uint64_t pc, uint64_t history, const struct bpred_info *info, bool taken);

/* The target of the taken branch or jump at pc, or 0 where none is known. */
uint64_t bpred_target(const struct bpred *b, uint64_t pc);
void bpred_train_target(struct bpred *b, uint64_t pc, uint64_t target);
/* The target of an indirect jump that is not a return, or 0. `path`: of bpred_history, when the jump was fetched. */
uint64_t bpred_indirect(const struct bpred *b, uint64_t pc, uint64_t path, struct bpred_info *info);
void bpred_train_indirect(struct bpred *b, const struct bpred_info *info, uint64_t target);

void bpred_ras_push(struct bpred *b, uint64_t address, struct bpred_info *info);
uint64_t bpred_ras_pop(struct bpred *b, struct bpred_info *info);
/* A co-routine jump: returns and calls at once. */
uint64_t bpred_ras_swap(struct bpred *b, uint64_t address, struct bpred_info *info);
/* Takes back the youngest push, pop or swap that has not been. */
void bpred_ras_undo(struct bpred *b, const struct bpred_info *info);

#endif
