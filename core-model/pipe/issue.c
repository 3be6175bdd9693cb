/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Issue, execution and wake-up. Each queue's ready instructions are a bitmap over ring indices; selection is oldest
 * first and skips instructions without a free unit. A result wakes its consumers in the cycle in which it is available,
 * so dependent single-cycle operations issue back to back. Simplifications: loads do not wake consumers speculatively,
 * so there are no replays; a squash does not free an unpipelined unit. Entry points: issue_tick, event_tick,
 * issue_wake, issue_complete. */
#include "core-model/pipe/wheel.h"

static bool is_memory(enum rv_unit u) { return u == RV_UNIT_LOAD || u == RV_UNIT_STORE || u == RV_UNIT_AMO; }

/* Occupies the first free instance of an unpipelined unit. */
static bool unit_occupy(struct ooo *c, struct unit *u)
{
    uint64_t earliest = UINT64_MAX;
    for (uint32_t n = 0; n < u->count; n++) {
        if (u->busy_until[n] <= c->now) {
            u->busy_until[n] = c->now + u->latency;
            return true;
        }
        if (u->busy_until[n] < earliest)
            earliest = u->busy_until[n];
    }
    core_wake_at(c, earliest);
    return false;
}

static inline bool unit_take(struct ooo *c, enum rv_unit kind)
{
    struct unit *u = &c->unit[kind];
    if (u->used_cycle != c->now) {
        u->used_cycle = c->now;
        u->used = 0;
    }
    if (u->used >= u->count)
        return false;
    if (is_memory(kind)) {
        if (c->ports_cycle != c->now) {
            c->ports_cycle = c->now;
            c->ports_used = 0;
        }
        if (c->ports_used >= c->cfg.mem_ports)
            return false;
        c->ports_used++;
    }
    if (!u->pipelined && !unit_occupy(c, u))
        return false;
    u->used++;
    return true;
}

static inline void issue_one(struct ooo *c, uint32_t i, struct slot *s)
{
    s->flags &= (uint16_t) ~(SLOT_READY | SLOT_QUEUED);
    c->queue_used[s->queue]--;
    c->ready_count[s->queue]--;
    c->cycle.active = true;
    if (probe_wants(c, PROBE_ISSUED))
        probe_with_datum(c, i, PROBE_ISSUED);
    if (is_memory(s->insn->unit))
        lsq_issue(c, i);
    else
        wheel_add(c, i, c->now + c->unit[s->insn->unit].latency);
}

/* Selects oldest first. Because the ring wraps, the bitmap word of the oldest instruction is scanned twice: upper part
 * first, lower part last. */
static void issue_queue(struct ooo *c, enum queue q, uint32_t width)
{
    uint32_t first = (uint32_t)c->head & c->ring_mask, word = first / 64, left = c->ready_count[q];
    uint64_t bits = c->ready[q][word] & ~UINT64_C(0) << (first % 64);
    for (;;) {
        for (; bits != 0; bits &= bits - 1) {
            uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(bits);
            struct slot *s = &c->slot[i];
            left--;
            if (!unit_take(c, s->insn->unit))
                continue;
            c->ready[q][word] ^= bits & -bits;
            issue_one(c, i, s);
            if (--width == 0)
                return;
        }
        if (left == 0)
            return;
        word = (word + 1) & (c->ring_words - 1);
        bits = c->ready[q][word];
        if (word == first / 64)
            bits &= ~(~UINT64_C(0) << (first % 64));
    }
}

void issue_tick(struct ooo *c)
{
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
    probe_event(c, s, PROBE_MISPREDICTED);
    if (c->front.wrong == position)
        c->front.wrong = UINT64_MAX;
    squash_redirect(c, position + 1, o->next_pc, front_history_after(&c->front, s->insn, o, c->history[i]),
                    PROBE_CAUSE_MISPREDICT);
}

/* Resolves a branch: frees its branch tag and recovers from a misprediction. */
static void resolve(struct ooo *c, uint32_t i, struct slot *s)
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
        resolve(c, i, s);
    probe_stage(c, i, PROBE_READY_TO_RETIRE);
}

void event_tick(struct ooo *c)
{
    uint16_t *bucket = &c->list_head[c->now % WHEEL_CYCLES];
    while (*bucket != NIL) {
        uint32_t i = *bucket;
        struct slot *s = &c->slot[i];
        wheel_pop(c, bucket, s);
        c->cycle.active = true;
        if (c->due[i] > c->now)
            wheel_add(c, i, c->due[i]);
        else if (is_kind(s, RV_UNIT_STORE) || (s->flags & SLOT_RETRY))
            lsq_event(c, i);
        else
            issue_complete(c, i);
    }
}
