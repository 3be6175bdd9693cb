/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/time/pics_map.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"
#include "contract/call_tree.h"

void pics_map_init(struct pics_map *m)
{
    *m = (struct pics_map){.capacity = 1024};
    m->entry = xcalloc(m->capacity, sizeof *m->entry);
    time_map_init(&m->base);
}

void pics_map_fini(struct pics_map *m)
{
    free(m->entry);
    time_map_fini(&m->base);
}

static struct pics_entry *pics_map_place_of(const struct pics_map *m, uint64_t pc, uint32_t signature)
{
    uint64_t hash = (pc ^ (uint64_t)signature << 40) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(hash >> 32) & (m->capacity - 1);
    while (m->entry[at].used && (m->entry[at].pc != pc || m->entry[at].signature != signature))
        at = (at + 1) & (m->capacity - 1);
    return &m->entry[at];
}

static void pics_map_grow(struct pics_map *m)
{
    struct pics_map larger = {.capacity = 2 * m->capacity};
    larger.entry = xcalloc(larger.capacity, sizeof *larger.entry);
    for (size_t i = 0; i < m->capacity; i++)
        if (m->entry[i].used)
            *pics_map_place_of(&larger, m->entry[i].pc, m->entry[i].signature) = m->entry[i];
    free(m->entry);
    m->entry = larger.entry;
    m->capacity = larger.capacity;
}

void pics_map_add(struct pics_map *m, uint64_t pc, uint32_t signature, enum time_state state, uint64_t time)
{
    if (signature == 0) {
        time_map_add(&m->base, pc, state, time);
        return;
    }
    struct pics_entry *e = pics_map_place_of(m, pc, signature);
    if (!e->used) {
        if (2 * ++m->entries > m->capacity) {
            pics_map_grow(m);
            e = pics_map_place_of(m, pc, signature);
        }
        *e = (struct pics_entry){.pc = pc, .signature = signature, .used = true};
    }
    e->time[state] += time;
}

ORDER(pics_map_compare, struct pics_row, RISING(pc) RISING(signature))

static struct pics_row row(uint64_t pc, uint32_t signature, const uint64_t time[TIME_STATE_COUNT], struct hart *hart)
{
    struct pics_row r = {.pc = pc, .signature = signature};
    enum rv_trap trap;
    time_categorise(r.time, time, hart != NULL ? rv_fetch(hart, call_place_pc(pc), &trap) : NULL);
    return r;
}

struct pics_row *pics_map_rows(const struct pics_map *m, struct hart *hart, size_t *count)
{
    struct pics_row *rows = xcalloc(m->base.index.last + m->entries + 1, sizeof *rows);
    *count = 0;
    for (uint32_t n = 1; n <= m->base.index.last; n++) {
        uint64_t time[TIME_STATE_COUNT];
        time_map_get(&m->base, n, time);
        rows[(*count)++] = row(m->base.pc[n], 0, time, hart);
    }
    for (const struct pics_entry *e = m->entry; e != m->entry + m->capacity; e++)
        if (e->used)
            rows[(*count)++] = row(e->pc, e->signature, e->time, hart);
    qsort(rows, *count, sizeof *rows, pics_map_compare);
    return rows;
}
