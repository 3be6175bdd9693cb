/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Invariants of the core's data structures: core_check. For tests, because it recomputes incrementally maintained
 * state. */
#include <stdlib.h>

#include "core-model/pipe/memo/memo.h"
#include "core-model/pipe/wheel.h"

#define REQUIRE(condition) ((condition) ? (void)0 : BUG("cycle %llu: not %s", (unsigned long long)c->now, #condition))

static const struct slot *before(const struct ooo *c, uint64_t position)
{
    return &c->slot[(position - 1) & c->ring_mask];
}

static bool same_block(const struct ooo *c, const struct slot *a, const struct slot *b)
{
    return (a->pc ^ b->pc) < c->cfg.fetch_block_bytes;
}

static void check_ring(const struct ooo *c)
{
    REQUIRE(c->head <= c->rob_tail && c->rob_tail <= c->fetch_tail);
    REQUIRE(c->rob_tail - c->head <= c->cfg.rob_entries);
    REQUIRE(c->fetch_tail - c->rob_tail <= c->cfg.fetch_buffer);
    REQUIRE(c->targets == fetch_targets(c) && c->targets <= c->cfg.ftq_entries);
    uint64_t seq = 0;
    bool wrong = false;
    uint32_t in_packet = 0;
    for (uint64_t p = c->head; p < c->fetch_tail; p++) {
        const struct slot *s = &c->slot[p & c->ring_mask];
        REQUIRE(s->seq > seq);
        seq = s->seq;
        in_packet = p > c->head && s->packet == before(c, p)->packet ? in_packet + 1 : 1;
        REQUIRE(p == c->head || in_packet > 1 || s->packet == (uint16_t)(before(c, p)->packet + 1));
        REQUIRE(in_packet == 1 || same_block(c, s, before(c, p)));
        REQUIRE(in_packet <= c->cfg.fetch_width);
        if (p == c->front.wrong)
            wrong = true;
        REQUIRE(!wrong || p == c->front.wrong || (s->events & PROBE_WRONG_PATH));
        /* Every instruction has executed, and can be undone, except traps and deferred instructions. */
        REQUIRE((s->flags & (SLOT_EXECUTED | SLOT_DEFERRED)) || s->trap != RV_TRAP_NONE);
        REQUIRE(p < c->rob_tail || (s->list == NIL && !(s->flags & (SLOT_QUEUED | SLOT_READY | SLOT_DONE))));
    }
}

static void check_queues(const struct ooo *c)
{
    uint32_t queued[QUEUE_COUNT] = {0}, ready[QUEUE_COUNT] = {0}, unresolved = 0, loads = 0, stores = 0, bits = 0;
    for (uint64_t p = c->head; p < c->rob_tail; p++) {
        uint32_t i = (uint32_t)p & c->ring_mask;
        const struct slot *s = &c->slot[i];
        queued[s->queue] += (s->flags & SLOT_QUEUED) != 0;
        ready[s->queue] += (s->flags & SLOT_READY) != 0;
        unresolved += (s->flags & SLOT_UNRESOLVED) != 0;
        loads += is_kind(s, RV_UNIT_LOAD);
        stores += is_kind(s, RV_UNIT_STORE);
        REQUIRE(((s->flags & SLOT_READY) != 0) == ((c->ready[s->queue][i / 64] >> (i % 64) & 1) != 0));
        REQUIRE(!(s->flags & SLOT_READY) || ((s->flags & SLOT_QUEUED) && s->waiting == 0));
        /* An issued, incomplete instruction has a pending event or is a store that waits for its data. */
        bool pending = !(s->flags & (SLOT_QUEUED | SLOT_DONE));
        REQUIRE(pending == (s->list != NIL) || (pending && is_kind(s, RV_UNIT_STORE) && !(s->flags & SLOT_DATA)));
    }
    for (int q = 0; q < QUEUE_COUNT; q++) {
        REQUIRE(queued[q] == c->queue_used[q]);
        REQUIRE(ready[q] == c->ready_count[q]);
        for (uint32_t w = 0; w < c->ring_words; w++)
            bits += (uint32_t)__builtin_popcountll(c->ready[q][w]);
    }
    REQUIRE(bits == ready[0] + ready[1] + ready[2]);
    REQUIRE(unresolved == c->unresolved && unresolved <= c->cfg.max_branches);
    REQUIRE(loads == c->loads && loads <= c->cfg.load_queue);
    REQUIRE(stores == c->store_tail - c->store_commit);
    REQUIRE(c->store_tail - c->store_head <= c->cfg.store_queue);
    REQUIRE((int32_t)(c->store_send - c->store_head) >= 0 && (int32_t)(c->store_commit - c->store_send) >= 0);
}

/* Each physical register is in exactly one state: free, mapped, or to be freed by an instruction in flight. */
static void check_register_states(const struct ooo *c)
{
    uint32_t total = c->cfg.int_registers + c->cfg.fp_registers;
    uint8_t *seen = xcalloc(total, 1);
    for (int f = 0; f < 2; f++)
        for (uint32_t n = 0; n < c->free_count[f]; n++) {
            uint16_t r = c->free_list[f][n];
            REQUIRE(seen[r]++ == 0 && c->reg_ready[r] && c->reg_waiters[r] == NIL);
        }
    for (int a = 0; a < REGISTERS; a++)
        REQUIRE(seen[c->map[a]]++ == 0);
    for (uint64_t p = c->head; p < c->rob_tail; p++) {
        const struct slot *s = &c->slot[p & c->ring_mask];
        if (s->old_dst != NIL)
            REQUIRE(seen[s->old_dst]++ == 0);
        if (s->dst != NIL)
            REQUIRE(((s->flags & SLOT_DONE) != 0) == (c->reg_ready[s->dst] != 0));
    }
    for (uint32_t r = 0; r < total; r++)
        REQUIRE(seen[r] == 1);
    free(seen);
}

static void check_filter(const struct ooo *c)
{
    uint32_t stores = 0, counted = 0;
    for (uint32_t n = c->store_head; n != c->store_tail; n++) {
        const struct store *st = &c->store[n & c->store_mask];
        if (st->bytes != 0)
            stores += (st->ea >> 3) == ((st->ea + st->bytes - 1) >> 3) ? 1 : 2;
    }
    for (int i = 0; i < STORE_FILTER; i++)
        counted += c->store_filter[i];
    REQUIRE(stores == counted);
}

static void check_stack(const struct ooo *c)
{
    uint64_t renamed = c->retired - c->begin_retired + c->rob_tail - c->head;
    struct core_stats s = c->stats;
    if (c->memo != NULL)
        memo_add(c->memo, &s);
    REQUIRE(stats_slots_sum(&s) + renamed == s.cycles * c->cfg.decode_width);
    REQUIRE(stats_stack_sum(&s) == s.cycles && s.cycles == c->now - c->begin_cycle);
    REQUIRE(stats_fetch_sum(&s) == s.cycles);
}

void ooo_check(const void *self)
{
    const struct ooo *c = self;
    check_ring(c);
    check_queues(c);
    check_register_states(c);
    check_filter(c);
    check_stack(c);
    REQUIRE(c->front.hart->reg[0] == 0);
}
