/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/time/time_map.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"
#include "contract/call_tree.h"

void time_map_init(struct time_map *m)
{
    pc_index_init(&m->index);
    m->capacity = 1024;
    m->pc = xcalloc(m->capacity, sizeof *m->pc);
    for (int s = 0; s < TIME_STATE_COUNT; s++)
        m->time[s] = xcalloc(m->capacity, sizeof *m->time[s]);
}

void time_map_fini(struct time_map *m)
{
    pc_index_fini(&m->index);
    free(m->pc);
    for (int s = 0; s < TIME_STATE_COUNT; s++)
        free(m->time[s]);
}

uint32_t time_map_enter(struct time_map *m, uint64_t pc)
{
    bool is_new;
    const uint32_t at = pc_index_enter(&m->index, pc, &is_new);
    if (!is_new)
        return at;
    if (at == m->capacity) {
        m->capacity *= 2;
        m->pc = xrealloc(m->pc, m->capacity * sizeof *m->pc);
        for (int s = 0; s < TIME_STATE_COUNT; s++)
            m->time[s] = xrealloc(m->time[s], m->capacity * sizeof *m->time[s]);
    }
    m->pc[at] = pc;
    for (int s = 0; s < TIME_STATE_COUNT; s++)
        m->time[s][at] = 0;
    return at;
}

void time_map_get(const struct time_map *m, uint32_t number, uint64_t state[TIME_STATE_COUNT])
{
    for (int s = 0; s < TIME_STATE_COUNT; s++)
        state[s] = m->time[s][number];
}

/* Category of a stall on the instruction. An atomic returns the old memory value, so a stall on it is a load stall. */
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

/* Sorted in place of the rows, which are larger. */
struct time_map_key {
    uint64_t pc;
    uint32_t number;
};

ORDER(time_map_compare, struct time_map_key, RISING(pc))

struct time_row *time_map_rows(const struct time_map *m, const struct rv_insn *(*find)(void *ctx, uint64_t pc),
                               void *ctx, size_t *count)
{
    struct time_row *rows = xcalloc((size_t)m->index.last + 1, sizeof *rows);
    struct time_map_key *key = xcalloc((size_t)m->index.last + 1, sizeof *key);
    *count = m->index.last;
    for (uint32_t n = 1; n <= *count; n++)
        key[n - 1] = (struct time_map_key){m->pc[n], n};
    qsort(key, *count, sizeof *key, time_map_compare);
    for (size_t i = 0; i < *count; i++) {
        struct time_row *r = &rows[i];
        uint64_t state[TIME_STATE_COUNT];
        time_map_get(m, key[i].number, state);
        r->pc = key[i].pc;
        const bool stalled = find != NULL && state[STATE_STALLED] != 0;
        time_categorise(r->time, state, stalled ? find(ctx, call_place_pc(r->pc)) : NULL);
    }
    free(key);
    return rows;
}
