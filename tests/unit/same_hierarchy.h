/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether two hierarchies have the same contents, and will evict the same, whatever their clocks. */
#ifndef TESTS_UNIT_SAME_HIERARCHY_H
#define TESTS_UNIT_SAME_HIERARCHY_H

#include "core-model/mem/hierarchy.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

static inline void same_set(const struct cache *a, const struct cache *b, size_t first)
{
    const struct cache_line *x = &a->line[first], *y = &b->line[first];
    for (uint32_t i = 0; i < a->ways; i++) {
        ck_assert_uint_eq(x[i].tag, y[i].tag);
        ck_assert_uint_eq(x[i].source, y[i].source);
        ck_assert(x[i].dirty == y[i].dirty && x[i].prefetched == y[i].prefetched);
        for (uint32_t j = 0; j < i; j++)
            ck_assert((x[i].used > x[j].used) == (y[i].used > y[j].used));
    }
}

static inline void same_lines(const struct cache *a, const struct cache *b)
{
    for (size_t set = 0; set <= a->set_mask; set++)
        same_set(a, b, set * a->ways);
}

static inline void same_pages(const struct tlb *a, const struct tlb *b)
{
    for (uint32_t i = 0; i < a->entries; i++) {
        ck_assert_uint_eq(a->entry[i].page, b->entry[i].page);
        for (uint32_t j = 0; j < i; j++)
            ck_assert((a->entry[i].used > a->entry[j].used) == (b->entry[i].used > b->entry[j].used));
    }
}

static inline void same_hierarchy(const struct hierarchy *a, const struct hierarchy *b)
{
    same_lines(&a->l1i, &b->l1i);
    same_lines(&a->l1d, &b->l1d);
    same_lines(&a->l2, &b->l2);
    if (a->has_llc)
        same_lines(&a->llc, &b->llc);
    same_pages(&a->itlb, &b->itlb);
    same_pages(&a->dtlb, &b->dtlb);
    ck_assert_mem_eq(a->l2tlb.page, b->l2tlb.page, (a->l2tlb.mask + 1) * sizeof *a->l2tlb.page);
    for (uint32_t n = 0; n < a->dram.timing.banks; n++)
        ck_assert_uint_eq(a->dram.bank[n].row, b->dram.bank[n].row);
}

#endif
