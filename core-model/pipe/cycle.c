/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One iteration of the main loop: the stages of a cycle, and the idle cycles after it. Entry point: core_cycle_tick. */
#include <stddef.h>
#include <string.h>

#include "core-model/pipe/memo/logging.h"
#include "core-model/pipe/wheel.h"

/* Cycles from now to the first one with possible activity in the pipeline, fills and stores in flight excluded; 0:
 * there is none. */
static uint32_t inner_length(const struct ooo *c)
{
    const uint64_t event = wheel_next_near(c), next = event < c->cycle.wake ? event : c->cycle.wake;
    return next == UINT64_MAX ? 0 : (uint32_t)(next - c->now);
}

uint64_t length_perform(const struct ooo *c, uint32_t inner, bool store)
{
    uint64_t next = inner == 0 ? UINT64_MAX : c->now + inner;
    if (c->misses.next < next)
        next = c->misses.next;
    if (store && store_done_perform(c, c->store_head) < next - c->now)
        next = c->now + store_done_perform(c, c->store_head);
    return next - c->now;
}

static void log_length(struct ooo *c)
{
    uint64_t length;
    const bool store = c->cycle.store_wake != UINT64_MAX;
    const uint32_t inner = inner_length(c);
    if (!effect_replayed(c, EFFECT_LENGTH, store, inner, &length))
        log_effect(c, EFFECT_LENGTH, store, inner, length_perform(c, inner, store));
}

/* Number of cycles represented by this iteration: more than one if nothing happens until the next event. */
static uint64_t cycle_cycle_length(struct ooo *c)
{
    if (c->cycle.active || c->finished)
        return 1;
    if (EFFECTS_LOGGED)
        log_length(c);
    uint64_t next = wheel_next(c);
    if (c->cycle.wake < next)
        next = c->cycle.wake;
    if (c->cycle.store_wake < next)
        next = c->cycle.store_wake;
    uint64_t line = interrupt_next(&c->interrupt, c->now);
    if (line < next) {
        next = line;
        effects_end(c);
    }
    if (c->front.halted && c->until < next)
        next = c->until;
    if (next == UINT64_MAX)
        BUG("cycle %llu: nothing will ever happen again", (unsigned long long)c->now);
    return next - c->now;
}

static __attribute__((noinline)) void send_some(struct ooo *c, uint64_t cycles)
{
    const struct cycle_report *r = &c->cycle;
    if (c->port.token_from < c->now)
        probe_send_token(c, cycles);
    if (c->port.merged.count == 0)
        return;
    if (r->commits > 0)
        probe_merge_commits(c);
    else if ((r->head == r->rob_tail || r->exception) && !probe_joins(c, cycles))
        probe_merge_empty(c, cycles);
}

/* Sends the commit tokens of the last cycles. Most iterations have no token for an observer that samples, and one in
 * which the oldest instruction stalls has none for observers of merged tokens. The functions that send are separate, so
 * these tests save no registers. */
static inline void cycle_send_tokens(struct ooo *c, uint64_t cycles)
{
    const struct cycle_report *r = &c->cycle;
    if (c->port.token_from < c->now)
        send_some(c, cycles);
    else if (c->port.merged.count == 0)
        return;
    else if (r->commits > 0)
        probe_merge_commits(c);
    else if (r->head == r->rob_tail || r->exception)
        send_some(c, cycles);
}

/* Whether the replay of this cycle performed effects after commit. Then no token was due and no interrupt was pending
 * after commit; requests that observers made since apply to later cycles. */
static inline bool replay_goes_on(const struct ooo *c) { return EFFECTS_LOGGED && c->log.next < c->log.replayed; }

static void take_snapshot(struct ooo *c)
{
    effects_end(c);
    probe_snapshot(c);
}

static inline void begin_report(struct ooo *c)
{
    struct cycle_report *r = &c->cycle;
    memset(&r->exception_pc, 0, sizeof *r - offsetof(struct cycle_report, exception_pc));
    r->fetch = &c->stats.fetch_serial;
    r->wake = r->store_wake = UINT64_MAX;
}

void core_cycle_tick(struct ooo *c)
{
    begin_report(c);
    commit_tick(c);
    if (!replay_goes_on(c)) {
        if (c->port.token_from <= c->now)
            take_snapshot(c);
        if (interrupt_due(&c->interrupt, c->now))
            commit_interrupt(c);
    }
    if (c->shares && c->store_head != c->store_send)
        lsq_perform(c);
    if (!c->finished) {
        event_tick(c);
        issue_tick(c);
        rename_tick(c);
        if (c->store_send != c->store_commit)
            store_tick(c);
        fetch_tick(c);
    } else {
        c->targets = fetch_targets(c);
    }
    uint64_t cycles = cycle_cycle_length(c);
    stats_account(c, cycles);
    c->now += cycles;
    if (c->port.tokens)
        cycle_send_tokens(c, cycles);
}
