/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cycle accounting: the cycle stack at commit, the slots at rename, and occupancies. Entry point: stats_account. */
#include <string.h>

#include "core-model/pipe/outside.h"

enum { RECENT_CYCLES = 1 << 20 }; /* with at most RING_MAX entries per cycle, sums fit in 32 bits */

static uint64_t *stall_of_head(struct ooo *c, const struct slot *s)
{
    if (s->insn->unit != RV_UNIT_LOAD)
        return stats_stall_of_unit(&c->stats, s->insn->unit);
    switch ((enum mem_level)s->level) {
    case MEM_LEVEL_L1:
        return &c->stats.stack_load_l1;
    case MEM_LEVEL_L2:
        return &c->stats.stack_load_l2;
    case MEM_LEVEL_LLC:
        return &c->stats.stack_load_llc;
    case MEM_LEVEL_DRAM:
        break;
    }
    return &c->stats.stack_load_dram;
}

static uint64_t *stall_of_empty(struct ooo *c)
{
    if (c->cycle.stall == &c->stats.full_store_queue)
        return &c->stats.stack_store_queue;
    if (c->cycle.stall != NULL)
        return &c->stats.stack_serial;
    switch ((enum empty_cause)c->empty) {
    case EMPTY_MISPREDICT:
        return &c->stats.stack_mispredict;
    case EMPTY_FLUSH:
        return &c->stats.stack_flush;
    case EMPTY_EXCEPTION:
        return &c->stats.stack_exception;
    case EMPTY_ORDERING:
        return &c->stats.stack_ordering;
    case EMPTY_HANDLER:
        return &c->stats.stack_handler;
    case EMPTY_FRONTEND:
        break;
    }
    return c->front.port.events != 0 ? &c->stats.stack_icache : &c->stats.stack_frontend;
}

/* Returns whether a load, store or atomic at the head keeps resources occupied. */
static bool memory_blocks(const struct ooo *c)
{
    const uint64_t *by = c->cycle.blocked;
    if (by == &c->stats.full_load_queue || by == &c->stats.full_store_queue)
        return true;
    const struct slot *s = &c->slot[c->head & c->ring_mask];
    return c->head != c->rob_tail && !(s->flags & SLOT_DONE) &&
           (is_kind(s, RV_UNIT_LOAD) || is_kind(s, RV_UNIT_STORE) || is_kind(s, RV_UNIT_AMO));
}

static uint64_t *lost_slots(struct ooo *c)
{
    if (c->cycle.blocked != NULL)
        return memory_blocks(c) ? &c->stats.slots_memory : &c->stats.slots_core;
    if (c->finished || (c->front.waits && c->front.wrong == UINT64_MAX && c->rob_tail == c->fetch_tail))
        return &c->stats.slots_core;
    return c->refill;
}

static void account_slots(struct ooo *c, uint64_t cycles)
{
    uint64_t *lost = NULL;
    if (c->cycle.renamed > 0)
        c->refill = &c->stats.slots_frontend;
    if (c->cycle.renamed < c->cfg.decode_width) {
        lost = lost_slots(c);
        *lost += (c->cfg.decode_width - c->cycle.renamed) * cycles;
    }
    if (c->port.wants_slots)
        slots_report(c, cycles, lost);
}

/* Adds `times` times the occupancies in `sum`, accumulated over `cycles` cycles, to the statistics. That of the store
 * queue depends on the cycles in which stores are in the cache. */
static void add_occupancy(const struct ooo *c, struct core_stats *s, struct core_stats *outside,
                          const struct in_use *sum, uint64_t cycles, uint64_t times)
{
    enum { HEAD, ROB_TAIL, FETCH_TAIL };
    enum { STORE_HEAD, STORE_TAIL = 3 };
#define COUNT(field) (uint64_t) sum->counts[&c->field - c->counts]
    s->occupancy_rob += (sum->positions[ROB_TAIL] - sum->positions[HEAD]) * times;
    s->occupancy_fetch_buffer += (sum->positions[FETCH_TAIL] - sum->positions[ROB_TAIL]) * times;
    s->occupancy_ftq += COUNT(targets) * times;
    s->occupancy_mem_queue += COUNT(queue_used[QUEUE_MEM]) * times;
    s->occupancy_int_queue += COUNT(queue_used[QUEUE_INT]) * times;
    s->occupancy_fp_queue += COUNT(queue_used[QUEUE_FP]) * times;
    s->occupancy_load_queue += COUNT(loads) * times;
    outside->occupancy_store_queue += (sum->stores[STORE_TAIL] - sum->stores[STORE_HEAD]) * times;
    s->occupancy_int_registers += (cycles * c->cfg.int_registers - COUNT(free_count[0])) * times;
    s->occupancy_fp_registers += (cycles * c->cfg.fp_registers - COUNT(free_count[1])) * times;
    s->occupancy_branches += COUNT(unresolved) * times;
#undef COUNT
}

