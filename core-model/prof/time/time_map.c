/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/time/time_map.h"

#include <stdlib.h>
#include <string.h>

#include "isa/support/status.h"

const struct time_page time_no_page = {.number = UINT64_MAX};

void time_map_init(struct time_map *m)
{
    memset(m, 0, sizeof *m);
    for (unsigned i = 0; i < TIME_PAGE_CACHE; i++)
        m->cache[i] = &time_no_page;
    m->page_capacity = 64;
    m->page = xcalloc(m->page_capacity, sizeof *m->page);
    m->entry_capacity = 1024;
    m->entry = xcalloc(m->entry_capacity, sizeof *m->entry);
    m->entries = 1;
}

void time_map_fini(struct time_map *m)
{
    for (size_t i = 0; i < m->page_capacity; i++)
        free(m->page[i]);
    free(m->page);
    free(m->entry);
    memset(m, 0, sizeof *m);
}

static size_t place_of(const struct time_map *m, uint64_t number)
{
    size_t at = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (m->page_capacity - 1);
    while (m->page[at] != NULL && m->page[at]->number != number)
        at = (at + 1) & (m->page_capacity - 1);
    return at;
}

static void grow(struct time_map *m)
{
    struct time_page **old = m->page;
    size_t n = m->page_capacity;
    m->page_capacity *= 2;
    m->page = xcalloc(m->page_capacity, sizeof *m->page);
    for (size_t i = 0; i < n; i++)
        if (old[i] != NULL)
            m->page[place_of(m, old[i]->number)] = old[i];
    free(old);
}

static struct time_page *find_page(struct time_map *m, uint64_t number)
{
    size_t at = place_of(m, number);
    if (m->page[at] != NULL)
        return m->page[at];
    if (2 * (m->pages + 1) > m->page_capacity) {
        grow(m);
        at = place_of(m, number);
    }
    m->pages++;
    m->page[at] = xcalloc(1, sizeof **m->page);
    m->page[at]->number = number;
    return m->page[at];
}

uint32_t time_map_enter(struct time_map *m, uint64_t pc)
{
    uint64_t number = pc >> TIME_PAGE_BITS;
    struct time_page *p = find_page(m, number);
    m->cache[number & (TIME_PAGE_CACHE - 1)] = p;
    uint32_t *at = &p->entry[pc >> 1 & (TIME_PAGE_CODE - 1)];
    if (*at != 0)
        return *at;
    if (m->entries == m->entry_capacity) {
        m->entry_capacity *= 2;
        m->entry = xrealloc(m->entry, m->entry_capacity * sizeof *m->entry);
    }
    *at = m->entries++;
    m->entry[*at] = (struct time_entry){.pc = pc};
    return *at;
}

/* An atomic gives back what memory held: it is waited for as a load is. */
static enum time_category stall_of(const struct rv_insn *in)
{
    if (in == NULL)
        return TIME_STALL_ALU;
    return in->flags & RV_LOAD ? TIME_STALL_LOAD : in->flags & RV_STORE ? TIME_STALL_STORE : TIME_STALL_ALU;
}

void time_categorise(uint64_t category[TIME_CATEGORY_COUNT], const uint64_t state[TIME_STATE_COUNT],
                     const struct rv_insn *in)
{
    category[TIME_EXECUTE] = state[STATE_COMPUTING];
    category[TIME_FRONTEND] = state[STATE_DRAINED];
    category[TIME_MISPREDICT] = state[STATE_MISPREDICTED];
    category[TIME_FLUSH] = state[STATE_FLUSHED];
    category[TIME_HANDLER] = state[STATE_HANDLER];
    category[stall_of(in)] = state[STATE_STALLED];
}

static int compare(const void *left, const void *right)
{
    const struct time_row *a = left, *b = right;
    return (a->pc > b->pc) - (a->pc < b->pc);
}

struct time_row *time_map_rows(const struct time_map *m, const struct rv_insn *(*find)(void *ctx, uint64_t pc), void *ctx, size_t *count)
{
    struct time_row *rows = xcalloc(m->entries, sizeof *rows);
    *count = m->entries - 1;
    for (size_t i = 0; i < *count; i++) {
        const struct time_entry *e = &m->entry[i + 1];
        struct time_row *r = &rows[i];
        r->pc = e->pc;
        time_categorise(r->time, e->time, find != NULL && e->time[STATE_STALLED] != 0 ? find(ctx, e->pc) : NULL);
    }
    qsort(rows, *count, sizeof *rows, compare);
    return rows;
}
