/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One iteration of the main loop: the stages of a cycle, and the idle cycles after it. Entry point: core_cycle_tick. */
#include <stddef.h>
#include <string.h>

#include "core-model/pipe/outside.h"

/* Number of cycles represented by this iteration: more than one if nothing happens until the next event. */
static uint64_t cycle_find_length(struct ooo *c)
{
    if (c->cycle.active || c->finished)
        return 1;
    cycle_idles(c);
    uint64_t next = wheel_next(c);
    if (c->cycle.wake < next)
        next = c->cycle.wake;
    if (c->cycle.store_wake < next)
        next = c->cycle.store_wake;
    uint64_t line = interrupt_next(&c->interrupt, c->now);
    if (line < next) {
        next = line;
        cycle_never_repeats(c);
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

static void take_snapshot(struct ooo *c)
{
    cycle_never_repeats(c);
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
    if (cycle_serves_requests(c)) {
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
    uint64_t cycles = cycle_find_length(c);
    stats_account(c, cycles);
    c->now += cycles;
    if (c->port.tokens)
        cycle_send_tokens(c, cycles);
}
