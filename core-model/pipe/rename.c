/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rename and dispatch: from the fetch buffer into the ROB and the issue queues. A squash rolls the map back from the
 * youngest instruction on; each instruction stores the register that it replaced. Waiting operands are linked in one
 * list per physical register, youngest first. A squash also proceeds youngest first, so it always removes the head of a
 * list. Entry points: rename_tick, rename_squash. */
#include <stdlib.h>

#include "contract/opclass.h"
#include "core-model/pipe/outside.h"

static enum queue queue_of(const struct core_config *cfg, enum rv_unit unit)
{
    if (unit == RV_UNIT_LOAD || unit == RV_UNIT_STORE || unit == RV_UNIT_AMO)
        return cfg->mem_in_int_queue ? QUEUE_INT : QUEUE_MEM;
    return rv_unit_is_fp(unit) ? QUEUE_FP : QUEUE_INT;
}

void rename_init(struct ooo *c)
{
    uint32_t count[2] = {c->cfg.int_registers, c->cfg.fp_registers}, total = count[0] + count[1];
    for (uint32_t u = 0; u < RV_UNIT_COUNT; u++)
        c->queue_for[u] = (uint8_t)queue_of(&c->cfg, (enum rv_unit)u);
    c->queue_size[QUEUE_MEM] = c->cfg.mem_queue;
    c->queue_size[QUEUE_INT] = c->cfg.int_queue;
    c->queue_size[QUEUE_FP] = c->cfg.fp_queue;
    c->first_fp = count[0];
    c->reg_ready = xmalloc(total);
    c->reg_waiters = xcalloc(total, sizeof *c->reg_waiters);
    for (uint32_t r = 0; r < total; r++) {
        c->reg_ready[r] = 1;
        c->reg_waiters[r] = NIL;
    }
    c->next_waiter = xcalloc((size_t)(c->ring_mask + 1) * 4, sizeof *c->next_waiter);
    for (uint32_t f = 0; f < 2; f++) {
        uint32_t first = f ? c->first_fp : 0;
        c->free_list[f] = xcalloc(count[f], sizeof *c->free_list[f]);
        for (uint32_t r = 0; r < 32; r++)
            c->map[f * 32 + r] = (uint16_t)(first + r);
        for (uint32_t r = count[f]; r-- > 32;)
            c->free_list[f][c->free_count[f]++] = (uint16_t)(first + r);
    }
}

void rename_fini(struct ooo *c)
{
    free(c->reg_ready);
    free(c->reg_waiters);
    free(c->next_waiter);
    free(c->free_list[0]);
    free(c->free_list[1]);
}

/* Whether the instruction executes alone. What is deferred has effects outside the hart, so it always does. */
static inline bool rename_is_serial(const struct ooo *c, const struct slot *s, uint32_t flags)
{
    return (flags & RV_SERIAL) != 0 && ((s->flags & SLOT_DEFERRED) != 0 || (ideal_of(c, s->pc) & IDEAL_FLUSH) == 0);
}

/* Returns whether a serialising instruction may enter the ROB. Atomics and fences also wait until older stores are in
 * the cache. */
static bool serial_may_enter(struct ooo *c, const struct slot *s)
{
    if (c->head != c->rob_tail)
        return false;
    if (s->insn->opclass != OPCLASS_ATOMIC && s->insn->opclass != OPCLASS_FENCE)
        return true;
    lsq_free(c);
    if (c->store_head != c->store_send)
        c->cycle.store_wake = c->store[c->store_head & c->store_mask].done_cycle;
    return c->store_head == c->store_tail;
}

/* Returns whether a store stalls because the store queue is full. */
static bool store_queue_full(struct ooo *c, struct slot *s)
{
    lsq_free(c);
    if (c->store_tail - c->store_head < c->cfg.store_queue)
        return false;
    stage_event(c, s, PROBE_STORE_QUEUE_FULL);
    if (c->store_head != c->store_send)
        c->cycle.store_wake = c->store[c->store_head & c->store_mask].done_cycle;
    return true;
}

