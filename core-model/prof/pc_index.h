/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Index of instruction addresses, or of places (contract/call_tree.h): numbers them from 1 in the order of first
 * occurrence. Profilers index arrays of counts with these numbers. An address is found through the table of its page,
 * so the lookup of a known address takes two loads. Pages are small, because a context has few places on a page. */
#ifndef CORE_MODEL_PROF_PC_INDEX_H
#define CORE_MODEL_PROF_PC_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PC_PAGE_BITS = 8, PC_PAGE_BYTES = 1 << PC_PAGE_BITS, PC_PAGE_CODE = PC_PAGE_BYTES / 2, PC_PAGE_CACHE = 2048 };

struct pc_page {
    uint64_t base;                    /* address of its first byte */
    uint32_t number_of[PC_PAGE_CODE]; /* by halfword; 0: no number yet */
};

/* A page that contains no address. */
extern const struct pc_page pc_no_page;

struct pc_index {
    const struct pc_page *cache[PC_PAGE_CACHE]; /* by pc_index_line; never NULL */
    struct pc_page **page;                      /* open-addressed; capacity is a power of two */
    size_t pages, page_capacity;
    uint32_t last; /* last number assigned; 0: none */
};

void pc_index_init(struct pc_index *x);
void pc_index_fini(struct pc_index *x);

/* The element of the cache for the address. */
static inline unsigned pc_index_line(uint64_t pc)
{
    return (unsigned)(pc >> PC_PAGE_BITS ^ pc >> 37) & (PC_PAGE_CACHE - 1); /* contexts begin at bit 40 of a place */
}

/* Returns the number of the address, which is assigned at the first call: then *is_new is set, else cleared. */
uint32_t pc_index_enter(struct pc_index *x, uint64_t pc, bool *is_new);

/* Number of the address; if 0, it has none, or its page is not cached: the caller must call pc_index_enter, which also
 * caches the page. *page caches the page
 * of the previous address in a sequence; callers initialise it to &pc_no_page. */
static inline uint32_t pc_index_find(const struct pc_index *x, uint64_t pc, const struct pc_page **page)
{
    uint64_t offset = pc - (*page)->base;
    if (offset >= PC_PAGE_BYTES) {
        *page = x->cache[pc_index_line(pc)];
        offset = pc - (*page)->base;
        if (__builtin_expect(offset >= PC_PAGE_BYTES, 0)) {
            *page = &pc_no_page;
            offset = 0;
        }
    }
    return (*page)->number_of[offset / 2];
}

#endif
