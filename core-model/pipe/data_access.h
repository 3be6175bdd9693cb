/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of loads and stores with data addresses: translation, the addresses in the store queue, the store-wait
 * bits, and accesses to the cache. See outside.h. Private to core-model/pipe. */
#ifndef CORE_MODEL_PIPE_DATA_ACCESS_H
#define CORE_MODEL_PIPE_DATA_ACCESS_H

#include <string.h>

#include "core-model/pipe/idealised.h"
#include "core-model/pipe/pipe.h"

static inline struct store *store_at(struct ooo *c, uint32_t at) { return &c->store[at & c->store_mask]; }

/* Adds the store's 8-byte granules to the filter or removes them. */
static inline void store_filter_count(struct ooo *c, const struct store *st, int by)
{
    if (st->bytes == 0)
        return;
    uint64_t first = st->ea >> 3, last = (st->ea + st->bytes - 1) >> 3;
    c->store_filter[first % STORE_FILTER] = (uint16_t)(c->store_filter[first % STORE_FILTER] + by);
    if (last != first)
        c->store_filter[last % STORE_FILTER] = (uint16_t)(c->store_filter[last % STORE_FILTER] + by);
}

static inline bool store_filter_may_hit(const struct ooo *c, const struct rv_outcome *o)
{
    return (c->store_filter[(o->ea >> 3) % STORE_FILTER] |
            c->store_filter[((o->ea + o->mem_bytes - 1) >> 3) % STORE_FILTER]) != 0;
}

static inline void enter_store_perform(struct ooo *c, uint32_t i)
{
    struct slot *s = &c->slot[i];
    const struct rv_outcome *o = &c->outcome[i];
    s->store_mark = c->store_tail;
    struct store *st = store_at(c, c->store_tail++);
    *st = (struct store){.ea = o->ea, .pc = s->pc, .index = i, .bytes = s->trap == RV_TRAP_NONE ? o->mem_bytes : 0};
    store_filter_count(c, st, 1);
}

/* Returns the number of stores that leave. */
static inline uint32_t free_stores_perform(struct ooo *c)
{
    const uint32_t first = c->store_head;
    while (c->store_head != c->store_send && store_at(c, c->store_head)->done_cycle <= c->now) {
        if (c->shares)
            lsq_show_store(c, store_at(c, c->store_head));
        store_filter_count(c, store_at(c, c->store_head++), -1);
    }
    return c->store_head - first;
}

/* The store-wait bit of the load or store at pc. */
static inline uint8_t *store_wait_bit(struct ooo *c, uint64_t pc)
{
    if (c->now >= c->store_wait_until) {
        memset(c->store_wait, 0, c->cfg.store_wait_entries);
        c->store_wait_until = c->now + c->cfg.store_wait_reset;
    }
    return &c->store_wait[(pc >> 1) & (c->cfg.store_wait_entries - 1)];
}

static inline bool store_overlaps(const struct store *st, const struct rv_outcome *o)
{
    return st->bytes != 0 && o->ea + o->mem_bytes > st->ea && st->ea + st->bytes > o->ea;
}

/* Whether an older store than that in entry *at overlaps the load, and its entry in *at. */
static inline bool overlap_perform(struct ooo *c, uint32_t i, uint32_t *at)
{
    while (*at != c->store_head)
        if (store_overlaps(store_at(c, --*at), &c->outcome[i]))
            return true;
    return false;
}

/* Whether the store in entry `at` has all bytes of the load. */
static inline bool covers_perform(struct ooo *c, uint32_t i, uint32_t at)
{
    const struct rv_outcome *o = &c->outcome[i];
    const struct store *st = store_at(c, at);
    return st->ea <= o->ea && o->ea + o->mem_bytes <= st->ea + st->bytes;
}

/* Returns the cycle with the translation. An access to an absent page is complete: the instruction faults when it is
 * the oldest. */
static inline uint64_t translate_perform(struct ooo *c, uint32_t i, uint64_t when, bool *absent)
{
    enum tlb_miss miss;
    if ((ideal_of(c, c->slot[i].pc) & IDEAL_DTLB) != 0)
        ideal_translate(&c->mem, c->outcome[i].ea, when);
    const uint64_t ready = tlb_access(&c->mem.dtlb, c->outcome[i].ea, when, &miss);
    if (miss) {
        probe_event(c, &c->slot[i], dtlb_miss_events(miss));
        c->causes.translated[i] = ready;
    }
    *absent = c->cfg.page_fault_cycles != 0 &&
              !memory_touched(&c->front.hart->mem, c->outcome[i].ea, c->outcome[i].mem_bytes);
    return ready;
}

/* Accesses the cache. Returns the cycle in which the data are available. */
static inline uint64_t access_perform(struct ooo *c, uint32_t i, uint64_t when, bool is_write)
{
    const struct rv_outcome *o = &c->outcome[i];
    struct slot *s = &c->slot[i];
    c->mem.pc = s->pc;
    const struct ideal_datum d = {.causes = is_write ? 0 : ideal_of(c, s->pc), .bytes = o->mem_bytes, .addr = o->ea};
    if (d.causes != 0 && ideal_load(&c->mem, &d, when)) {
        s->level = MEM_LEVEL_L1;
        return when + c->mem.l1d.hit_cycles;
    }
    const struct cache_result r = hierarchy_data(&c->mem, o->ea, o->mem_bytes, when, is_write);
    s->level = (uint8_t)r.level;
    if (r.level != MEM_LEVEL_L1) {
        probe_event(c, s, data_miss_events(&c->mem, r.level));
        c->probe[i].evicted = c->mem.evicted;
    }
    return r.done;
}

/* Cache access of the oldest retired store. */
static inline void send_perform(struct ooo *c)
{
    const uint32_t at = c->store_send++;
    struct store *st = store_at(c, at);
    st->done_cycle = c->now + 1;
    if (st->bytes == 0)
        return;
    c->mem.pc = st->pc;
    const struct cache_result r = hierarchy_data(&c->mem, st->ea, st->bytes, c->now, true);
    probe_port_accessed(&c->port, at, data_miss_events(&c->mem, r.level), c->now);
    st->done_cycle = r.done;
}

#endif
