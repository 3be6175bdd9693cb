/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The 21264's conditional branch predictor: a local predictor (10-bit histories of single branches, 3-bit counters), a
 * global one (2-bit counters by global history), and a choice between them by global history. Source: Kessler, "The
 * Alpha 21264 microprocessor", IEEE Micro 1999. Simplification: local histories are updated at retirement, not
 * speculatively. */
#ifndef CORE_MODEL_BPRED_TOURNAMENT_H
#define CORE_MODEL_BPRED_TOURNAMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "core-model/checkpoint/stream.h"

struct tournament {
    uint16_t *local_history; /* owned */
    uint8_t *local;          /* owned; 0..7 */
    uint8_t *global;         /* owned; 0..3 */
    uint8_t *choice;         /* owned; 0..3; selects the global predictor if >= 2 */
    uint32_t history_mask, global_mask;
};

struct tournament_info {
    uint16_t local_history;
    bool local_taken, global_taken;
};

void tournament_init(struct tournament *t, uint32_t histories, uint32_t global_entries);
void tournament_fini(struct tournament *t);
bool tournament_predict(const struct tournament *t, uint64_t pc, uint64_t history, struct tournament_info *info);
void tournament_train(struct tournament *t, uint64_t pc, uint64_t history, const struct tournament_info *info,
                      bool taken);

void tournament_move(struct tournament *t, struct checkpoint_stream *s);

#endif