/* One loop per array with a constant trip count, which the compiler vectorises. */
static inline void sum_in_use(const struct ooo *c, struct in_use *sum)
{
    for (uint32_t n = 0; n < 4; n++)
        sum->positions[n] += c->positions[n];
    for (uint32_t n = 0; n < 8; n++)
        sum->counts[n] += c->counts[n];
    for (uint32_t n = 0; n < 4; n++)
        sum->stores[n] += c->stores[n];
}

void stats_add_outside(const struct ooo *c, struct core_stats *s)
{
    const uint64_t *outside = (const uint64_t *)&c->outside;
    uint64_t *sum = (uint64_t *)s;
    for (size_t n = 0; n < sizeof *s / sizeof *sum; n++)
        sum[n] += outside[n];
}

void stats_add_recent(const struct ooo *c, struct core_stats *s)
{
    add_occupancy(c, s, s, &c->recent, RECENT_CYCLES - c->recent.cycles_left, 1);
}

static void recent_clear(struct ooo *c)
{
    memset(&c->recent, 0, sizeof c->recent);
    c->recent.cycles_left = RECENT_CYCLES;
}

void stats_settle(struct ooo *c)
{
    const uint64_t cycles = RECENT_CYCLES - c->recent.cycles_left;
    if (cycles == 0)
        return;
    add_occupancy(c, &c->stats, &c->outside, &c->recent, cycles, 1);
    recent_clear(c);
}

/* Stores leave the queue in order. */
uint64_t stats_leave_early(const struct ooo *c, uint64_t cycles)
{
    uint64_t end = c->now + cycles, gone = c->now, early = 0;
    for (uint32_t n = c->store_head; n != c->store_send; n++) {
        uint64_t done = c->store[n & c->store_mask].done_cycle;
        if (done > gone)
            gone = done;
        if (gone >= end)
            break;
        early += end - gone;
    }
    return early;
}

/* Accounts idle cycles, in which at most stores reach the cache. */
static void account_idle(struct ooo *c, uint64_t cycles)
{
    struct in_use now;
    memcpy(now.positions, c->positions, sizeof now.positions);
    memcpy(now.counts, c->counts, sizeof now.counts);
    memcpy(now.stores, c->stores, sizeof now.stores);
    add_occupancy(c, &c->stats, &c->outside, &now, 1, cycles);
    c->outside.occupancy_store_queue -= stats_leave_early(c, cycles);
}

static void account_occupancy(struct ooo *c, uint64_t cycles)
{
    if (c->store_head != c->store_send)
        lsq_free(c);
    if (cycles != 1) {
        account_idle(c, cycles);
        return;
    }
    sum_in_use(c, &c->recent);
    if (--c->recent.cycles_left == 0)
        stats_settle(c);
}

void stats_account(struct ooo *c, uint64_t cycles)
{
    const struct cycle_report *r = &c->cycle;
    c->stats.cycles += cycles;
    if (core_handled_at(c, c->now)) {
        c->empty = EMPTY_HANDLER;
        c->handled_head = c->head;
        c->refill = &c->stats.slots_handler;
    }
    if (r->stall != NULL)
        *r->stall += cycles;
    *r->fetch += cycles;
    account_slots(c, cycles);
    account_occupancy(c, cycles);
    if (r->commits > 0)
        c->stats.stack_commit += cycles;
    else if (r->exception)
        *(c->empty == EMPTY_ORDERING ? &c->stats.stack_ordering : &c->stats.stack_exception) += cycles;
    else if (r->head == r->rob_tail)
        *stall_of_empty(c) += cycles;
    else
        *stall_of_head(c, &c->slot[r->head & c->ring_mask]) += cycles;
}

void stats_begin(struct ooo *c)
{
    c->stats = c->outside = (struct core_stats){0};
    c->refill = &c->stats.slots_frontend;
    c->causes.refill = c->causes.waited = TOPDOWN_FETCH_OTHER;
    c->causes.entry = (struct slot_cause){.leaf = TOPDOWN_FETCH_OTHER, .pc = commit_next_pc(c)};
    memset(c->causes.beyond, 0, sizeof c->causes.beyond);
    recent_clear(c);
}
