/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The co-processor that shows the past or a what-if: restored from a snapshot and run with the recorded inputs.
 *
 * A call that advances the co-processor cannot be aborted. At a stop, the state is copied; after the return of the
 * call, the copy is restored. */
#include <stdlib.h>

#include "emu/debug/debugger.h"

enum { CHUNK_CYCLES = 1 << 14 }; /* interval between polls for Ctrl-C */

static void freeze(struct machine *m)
{
    m->frozen = cop_clone(m->cop);
    cop_watch(m->cop, NULL);
}

static void thaw(struct machine *m)
{
    cop_restore(m->cop, m->frozen);
    cop_free(m->frozen);
    m->frozen = NULL;
    machine_watch(m);
}

static void past_event(struct machine *m, enum event e)
{
    struct moment now = machine_at(m);
    struct reason why;
    int distance = moment_compare(&now, &m->limit);
    if (distance > 0 || (distance == 0 && !m->limit_counts)) {
        freeze(m);
        return;
    }
    if (m->mode == RUN_TO_MOMENT || moment_compare(&now, &m->from) <= 0 || !stops_reason(m, e, &why))
        return;
    if (m->mode == RUN_SCAN)
        return; /* hits were recorded */
    m->d->why = why;
    m->stopped = true;
    freeze(m);
}

void past_place(struct debugger *d, const struct snapshot *s)
{
    struct machine *m = &d->past;
    m->d = d;
    m->see = past_event;
    if (m->cop == NULL)
        m->cop = cop_clone(s->cop);
    else
        cop_restore(m->cop, s->cop);
    m->words = s->at.words;
    m->inputs = s->at.inputs;
    m->phase = s->at.phase;
    m->event = s->at.phase == PHASE_WORD ? EVENT_WORD : EVENT_INPUT;
    m->samples = s->samples;
    m->fresh = s->fresh;
    m->cursor = s->cursor;
    m->knows_last = m->by_word = false;
    machine_watch(m);
}

/* Advances the machine; returns whether it stopped on the way. */
static bool past_advance(struct machine *m, uint64_t until)
{
    for (uint64_t at = cop_cycle(m->cop); at < until;) {
        at = until - at < CHUNK_CYCLES ? until : at + CHUNK_CYCLES;
        cop_advance(m->cop, at);
        if (m->frozen != NULL) {
            thaw(m);
            return true;
        }
        if (key_take()) {
            m->d->why = (struct reason){.kind = REASON_KEY};
            m->phase = PHASE_BETWEEN;
            return m->stopped = true;
        }
    }
    return false;
}

/* Returns whether the machine is at its limit, for moments without an event of the watch port. */
static bool is_there(const struct machine *m)
{
    return m->mode == RUN_TO_MOMENT && m->limit.phase >= PHASE_BETWEEN && m->words == m->limit.words &&
           m->inputs == m->limit.inputs;
}

void past_run(struct machine *m)
{
    struct debugger *d = m->d;
    m->stopped = false;
    for (;;) {
        struct history_cursor next = m->cursor;
        struct history_input in;
        bool more = history_read(&d->history, &next, &in);
        if (past_advance(m, more ? in.cycle : cop_cycle(d->live.cop)))
            return;
        if (is_there(m)) {
            m->phase = m->limit.phase;
            return;
        }
        if (!more)
            return;
        /* A recorded change that the what-if made impossible is skipped. */
        if (machine_apply(m, &in) != ST_OK)
            m->inputs++;
        m->cursor = next;
        if (m->frozen != NULL) {
            thaw(m);
            return;
        }
    }
}

void past_seek(struct debugger *d, const struct moment *to)
{
    struct machine *m = &d->past;
    past_place(d, d->what_if ? &d->root : &d->history.snapshot[history_before(&d->history, to)]);
    m->mode = RUN_TO_MOMENT;
    m->limit = *to;
    m->limit_counts = false;
    d->shown = m;
    struct moment now = machine_at(m);
    if (moment_compare(&now, to) < 0)
        past_run(m);
    m->event = m->phase == PHASE_WORD ? EVENT_WORD : EVENT_INPUT;
}

void past_set_root(struct debugger *d)
{
    if (d->what_if)
        cop_free(d->root.cop);
    d->root = machine_snapshot(&d->past);
    d->what_if = true;
}

void past_leave(struct debugger *d)
{
    if (d->what_if)
        cop_free(d->root.cop);
    d->what_if = false;
    d->shown = &d->live;
}

void past_free(struct debugger *d)
{
    past_leave(d);
    cop_free(d->past.cop);
    free(d->past.hits);
}