/* The instruction stalls because the count is at its end. Returns the statistic. */
static uint64_t *used_up(struct ooo *c, const struct slot *s, const uint32_t *count, uint64_t *statistic)
{
    c->stall = (struct stall){.seq = s->seq, .count = count, .full = *count, .statistic = statistic};
    return statistic;
}

/* The statistic for the resource that stalls s at rename, or NULL. */
static __attribute__((noinline)) uint64_t *blocked_by(struct ooo *c, struct slot *s, enum queue q)
{
    const struct rv_insn *in = s->insn;
    struct core_stats *st = &c->stats;
    if (c->serial_in_rob || (rename_is_serial(c, s, in->flags) && !serial_may_enter(c, s)))
        return &st->serialised;
    if (c->rob_tail - c->head >= c->cfg.rob_entries)
        return &st->full_rob;
    if (c->queue_used[q] >= c->queue_size[q])
        return used_up(c, s, &c->queue_used[q],
                       q == QUEUE_MEM   ? &st->full_mem_queue
                       : q == QUEUE_INT ? &st->full_int_queue
                                        : &st->full_fp_queue);
    if (in->dst != 0 && c->free_count[in->dst >= 32] == 0)
        return used_up(c, s, &c->free_count[in->dst >= 32], &st->full_registers);
    if (!(in->flags & (RV_LOAD | RV_STORE | RV_BRANCH | RV_INDIRECT)))
        return NULL;
    if (in->unit == RV_UNIT_LOAD && c->loads >= c->cfg.load_queue)
        return used_up(c, s, &c->loads, &st->full_load_queue);
    if (in->unit == RV_UNIT_STORE && store_queue_full(c, s))
        return &st->full_store_queue;
    if ((in->flags & (RV_BRANCH | RV_INDIRECT)) && c->unresolved >= c->cfg.max_branches)
        return used_up(c, s, &c->unresolved, &st->full_branches);
    return NULL;
}

/* The usual case of blocked_by: false only if that may return a statistic. */
static inline bool rename_has_room(const struct ooo *c, uint32_t flags, uint32_t unit, uint32_t dst, enum queue q)
{
    enum { NEEDS_MORE = RV_LOAD | RV_STORE | RV_BRANCH | RV_INDIRECT | RV_SERIAL };
    if (c->serial_in_rob || c->rob_tail - c->head >= c->cfg.rob_entries || c->queue_used[q] >= c->queue_size[q] ||
        c->free_count[dst >= 32] == 0)
        return false;
    if ((flags & NEEDS_MORE) == 0)
        return true;
    if (unit == RV_UNIT_LOAD)
        return c->loads < c->cfg.load_queue;
    if (unit == RV_UNIT_STORE)
        return c->store_tail - c->store_head < c->cfg.store_queue;
    return (flags & RV_SERIAL) == 0 && c->unresolved < c->cfg.max_branches;
}

/* Renames a source operand. Returns whether the instruction waits for it. */
static inline bool rename_source(struct ooo *c, uint32_t i, struct slot *s, uint32_t n, uint8_t reg)
{
    uint16_t p = s->src[n] = c->map[reg];
    if (c->reg_ready[p] || (ideal_of(c, s->pc) & IDEAL_DEPENDENCE) != 0)
        return false;
    c->next_waiter[i * 4 + n] = c->reg_waiters[p];
    c->reg_waiters[p] = (uint16_t)(i * 4 + n);
    return true;
}

/* Renames the source operands. x0 maps to a physical register that is always ready. Returns the number for which issue
 * waits, which excludes a store's data: address generation does not need them. */
static inline uint32_t rename_sources(struct ooo *c, uint32_t i, struct slot *s, const struct rv_insn *in,
                                      uint32_t unit)
{
    uint32_t waiting = rename_source(c, i, s, 0, in->src[0]);
    const bool second = rename_source(c, i, s, 1, in->src[1]);
    if (unit == RV_UNIT_STORE)
        s->flags |= second ? 0 : SLOT_DATA;
    else
        waiting += second;
    if (in->src[2] != 0)
        waiting += rename_source(c, i, s, 2, in->src[2]);
    return waiting;
}

