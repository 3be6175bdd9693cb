/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tournament predictor. See tournament.h. Entry points: tournament_predict, tournament_train. */
#include "core-model/bpred/tournament.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core-model/bpred/counters.h"

enum { LOCAL_BITS = 10, LOCAL_MASK = (1 << LOCAL_BITS) - 1 };

void tournament_init(struct tournament *t, uint32_t histories, uint32_t global_entries)
{
    t->history_mask = histories - 1;
    t->global_mask = global_entries - 1;
    t->local_history = xcalloc(histories, sizeof *t->local_history);
    t->local = xmalloc(LOCAL_MASK + 1);
    memset(t->local, 3, LOCAL_MASK + 1);
    t->global = xmalloc(global_entries);
    memset(t->global, 1, global_entries);
    t->choice = xmalloc(global_entries);
    memset(t->choice, 1, global_entries);
}

void tournament_fini(struct tournament *t)
{
    free(t->local_history);
    free(t->local);
    free(t->global);
    free(t->choice);
}

bool tournament_predict(const struct tournament *t, uint64_t pc, uint64_t history, struct tournament_info *info)
{
    info->local_history = t->local_history[(pc >> 1) & t->history_mask];
    info->local_taken = t->local[info->local_history] >= 4;
    info->global_taken = t->global[history & t->global_mask] >= 2;
    return t->choice[history & t->global_mask] >= 2 ? info->global_taken : info->local_taken;
}

static void tournament_count(uint8_t *c, bool up, uint8_t max)
{
    if (up && *c < max)
        ++*c;
    else if (!up && *c > 0)
        --*c;
}

void tournament_train(struct tournament *t, uint64_t pc, uint64_t history, const struct tournament_info *info,
                      bool taken)
{
    uint16_t *h = &t->local_history[(pc >> 1) & t->history_mask];
    if (info->local_taken != info->global_taken)
        tournament_count(&t->choice[history & t->global_mask], info->global_taken == taken, 3);
    tournament_count(&t->local[info->local_history], taken, 7);
    tournament_count(&t->global[history & t->global_mask], taken, 3);
    *h = (uint16_t)((*h << 1 | taken) & LOCAL_MASK);
}

void tournament_move(struct tournament *t, struct checkpoint_stream *s)
{
    enum { LOCAL_COUNTER_BITS = 3, GLOBAL_COUNTER_BITS = 2 };
    for (size_t i = 0; i <= t->history_mask; i++)
        t->local_history[i] = (uint16_t)checkpoint_move(s, t->local_history[i], 0, LOCAL_MASK);
    counters_move(t->local, LOCAL_MASK + 1, LOCAL_COUNTER_BITS, s);
    counters_move(t->global, (size_t)t->global_mask + 1, GLOBAL_COUNTER_BITS, s);
    counters_move(t->choice, (size_t)t->global_mask + 1, GLOBAL_COUNTER_BITS, s);
}
