/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evaluation of breakpoints and watchpoints. */
#include <stdlib.h>
#include <string.h>

#include "emu/debug/show.h"

/* ---- stop conditions ---- */

static bool goal_met(struct machine *m, enum event e)
{
    const struct goal *g = &m->d->goal;
    switch (g->kind) {
    case GOAL_NONE:
        return false;
    case GOAL_STEP:
        return e == EVENT_WORD;
    case GOAL_SAMPLE:
        return e == EVENT_WORD && m->fresh;
    case GOAL_DONE:
        return e == EVENT_DONE || e == EVENT_INTERRUPT;
    case GOAL_WORD:
        return e == EVENT_WORD && cop_pc(m->cop) == g->word;
    case GOAL_POSITION:
        return e == EVENT_WORD && m->words >= g->count;
    case GOAL_CYCLE:
        return e == EVENT_WORD && cop_cycle(m->cop) >= g->count;
    case GOAL_SAMPLE_NUMBER:
        return e == EVENT_WORD && m->fresh && m->samples >= g->count;
    }
    return false;
}

static bool goal_is_reached(struct machine *m, enum event e)
{
    struct goal *g = &m->d->goal;
    if (!goal_met(m, e))
        return false;
    return g->kind >= GOAL_POSITION || m->mode == RUN_SCAN || --g->count == 0;
}

static bool is_class(struct machine *m, const struct stop *s)
{
    struct cop_record r;
    return m->fresh && cop_record(m->cop, 0, &r) && r.opclass == s->opclass;
}

/* Evaluates an expression of a stop. That an operation has no result is printed once: an expression that is false for
 * this reason would look like one that does not hold. */
static bool stops_evaluate(struct machine *m, struct stop *s, const struct formula *f, struct integer *value)
{
    struct formula_scope scope = machine_scope(m);
    struct errmsg err;
    const enum status st = formula_value(f, &scope, value, &err);
    if (st == ST_INPUT && !s->has_failed)
        fprintf(m->d->out, "%s %u: %s has no value, and is false where it has none: %s\n", stops_kind_name(s),
                s->number, f == s->watched ? "the expression" : "the condition", err.text);
    s->has_failed = s->has_failed || st == ST_INPUT;
    return st == ST_OK;
}

/* Evaluates a watchpoint; returns whether its value changed since the last evaluation. */
static bool has_changed(struct machine *m, int i, struct reason *why)
{
    struct stop *s = &m->d->stop[i];
    struct integer value = integer_of(0);
    const bool known = stops_evaluate(m, s, s->watched, &value);
    *why = (struct reason){.changed = m->by_word, .was_known = m->known[i], .old = m->old[i], .new = value};
    bool differs = known && m->known[i] && value.bits != m->old[i].bits;
    if (s->kind == STOP_TRUE)
        differs = known && value.bits != 0 && !(m->known[i] && m->old[i].bits != 0);
    m->known[i] = known;
    m->old[i] = known ? value : integer_of(0);
    return differs;
}

static bool stops_is_at(struct machine *m, int i, enum event e, struct reason *why)
{
    const struct stop *s = &m->d->stop[i];
    switch (s->kind) {
    case STOP_WORD:
        return e == EVENT_WORD && cop_pc(m->cop) == s->word;
    case STOP_CLASS:
        return e == EVENT_WORD && is_class(m, s);
    case STOP_INTERRUPT:
        return e == EVENT_INTERRUPT;
    case STOP_DROP:
        return e == EVENT_DROP;
    case STOP_CHANGE:
    case STOP_TRUE:
        return has_changed(m, i, why);
    case STOP_GUEST:
    case STOP_FREE:
        break;
    }
    return false;
}

static bool stops_holds(struct stop *s, struct machine *m)
{
    struct integer value;
    return s->condition == NULL || (stops_evaluate(m, s, s->condition, &value) && value.bits != 0);
}

bool stops_ignore(struct stop *s)
{
    s->hits++;
    if (s->ignore == 0)
        return false;
    s->ignore--;
    return true;
}

/* Records a stop passed in a scan. */
static void note_hit(struct machine *m, const struct reason *why)
{
    if (m->hit_count == m->hit_room) {
        m->hit_room = m->hit_room * 2 + 256;
        m->hits = xrealloc(m->hits, m->hit_room * sizeof *m->hits);
    }
    m->hits[m->hit_count++] = (struct hit){machine_at(m), *why};
}

/* Goals of goto: the machine goes to a moment, and passes all stops on the way. */
static bool passes_stops(const struct debugger *d) { return d->goal.kind >= GOAL_POSITION; }

