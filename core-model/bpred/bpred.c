/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branch targets, returns, and dispatch to the direction predictor. See bpred.h. */
#include "core-model/bpred/bpred.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

void bpred_init(struct bpred *b, const struct core_config *cfg)
{
    *b = (struct bpred){.tournament = cfg->predictor == 1,
                        .bimodal = cfg->predictor == 2,
                        .perfect = cfg->predictor == 3,
                        .btb_ways = cfg->btb_ways,
                        .btb_set_mask = cfg->btb_entries / cfg->btb_ways - 1,
                        .target_bits = cfg->indirect_target_bits,
                        .ras_mask = cfg->ras_entries - 1};
    if (b->tournament)
        tournament_init(&b->tour, cfg->local_histories, cfg->global_entries);
    else
        tage_init(&b->tage, cfg->tage_base_entries, cfg->tage_entries);
    b->btb = xcalloc(cfg->btb_entries, sizeof *b->btb);
    ittage_init(&b->ittage, cfg->indirect_entries);
    b->ras = xcalloc(cfg->ras_entries, sizeof *b->ras);
}

void bpred_fini(struct bpred *b)
{
    if (b->tournament)
        tournament_fini(&b->tour);
    else
        tage_fini(&b->tage);
    free(b->btb);
    ittage_fini(&b->ittage);
    free(b->ras);
}

bool bpred_direction(struct bpred *b, uint64_t pc, uint64_t history, struct bpred_info *info)
{
    if (b->bimodal)
        return tage_base_predict(&b->tage, pc);
    return b->tournament ? tournament_predict(&b->tour, pc, history, &info->tour)
                         : tage_predict(&b->tage, pc, history, &info->tage);
}

void bpred_train_direction(struct bpred *b, uint64_t pc, uint64_t history, const struct bpred_info *info, bool taken)
{
    if (b->bimodal)
        tage_base_train(&b->tage, pc, taken);
    else if (b->tournament)
        tournament_train(&b->tour, pc, history, &info->tour, taken);
    else
        tage_train(&b->tage, pc, &info->tage, taken);
}

uint64_t bpred_target(const struct bpred *b, uint64_t pc)
{
    const struct btb_entry *set = bpred_btb_set(b, pc);
    for (uint32_t w = 0; w < b->btb_ways; w++)
        if (set[w].pc == pc)
            return set[w].target;
    return 0;
}

void bpred_train_older_target(const struct bpred *b, uint64_t pc, uint64_t target)
{
    struct btb_entry *set = bpred_btb_set(b, pc);
    uint32_t w = 1;
    while (w < b->btb_ways && set[w].pc != pc)
        w++;
    memmove(&set[1], &set[0], (w < b->btb_ways ? w : w - 1) * sizeof *set);
    set[0] = (struct btb_entry){.pc = pc, .target = target};
}

uint64_t bpred_indirect(const struct bpred *b, uint64_t pc, uint64_t path, struct bpred_info *info)
{
    return ittage_predict(&b->ittage, pc, path, bpred_target(b, pc), &info->ittage);
}

void bpred_train_indirect(struct bpred *b, const struct bpred_info *info, uint64_t target)
{
    ittage_train(&b->ittage, &info->ittage, target);
}

static void ras_save(const struct bpred *b, struct bpred_info *info)
{
    info->ras_top = b->ras_top;
    info->ras_pushed = false;
}

void bpred_ras_push(struct bpred *b, uint64_t address, struct bpred_info *info)
{
    ras_save(b, info);
    b->ras_top = (b->ras_top + 1) & b->ras_mask;
    info->ras_old = b->ras[b->ras_top];
    info->ras_pushed = true;
    b->ras[b->ras_top] = address;
}

uint64_t bpred_ras_pop(struct bpred *b, struct bpred_info *info)
{
    ras_save(b, info);
    uint64_t address = b->ras[b->ras_top];
    b->ras_top = (b->ras_top - 1) & b->ras_mask;
    return address;
}

uint64_t bpred_ras_swap(struct bpred *b, uint64_t address, struct bpred_info *info)
{
    ras_save(b, info);
    info->ras_old = b->ras[b->ras_top];
    info->ras_pushed = true;
    b->ras[b->ras_top] = address;
    return info->ras_old;
}

void bpred_ras_undo(struct bpred *b, const struct bpred_info *info)
{
    if (info->ras_pushed)
        b->ras[b->ras_top] = info->ras_old;
    b->ras_top = info->ras_top;
}

void bpred_move_btb(struct bpred *b, struct checkpoint_stream *s)
{
    for (size_t i = 0; i < ((size_t)b->btb_set_mask + 1) * b->btb_ways; i++) {
        CHECKPOINT_MOVE(s, b->btb[i].pc);
        CHECKPOINT_MOVE(s, b->btb[i].target);
    }
}

void bpred_move_ras(struct bpred *b, struct checkpoint_stream *s)
{
    for (size_t i = 0; i <= b->ras_mask; i++)
        CHECKPOINT_MOVE(s, b->ras[i]);
    b->ras_top = (uint32_t)checkpoint_move(s, b->ras_top, 0, b->ras_mask);
}

void bpred_history_move(struct bpred_history *h, struct checkpoint_stream *s)
{
    CHECKPOINT_MOVE(s, h->branches);
    CHECKPOINT_MOVE(s, h->path);
}
