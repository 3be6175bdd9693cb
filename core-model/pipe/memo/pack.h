/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the pipeline between two cycles as a string of bytes: equal states have equal strings. It has no
 * positions, physical registers or values, and cycles are relative to the next one. Instructions, their outcomes and
 * events, addresses, histories and outstanding misses stay in the ring. Private to core-model/pipe. */
#ifndef CORE_MODEL_PIPE_MEMO_PACK_H
#define CORE_MODEL_PIPE_MEMO_PACK_H

#include "core-model/pipe/pipe.h"

/* Returns the number of bytes, at most `most`, or 0: the state cannot be packed. */
uint32_t state_pack(const struct ooo *c, uint8_t *to, uint32_t most);
/* The reverse, with the positions of the oldest instruction and of the oldest store. */
void state_unpack(struct ooo *c, const uint8_t *from, uint64_t head, uint32_t store_head);

#endif
