/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stores among the last instructions that retired, for exact references that relate accesses to memory. */
#ifndef CORE_MODEL_PROF_RECENT_STORES_H
#define CORE_MODEL_PROF_RECENT_STORES_H

#include <stdbool.h>
#include <stdint.h>

#include "core-model/probe/probe.h"

/* Maximum distance of a store, in instructions of the program's classes. */
enum { RECENT_DISTANCE = 64 };

struct recent_store {
    uint64_t pc, ea, number; /* number: instruction number, from 1 */
    uint8_t bytes;
    uint8_t visible; /* bit n: byte n has not been overwritten */
    bool read;       /* at least one byte has been read */
};

/* Zero-initialised: nothing has retired. */
struct recent_stores {
    struct recent_store ring[RECENT_DISTANCE];
    uint64_t oldest, next; /* positions in the ring, not reduced; oldest <= next */
    uint64_t number;       /* instructions so far */
};

/* Counts an instruction, and drops stores beyond the maximum distance from it. */
void recent_stores_count(struct recent_stores *s);
/* Adds a store after it was counted. */
void recent_stores_add(struct recent_stores *s, const struct probe_insn *in);

static inline struct recent_store *recent_stores_at(struct recent_stores *s, uint64_t position)
{
    return &s->ring[position % RECENT_DISTANCE];
}

/* Bit mask of the store's bytes that the access touches: bit n is byte n. */
uint8_t recent_store_overlap(const struct recent_store *st, const struct rv_outcome *access);

#endif