static inline void rename_destination(struct ooo *c, struct slot *s, uint32_t reg)
{
    if (reg == 0)
        return;
    const uint32_t f = reg >= 32, p = c->free_list[f][--c->free_count[f]];
    s->dst = (uint16_t)p;
    s->old_dst = c->map[reg];
    c->map[reg] = (uint16_t)p;
    c->reg_ready[p] = 0;
}

/* Executes a deferred instruction when it is alone in the pipeline, so nothing before it is speculative. */
static __attribute__((noinline)) void rename_execute_deferred(struct ooo *c, uint32_t i, struct slot *s)
{
    cycle_never_repeats(c);
    switch (front_execute_deferred(&c->front, s->insn, &c->outcome[i], c->now, c->retired)) {
    case FRONT_EXECUTED:
        s->flags |= SLOT_EXECUTED;
        break;
    case FRONT_TRAPPED:
        s->trap = c->outcome[i].trap;
        break;
    case FRONT_ABSENT:
        s->trap = RV_TRAP_PAGE;
        break;
    case FRONT_SYSTEM_CALL:
        break;
    }
}

static inline void rename_dispatch(struct ooo *c, uint32_t i, struct slot *s, uint32_t flags, uint32_t unit,
                                   enum queue q)
{
    const struct rv_insn *in = s->insn;
    if (s->flags & SLOT_DEFERRED)
        rename_execute_deferred(c, i, s);
    s->flags |= SLOT_QUEUED;
    if (flags & (RV_BRANCH | RV_INDIRECT | RV_SERIAL)) {
        const bool unresolved = (flags & (RV_BRANCH | RV_INDIRECT)) != 0;
        c->serial_in_rob = rename_is_serial(c, s, flags);
        s->flags |= unresolved ? SLOT_UNRESOLVED : 0;
        c->unresolved += unresolved;
    }
    const uint32_t waiting = rename_sources(c, i, s, in, unit);
    rename_destination(c, s, in->dst);
    if (unit == RV_UNIT_LOAD || unit == RV_UNIT_STORE)
        lsq_rename(c, i);
    s->waiting = (uint8_t)waiting;
    s->queue = (uint8_t)q;
    c->queue_used[q]++;
    c->rob_tail++;
    probe_stage(c, i, PROBE_MAPPED);
    probe_tag(c, i, s, &c->port.at_rename);
    if (waiting == 0)
        issue_ready(c, i, s);
}

void rename_again(struct ooo *c, uint32_t i, uint32_t *store)
{
    struct slot *s = &c->slot[i];
    const struct rv_insn *in = s->insn;
    const uint32_t unit = in->unit, flags = s->flags;
    const uint32_t waiting = rename_sources(c, i, s, in, unit);
    rename_destination(c, s, in->dst);
    s->flags = (uint16_t)flags;
    s->waiting = (uint8_t)waiting;
    const enum queue q = c->queue_for[unit];
    s->queue = (uint8_t)q;
    if (s->dst != NIL)
        c->reg_ready[s->dst] = (flags & SLOT_DONE) != 0;
    s->store_mark = *store;
    *store += unit == RV_UNIT_STORE;
    c->loads += unit == RV_UNIT_LOAD;
    c->queue_used[q] += (flags & SLOT_QUEUED) != 0;
    c->unresolved += (flags & SLOT_UNRESOLVED) != 0;
    if (flags & SLOT_READY) {
        c->ready[q][i / 64] |= UINT64_C(1) << (i % 64);
        c->ready_count[q]++;
    }
    if ((flags & SLOT_DONE) && (in->flags & (RV_BRANCH | RV_JUMP)) && s->trap == RV_TRAP_NONE && c->outcome[i].taken)
        s->events |= PROBE_TAKEN;
}

/* The instruction cannot be renamed, for a lack of the resource that the statistic is of. */
static void note_stall(struct cycle_report *r, uint64_t *stall, uint64_t pc, bool first)
{
    r->blocked = stall;
    if (!first)
        return;
    r->stall = stall;
    r->dispatch_pc = pc;
}

