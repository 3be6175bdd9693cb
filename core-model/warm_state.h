/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state that functional warming leaves, in a checkpoint: that of each structure with the keys of the configuration
 * on which it depends. Private to core-model. */
#ifndef CORE_MODEL_WARM_STATE_H
#define CORE_MODEL_WARM_STATE_H

#include "core-model/checkpoint/stream.h"
#include "core-model/engine.h"

/* See core_move_warmed in core.h. Of the parts, `mem`, `bpred`, `history` and `config` are used. */
void warm_state_move(const struct engine_parts *parts, struct checkpoint_stream *s, char **cold);

#endif
