/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An index of instruction addresses while a run goes on: numbers them from 1 in the order in which they are first seen.
 * A profiler keeps its counts in an array by that number. An address is found through the table of its page, so a
 * look-up costs two loads where the code has been seen before. */
#ifndef CORE_MODEL_PROF_PC_INDEX_H
#define CORE_MODEL_PROF_PC_INDEX_H

#include <stddef.h>
#include <stdint.h>

enum { PC_PAGE_BITS = 12, PC_PAGE_BYTES = 1 << PC_PAGE_BITS, PC_PAGE_CODE = PC_PAGE_BYTES / 2, PC_PAGE_CACHE = 256 };

struct pc_page {
    uint64_t base;                    /* address of its first byte */
    uint32_t number_of[PC_PAGE_CODE]; /* by halfword; 0: not seen yet */
};

/* Contains no address. */
extern const struct pc_page pc_no_page;

struct pc_index {
    const struct pc_page *cache[PC_PAGE_CACHE]; /* by the low bits of pc >> PC_PAGE_BITS; never NULL */
    struct pc_page **page;                      /* open-addressed; capacity is a power of two */
    size_t pages, page_capacity;
    uint32_t last; /* the last number given; 0: none */
};

void pc_index_init(struct pc_index *x);
void pc_index_fini(struct pc_index *x);

/* Gives the address a number unless it has one, and returns the number. */
uint32_t pc_index_enter(struct pc_index *x, uint64_t pc);

/* The number of the address; 0: pc_index_enter is to be called, which also brings the page into the cache. `page` is
 * that of the address before, in a run of neighbours; the caller begins with &pc_no_page. */
static inline uint32_t pc_index_find(const struct pc_index *x, uint64_t pc, const struct pc_page **page)
{
    uint64_t offset = pc - (*page)->base;
    if (offset >= PC_PAGE_BYTES) {
        *page = x->cache[pc >> PC_PAGE_BITS & (PC_PAGE_CACHE - 1)];
        offset = pc - (*page)->base;
        if (__builtin_expect(offset >= PC_PAGE_BYTES, 0))
            return 0;
    }
    return (*page)->number_of[offset / 2];
}

#endif