bool stops_reason(struct machine *m, enum event e, struct reason *why)
{
    struct debugger *d = m->d;
    bool found = false;
    *why = (struct reason){.kind = REASON_GOAL};
    for (int i = 0; i < d->stops && !passes_stops(d); i++) {
        struct stop *s = &d->stop[i];
        struct reason this = {.kind = REASON_GOAL};
        if (s->kind == STOP_FREE || !s->enabled || !stops_is_at(m, i, e, &this) || !stops_holds(s, m))
            continue;
        this.kind = REASON_STOP;
        this.stop = i;
        this.event = e;
        if (m->mode == RUN_SCAN)
            note_hit(m, &this); /* the ignore count is applied when all later hits are known */
        if (m->mode == RUN_SCAN ? found : stops_ignore(s))
            continue;
        if (found)
            why->also |= UINT64_C(1) << i;
        else
            *why = this;
        found = true;
    }
    if (!found)
        *why = (struct reason){.kind = e == EVENT_FAULT ? REASON_FAULT : REASON_GOAL, .event = e};
    if (why->kind == REASON_FAULT)
        found = true;
    else if (goal_is_reached(m, e)) {
        found = true;
        if (m->mode == RUN_SCAN) /* the goal applies if all breakpoints at this moment are ignored */
            note_hit(m, &(struct reason){.kind = REASON_GOAL, .event = e});
    }
    if (m->mode == RUN_SCAN && why->kind == REASON_FAULT)
        note_hit(m, why);
    return found;
}

void stops_sample_values(struct machine *m)
{
    struct reason why;
    for (int i = 0; i < m->d->stops; i++)
        if (m->d->stop[i].kind == STOP_CHANGE || m->d->stop[i].kind == STOP_TRUE)
            (void)has_changed(m, i, &why);
    m->by_word = false;
}

static bool is_at(const struct guest_places *at, uint64_t pc)
{
    size_t i = 0;
    while (i < at->count && at->pc[i] != pc)
        i++;
    return i < at->count;
}

bool stops_on_guest(struct debugger *d, uint64_t pc, struct reason *why)
{
    bool found = false;
    for (int i = 0; i < d->stops && !passes_stops(d); i++) {
        struct stop *s = &d->stop[i];
        if (s->kind != STOP_GUEST || !s->enabled || !is_at(&s->at, pc) || !stops_holds(s, &d->live) || stops_ignore(s))
            continue;
        if (why->kind != REASON_STOP)
            *why = (struct reason){.kind = REASON_STOP, .stop = i};
        else if (why->stop != i)
            why->also |= UINT64_C(1) << i;
        found = true;
    }
    return found;
}

/* ---- the table ---- */

void stops_count(struct debugger *d)
{
    d->guest_stops = 0;
    d->stops = 0;
    for (int i = 0; i < MAX_STOPS; i++) {
        d->guest_stops += d->stop[i].kind == STOP_GUEST && d->stop[i].enabled;
        if (d->stop[i].kind != STOP_FREE)
            d->stops = i + 1;
    }
}

void stops_remove(struct debugger *d, struct stop *s)
{
    free(s->text);
    free(s->condition_text);
    formula_free(s->condition);
    formula_free(s->watched);
    guest_place_free(&s->at);
    *s = (struct stop){.kind = STOP_FREE};
    stops_count(d);
}

void stops_free(struct debugger *d)
{
    for (int i = d->stops; i-- > 0;)
        stops_remove(d, &d->stop[i]);
}

const char *stops_kind_name(const struct stop *s)
{
    return s->kind == STOP_CHANGE || s->kind == STOP_TRUE ? "watchpoint" : "breakpoint";
}

static void describe_others(struct debugger *d, uint64_t also)
{
    for (; also != 0; also &= also - 1) {
        struct stop *s = &d->stop[__builtin_ctzll(also)];
        fprintf(d->out, "%s %u, %s, at the same moment\n", stops_kind_name(s), s->number, s->text);
        if (s->temporary)
            stops_remove(d, s);
    }
}

static void describe_change(struct debugger *d, const struct reason *why)
{
    fputs(": ", d->out);
    show_integer(d->out, why->old);
    fputs(" -> ", d->out);
    show_integer(d->out, why->new);
}

void stops_describe(struct debugger *d, const struct reason *why, const struct machine *m)
{
    struct stop *s = &d->stop[why->stop];
    fprintf(d->out, "%s %u, %s", stops_kind_name(s), s->number, s->text);
    if (s->kind == STOP_CHANGE && slot_print_is_address(formula_print(s->watched)))
        fprintf(d->out, ": 0x%llx -> 0x%llx", (unsigned long long)why->old.bits, (unsigned long long)why->new.bits);
    else if (s->kind == STOP_CHANGE)
        describe_change(d, why);
    if (s->kind == STOP_CHANGE || s->kind == STOP_TRUE) {
        char name[WORD_TEXT];
        if (why->changed && m->knows_last) {
            show_word_name(d->image, m->last.pc, name, sizeof name);
            fprintf(d->out, ", by word %u (%s)", m->last.pc, name);
        } else {
            fputs(why->changed ? ", by the word before" : ", from outside", d->out);
        }
    }
    fputc('\n', d->out);
    if (s->temporary)
        stops_remove(d, s);
    describe_others(d, why->also);
}
