/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores of a hart that other harts must not see yet: those that have not retired, and retired ones that are not in the
 * cache. They are visible to the hart's own loads, and are performed, made visible to all, in program order. Loads
 * execute in program order, so memory is ordered as in total store order (TSO), which is stronger than RVWMO. Source:
 * the unprivileged manual, chapter "RVWMO Memory Consistency Model" and appendix A. */
#ifndef CORE_MODEL_RISCV_STORE_BUFFER_H
#define CORE_MODEL_RISCV_STORE_BUFFER_H

#include "core-model/riscv/memory.h"

enum { STORES_MAX = 2048, STORES_FILTER = 512 };

struct store_buffer {
    uint32_t first, end; /* of the stores, oldest first: indices modulo STORES_MAX */
    struct {
        uint64_t addr, value;
        uint8_t bytes;
    } at[STORES_MAX];
    uint16_t filter[STORES_FILTER]; /* number of stores by 8-byte granule, hashed */
};

/* *raw is the value of memory [addr, addr + size_bytes), zero-extended, as the hart sees it. size_bytes is at most 8.
 * False: a page is behind the end of its file. */
bool stores_load(const struct store_buffer *b, const struct memory *m, uint64_t addr, unsigned size_bytes,
                 uint64_t *raw);
void stores_add(struct store_buffer *b, uint64_t addr, unsigned size_bytes, uint64_t value);
/* Takes back the youngest store. */
void stores_undo(struct store_buffer *b);
/* Performs the oldest store, whose address is returned, with its size in *size_bytes. The page is writable.
 * A store behind the end of its file, which has been cut since, is lost. */
uint64_t stores_perform(struct store_buffer *b, struct memory *m, unsigned *size_bytes);
static inline bool stores_is_empty(const struct store_buffer *b) { return b->first == b->end; }

#endif
