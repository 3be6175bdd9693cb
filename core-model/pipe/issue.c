/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Issue, execution and wake-up. Each queue's ready instructions are a bitmap over ring indices; selection is oldest
 * first and skips instructions without a free unit. A result wakes its consumers in the cycle in which it is available,
 * so dependent single-cycle operations issue back to back. Simplifications: loads do not wake consumers speculatively,
 * so there are no replays; a squash does not free an unpipelined unit. Entry points: issue_tick, event_tick,
 * issue_wake, issue_complete. */
#include <string.h>

#include "core-model/pipe/outside.h"

static inline bool is_memory(unsigned unit)
{
    return (1u << unit & (1u << RV_UNIT_LOAD | 1u << RV_UNIT_STORE | 1u << RV_UNIT_AMO)) != 0;
}

/* Occupies the first free instance of an unpipelined unit. */
static bool unit_occupy(struct ooo *c, unsigned unit)
{
    uint64_t earliest = UINT64_MAX, *busy_until = c->units.busy_until[unit];
    for (uint32_t n = 0; n < c->units.count[unit]; n++) {
        if (busy_until[n] <= c->now) {
            busy_until[n] = c->now + c->units.latency[unit];
            return true;
        }
        if (busy_until[n] < earliest)
            earliest = busy_until[n];
    }
    core_wake_at(c, earliest);
    return false;
}

static inline bool unit_take(struct ooo *c, unsigned unit, bool is_ideal)
{
    struct units *u = &c->units;
    if (u->left[unit] == 0)
        return false;
    if (is_memory(unit)) {
        if (u->ports_left == 0)
            return false;
        u->ports_left--;
    }
    if ((u->unpipelined & 1u << unit) != 0 && !is_ideal && !unit_occupy(c, unit))
        return false;
    u->left[unit]--;
    return true;
}

static inline void issue_one_insn(struct ooo *c, uint32_t i, struct slot *s, unsigned unit, bool is_ideal)
{
    s->flags &= (uint16_t) ~(SLOT_READY | SLOT_QUEUED);
    if (probe_wants(c, PROBE_ISSUED))
        probe_with_datum(c, i, PROBE_ISSUED);
    if (is_memory(unit))
        lsq_issue(c, i);
    else
        cycle_schedule(c, i, c->now + (is_ideal ? 1 : c->units.latency[unit]));
}

/* Selects oldest first; returns the number of instructions issued. Because the ring wraps, the bitmap word of the
 * oldest instruction is scanned twice: upper part first, lower part last. */
static inline uint32_t select_from(struct ooo *c, uint64_t *ready, uint32_t left, uint32_t width)
{
    uint32_t first = (uint32_t)c->head & c->ring_mask, word = first / 64, issued = 0;
    uint64_t bits = ready[word] & ~UINT64_C(0) << (first % 64);
    for (;;) {
        for (; bits != 0; bits &= bits - 1) {
            uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(bits);
            struct slot *s = &c->slot[i];
            const unsigned unit = s->insn->unit;
            const uint32_t causes = ideal_of(c, s->pc);
            const bool is_ideal = (causes & IDEAL_LATENCY) != 0;
            left--;
            if ((causes & IDEAL_UNIT) == 0 && !unit_take(c, unit, is_ideal))
                continue;
            ready[word] ^= bits & -bits;
            issue_one_insn(c, i, s, unit, is_ideal);
            if (++issued == width)
                return issued;
        }
        if (left == 0)
            return issued;
        word = (word + 1) & (c->ring_words - 1);
        bits = ready[word];
        if (word == first / 64)
            bits &= ~(~UINT64_C(0) << (first % 64));
    }
}

static void issue_queue(struct ooo *c, enum queue q, uint32_t width)
{
    uint32_t issued = select_from(c, c->ready[q], c->ready_count[q], width);
    c->queue_used[q] -= issued;
    c->ready_count[q] -= issued;
    c->cycle.issued += issued;
    c->cycle.active |= issued != 0;
}

void issue_tick(struct ooo *c)
{
    if ((c->ready_count[QUEUE_MEM] | c->ready_count[QUEUE_INT] | c->ready_count[QUEUE_FP]) == 0)
        return;
    memcpy(c->units.left, c->units.count, sizeof c->units.left);
    c->units.ports_left = c->cfg.mem_ports;
    if (c->ready_count[QUEUE_MEM] > 0)
        issue_queue(c, QUEUE_MEM, c->cfg.mem_issue);
    if (c->ready_count[QUEUE_INT] > 0)
        issue_queue(c, QUEUE_INT, c->cfg.int_issue);
    if (c->ready_count[QUEUE_FP] > 0)
        issue_queue(c, QUEUE_FP, c->cfg.fp_issue);
}