/* Not a part of rename_tick, which saves no registers then in cycles without instructions to rename. */
static __attribute__((noinline)) void rename_some(struct ooo *c, uint64_t there)
{
    const uint32_t most = there < c->cfg.decode_width ? (uint32_t)there : c->cfg.decode_width;
    uint32_t renamed = 0;
    for (; renamed < most; renamed++) {
        const uint32_t i = (uint32_t)c->rob_tail & c->ring_mask;
        struct slot *s = &c->slot[i];
        if (s->dispatch_cycle > c->now) {
            core_wake_at(c, s->dispatch_cycle);
            break;
        }
        const uint32_t flags = s->insn->flags, unit = s->insn->unit, dst = s->insn->dst;
        const enum queue q = c->queue_for[unit];
        if (__builtin_expect(!rename_has_room(c, flags, unit, dst, q), 0)) {
            uint64_t *stall = blocked_by(c, s, q);
            if (stall != NULL) {
                note_stall(&c->cycle, stall, s->pc, renamed == 0);
                break;
            }
        }
        if (c->head == c->rob_tail) {
            c->cycle.dispatching = true;
            c->cycle.dispatch_pc = s->pc;
        }
        rename_dispatch(c, i, s, flags, unit, q);
    }
    c->cycle.renamed = renamed;
    c->cycle.active |= renamed > 0;
}

/* Whether a full ROB stalls the next instruction, s: what blocked_by finds then, for most cycles with such a stall. */
static inline bool waits_for_rob(const struct ooo *c, const struct slot *s)
{
    return c->rob_tail - c->head >= c->cfg.rob_entries && s->dispatch_cycle <= c->now && !c->serial_in_rob &&
           (s->insn->flags & RV_SERIAL) == 0;
}

void rename_tick(struct ooo *c)
{
    const uint64_t there = c->fetch_tail - c->rob_tail;
    if (there == 0)
        return;
    const struct slot *s = &c->slot[(uint32_t)c->rob_tail & c->ring_mask];
    if (s->seq == c->stall.seq && *c->stall.count == c->stall.full)
        note_stall(&c->cycle, c->stall.statistic, s->pc, true);
    else if (waits_for_rob(c, s))
        note_stall(&c->cycle, &c->stats.full_rob, s->pc, true);
    else
        rename_some(c, there);
}

/* Unlinks the instruction's waiting operands in reverse order, in which they are at the list heads. */
static void unlink_sources(struct ooo *c, uint32_t i, const struct slot *s)
{
    if (s->waiting == 0 && (!is_kind(s, RV_UNIT_STORE) || (s->flags & SLOT_DATA)))
        return;
    for (uint32_t n = 3; n-- > 0;) {
        uint16_t p = s->src[n];
        if (p == NIL || c->reg_ready[p])
            continue;
        if (c->reg_waiters[p] != i * 4 + n)
            BUG("register %u: operand %u is not its youngest waiter", p, i * 4 + n);
        c->reg_waiters[p] = c->next_waiter[i * 4 + n];
    }
}

void rename_squash(struct ooo *c, uint32_t i)
{
    struct slot *s = &c->slot[i];
    if (s->list != NIL)
        list_remove(c, i);
    if (s->flags & SLOT_READY) {
        c->ready[s->queue][i / 64] &= ~(UINT64_C(1) << (i % 64));
        c->ready_count[s->queue]--;
    }
    if (s->flags & SLOT_QUEUED)
        c->queue_used[s->queue]--;
    if (s->flags & SLOT_UNRESOLVED)
        c->unresolved--;
    unlink_sources(c, i, s);
    if (is_kind(s, RV_UNIT_LOAD) || is_kind(s, RV_UNIT_STORE))
        lsq_squash(c, i);
    if (s->insn->flags & RV_SERIAL)
        c->serial_in_rob = false;
    if (s->dst != NIL) {
        c->map[s->insn->dst] = s->old_dst;
        c->reg_ready[s->dst] = 1;
        rename_free(c, s->dst);
    }
}
