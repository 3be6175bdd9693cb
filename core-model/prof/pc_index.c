/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers for instruction addresses. Entry points: pc_index.h. */
#include "core-model/prof/pc_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

const struct pc_page pc_no_page = {.base = UINT64_MAX & ~(uint64_t)(PC_PAGE_BYTES - 1)};

void pc_index_init(struct pc_index *x)
{
    memset(x, 0, sizeof *x);
    for (unsigned i = 0; i < PC_PAGE_CACHE; i++)
        x->cache[i] = &pc_no_page;
    x->page_capacity = 64;
    x->page = xcalloc(x->page_capacity, sizeof *x->page);
}

void pc_index_fini(struct pc_index *x)
{
    for (size_t i = 0; i < x->page_capacity; i++)
        free(x->page[i]);
    free(x->page);
    memset(x, 0, sizeof *x);
}

static size_t pc_index_place_of(const struct pc_index *x, uint64_t base)
{
    size_t at = (size_t)((base >> PC_PAGE_BITS) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (x->page_capacity - 1);
    while (x->page[at] != NULL && x->page[at]->base != base)
        at = (at + 1) & (x->page_capacity - 1);
    return at;
}

static void pc_index_grow(struct pc_index *x)
{
    struct pc_page **old = x->page;
    size_t n = x->page_capacity;
    x->page_capacity *= 2;
    x->page = xcalloc(x->page_capacity, sizeof *x->page);
    for (size_t i = 0; i < n; i++)
        if (old[i] != NULL)
            x->page[pc_index_place_of(x, old[i]->base)] = old[i];
    free(old);
}

static struct pc_page *find_page(struct pc_index *x, uint64_t base)
{
    size_t at = pc_index_place_of(x, base);
    if (x->page[at] != NULL)
        return x->page[at];
    if (2 * (x->pages + 1) > x->page_capacity) {
        pc_index_grow(x);
        at = pc_index_place_of(x, base);
    }
    x->pages++;
    x->page[at] = xcalloc(1, sizeof **x->page);
    x->page[at]->base = base;
    return x->page[at];
}

uint32_t pc_index_enter(struct pc_index *x, uint64_t pc, bool *is_new)
{
    struct pc_page *p = find_page(x, pc & ~(uint64_t)(PC_PAGE_BYTES - 1));
    x->cache[pc_index_line(pc)] = p;
    uint32_t *at = &p->number_of[(pc - p->base) / 2];
    *is_new = *at == 0;
    if (*is_new)
        *at = ++x->last;
    return *at;
}