/* An operand of instruction i has become available. */
static void operand_arrives(struct ooo *c, uint32_t i, uint32_t operand)
{
    struct slot *s = &c->slot[i];
    if (operand == 1 && is_kind(s, RV_UNIT_STORE)) {
        s->flags |= SLOT_DATA;
        if (probe_wants(c, PROBE_DATA_READY) || probe_wants(c, PROBE_ISSUED))
            probe_datum(c, i);
        lsq_store_data(c, i);
    } else if (--s->waiting == 0) {
        issue_ready(c, i, s);
    }
}

void issue_wake(struct ooo *c, uint16_t reg)
{
    uint16_t node = c->reg_waiters[reg];
    c->reg_waiters[reg] = NIL;
    c->reg_ready[reg] = 1;
    while (node != NIL) {
        uint16_t next = c->next_waiter[node];
        operand_arrives(c, node / 4, node % 4);
        node = next;
    }
}

/* Misprediction recovery: squashes the wrong path and redirects fetch to the instruction's actual successor. */
static __attribute__((noinline)) void correct(struct ooo *c, uint32_t i, struct slot *s, uint64_t position)
{
    const struct rv_outcome *o = &c->outcome[i];
    stage_event(c, s, PROBE_MISPREDICTED);
    if (c->front.wrong == position)
        c->front.wrong = UINT64_MAX;
    squash_redirect(c, position + 1, o->next_pc, front_history_after(&c->front, s->insn, o, c->history[i]),
                    PROBE_CAUSE_MISPREDICT);
}

/* Resolves a branch: frees its branch tag and recovers from a misprediction. */
static void issue_resolve(struct ooo *c, uint32_t i, struct slot *s)
{
    const struct rv_outcome *o = &c->outcome[i];
    uint64_t position = c->head + ((i - (uint32_t)c->head) & c->ring_mask);
    if (s->flags & SLOT_UNRESOLVED) {
        s->flags &= (uint16_t)~SLOT_UNRESOLVED;
        c->unresolved--;
    }
    if (o->taken)
        probe_event(c, s, PROBE_TAKEN);
    if (s->flags & SLOT_WRONG)
        correct(c, i, s, position);
}

void issue_complete(struct ooo *c, uint32_t i)
{
    struct slot *s = &c->slot[i];
    s->flags |= SLOT_DONE;
    if (s->insn->flags & RV_LOAD && s->trap == RV_TRAP_NONE)
        probe_stage(c, i, PROBE_LOAD_COMPLETED);
    if (s->dst != NIL)
        issue_wake(c, s->dst);
    if ((s->insn->flags & (RV_BRANCH | RV_JUMP)) && s->trap == RV_TRAP_NONE)
        issue_resolve(c, i, s);
    probe_stage(c, i, PROBE_READY_TO_RETIRE);
}

static inline void event(struct ooo *c, uint32_t i, struct slot *s)
{
    c->cycle.active = true;
    if (is_kind(s, RV_UNIT_STORE) || (s->flags & SLOT_RETRY))
        lsq_event(c, i);
    else
        issue_complete(c, i);
}

/* The youngest events first: those that were scheduled in the last cycle, then those of the bucket. Not a part of
 * event_tick, which saves no registers then in cycles without events. */
static __attribute__((noinline)) void event_some(struct ooo *c)
{
    uint16_t *soon = c->soon[0], *bucket = &c->list_head[c->now % WHEEL_CYCLES];
    uint32_t count = c->soon_count;
    c->soon[0] = c->soon[1];
    c->soon[1] = soon;
    c->soon_count = 0;
    while (count > 0) {
        uint32_t i = soon[--count];
        struct slot *s = &c->slot[i];
        if (s->list != SOON)
            continue;
        s->list = NIL;
        event(c, i, s);
    }
    while (*bucket != NIL) {
        uint32_t i = *bucket;
        struct slot *s = &c->slot[i];
        wheel_pop(c, bucket, s);
        if (c->due[i] <= c->now) {
            event(c, i, s);
            continue;
        }
        c->cycle.active = true;
        cycle_schedule(c, i, c->due[i]);
    }
}

void event_tick(struct ooo *c)
{
    cycle_fill_misses(c);
    if (c->soon_count != 0 || c->list_head[c->now % WHEEL_CYCLES] != NIL)
        event_some(c);
}
