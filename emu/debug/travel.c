/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forward and reverse execution within the recorded history, and from there into the present. A moment is restored from
 * the last snapshot before it by re-execution. */
#include <string.h>

#include "emu/debug/debugger.h"

static void stop_shown(struct debugger *d, const struct reason *why)
{
    struct reason copy = *why;
    d->goal = (struct goal){.kind = GOAL_NONE};
    d->why = copy;
    show_stop(d, &copy);
}

/* The machine of the past has reached the present: stops if the goal or a breakpoint is met there; else continues on
 * the live machine. */
static void arrive(struct debugger *d)
{
    struct reason why = {.kind = REASON_END};
    if (d->what_if) {
        stop_shown(d, &why);
        return;
    }
    memcpy(d->live.old, d->past.old, sizeof d->live.old);
    memcpy(d->live.known, d->past.known, sizeof d->live.known);
    past_leave(d);
    if (d->ended || stops_reason(&d->live, d->live.event, &why))
        stop_shown(d, &why);
    else
        d->leave = true;
}

static void go_on(struct debugger *d)
{
    struct machine *m = &d->past;
    m->limit = d->what_if ? NEVER : machine_at(&d->live);
    m->limit_counts = false;
    d->shown = m;
    stops_sample_values(m);
    past_run(m);
    if (m->stopped)
        stop_shown(d, &d->why);
    else
        arrive(d);
}

void travel_forward(struct debugger *d, const struct goal *goal)
{
    d->goal = *goal;
    if (d->shown == &d->live) {
        if (d->ended)
            fprintf(d->out, "the run is over\n");
        else
            d->leave = true;
        return;
    }
    d->past.mode = RUN_TO_STOP;
    d->past.from = machine_at(&d->past);
    go_on(d);
}

/* Re-executes from a snapshot up to the limit and records all stops passed. */
static void scan(struct debugger *d, const struct snapshot *s, const struct moment *limit, bool limit_counts)
{
    struct machine *m = &d->past;
    past_place(d, s);
    m->hit_count = 0;
    m->mode = RUN_SCAN;
    m->from = (struct moment){0, 0, PHASE_INPUT};
    m->limit = *limit;
    m->limit_counts = limit_counts;
    stops_sample_values(m);
    past_run(m);
}

/* Counts the other stops of the moment of hits[i], up to hits[end]. */
static const struct hit *with_others(struct debugger *d, struct hit *hits, size_t i, size_t end)
{
    struct reason *why = &hits[i].why;
    for (size_t n = i + 1; n < end && why->kind == REASON_STOP; n++)
        if (hits[n].why.kind == REASON_STOP && !stops_ignore(&d->stop[hits[n].why.stop]))
            why->also |= UINT64_C(1) << hits[n].why.stop;
    return &hits[i];
}

/* Selects the last recorded moment at which to stop. Events at the snapshot itself belong to the interval before it, if
 * one exists. */
static const struct hit *travel_choose(struct debugger *d, const struct snapshot *s, bool first, uint64_t *left)
{
    struct hit *hits = d->past.hits;
    for (size_t end = d->past.hit_count, start; end > 0; end = start) { /* hits of one moment, in forward order */
        for (start = end - 1; start > 0 && moment_compare(&hits[start - 1].at, &hits[end - 1].at) == 0;)
            start--;
        if (!first && moment_compare(&hits[start].at, &s->at) == 0)
            continue;
        for (size_t i = start; i < end; i++) {
            const struct reason *why = &hits[i].why;
            if (why->kind == REASON_GOAL ? --*left == 0
                                         : why->kind != REASON_STOP || !stops_ignore(&d->stop[why->stop]))
                return with_others(d, hits, i, end);
        }
    }
    return NULL;
}

void travel_backward(struct debugger *d, const struct goal *goal)
{
    struct moment now = machine_at(d->shown), limit = now;
    struct reason why = {.kind = REASON_BEGIN};
    uint64_t left = goal->count;
    bool limit_counts = false;
    unsigned n = d->what_if ? 0 : history_before(&d->history, &now);
    for (;; n--) {
        const struct snapshot *s = d->what_if ? &d->root : &d->history.snapshot[n];
        d->goal = *goal;
        d->goal.count = 1;
        scan(d, s, &limit, limit_counts);
        if (d->past.stopped) { /* cancelled by Ctrl-C */
            why.kind = REASON_KEY;
            if (d->what_if || now.words != d->live.words || now.inputs != d->live.inputs)
                past_seek(d, &now);
            else
                past_leave(d);
            break;
        }
        const struct hit *h = travel_choose(d, s, n == 0, &left);
        if (h != NULL) {
            struct moment to = h->at;
            why = h->why;
            past_seek(d, &to);
            break;
        }
        if (n == 0) {
            past_place(d, s);
            d->shown = &d->past;
            break;
        }
        limit = s->at;
        limit_counts = true;
    }
    stop_shown(d, &why);
}

static bool comes_before(const struct snapshot *s, const struct goal *goal)
{
    switch (goal->kind) {
    case GOAL_POSITION:
        return s->at.words < goal->count;
    case GOAL_CYCLE:
        return cop_cycle(s->cop) < goal->count;
    default:
        return s->samples < goal->count;
    }
}

void travel_go(struct debugger *d, const struct goal *goal)
{
    const struct snapshot *s = d->what_if ? &d->root : &d->history.snapshot[0];
    d->goal = *goal;
    for (unsigned i = 1; !d->what_if && i < d->history.snapshots && comes_before(&d->history.snapshot[i], goal); i++)
        s = &d->history.snapshot[i];
    past_place(d, s);
    d->past.mode = RUN_TO_STOP;
    d->past.from = (struct moment){0, 0, PHASE_INPUT};
    go_on(d);
}

enum status travel_to(struct debugger *d, const struct snapshot *at, bool what_if, struct errmsg *err)
{
    if (!history_has(&d->history, &at->cursor))
        return fail(err, ST_RANGE, "what came after it has been forgotten: the history begins at position %llu",
                    (unsigned long long)d->history.snapshot[0].at.words);
    struct reason why = {.kind = REASON_PAUSE};
    struct moment live = machine_at(&d->live);
    past_leave(d);
    if (what_if || moment_compare(&at->at, &live) != 0) {
        past_place(d, at);
        d->shown = &d->past;
        if (what_if)
            past_set_root(d);
    }
    stop_shown(d, &why);
    return ST_OK;
}
