/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saturating counters of a few bits in a checkpoint. */
#ifndef CORE_MODEL_BPRED_COUNTERS_H
#define CORE_MODEL_BPRED_COUNTERS_H

#include "core-model/checkpoint/stream.h"

/* Moves `count` counters of `bits` bits each, as many in a number as it has room for. */
void counters_move(uint8_t *counter, size_t count, unsigned bits, struct checkpoint_stream *s);

#endif
