/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breakpoints and watchpoints: the table, the commands on it, and whether there is a reason to stop. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/debugger.h"

/* ---- is there a reason? ---- */

static bool goal_met(struct machine *m, enum event e)
{
    const struct goal *g = &m->d->goal;
    switch (g->kind) {
    case GOAL_NONE: return false;
    case GOAL_STEP: return e == EVENT_WORD;
    case GOAL_SAMPLE: return e == EVENT_WORD && m->fresh;
    case GOAL_DONE: return e == EVENT_DONE || e == EVENT_INTERRUPT;
    case GOAL_WORD: return e == EVENT_WORD && cop_pc(m->cop) == g->word;
    case GOAL_POSITION: return e == EVENT_WORD && m->words >= g->count;
    case GOAL_CYCLE: return e == EVENT_WORD && cop_cycle(m->cop) >= g->count;
    case GOAL_SAMPLE_NUMBER: return e == EVENT_WORD && m->fresh && m->samples >= g->count;
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

/* Has what is watched changed since the last look? Looks. */
static bool has_changed(struct machine *m, int i, struct reason *why)
{
    const struct stop *s = &m->d->stop[i];
    struct formula_scope scope = machine_scope(m);
    struct errmsg err;
    uint64_t value;
    bool known = formula_value(s->watched, &scope, &value, &err) == ST_OK;
    *why = (struct reason){.changed = m->by_word, .was_known = m->known[i], .old = m->old[i], .new = value};
    bool differs = known && m->known[i] && value != m->old[i];
    if (s->kind == STOP_TRUE)
        differs = known && value != 0 && !(m->known[i] && m->old[i] != 0);
    m->known[i] = known;
    m->old[i] = known ? value : 0;
    return differs;
}

static bool is_at(struct machine *m, int i, enum event e, struct reason *why)
{
    const struct stop *s = &m->d->stop[i];
    switch (s->kind) {
    case STOP_WORD: return e == EVENT_WORD && cop_pc(m->cop) == s->word;
    case STOP_CLASS: return e == EVENT_WORD && is_class(m, s);
    case STOP_INTERRUPT: return e == EVENT_INTERRUPT;
    case STOP_DROP: return e == EVENT_DROP;
    case STOP_CHANGE:
    case STOP_TRUE: return has_changed(m, i, why);
    case STOP_GUEST:
    case STOP_FREE: break;
    }
    return false;
}

static bool holds(struct debugger *d, const struct stop *s, struct machine *m)
{
    struct formula_scope scope = machine_scope(m);
    struct errmsg err;
    uint64_t value;
    (void)d;
    return s->condition == NULL || (formula_value(s->condition, &scope, &value, &err) == ST_OK && value != 0);
}

bool stops_ignore(struct stop *s)
{
    s->hits++;
    if (s->ignore == 0)
        return false;
    s->ignore--;
    return true;
}

/* Notes what a scan has passed. */
static void note_hit(struct machine *m, const struct reason *why)
{
    if (m->hit_count == m->hit_room) {
        m->hit_room = m->hit_room * 2 + 256;
        m->hits = xrealloc(m->hits, m->hit_room * sizeof *m->hits);
    }
    m->hits[m->hit_count++] = (struct hit){machine_at(m), *why};
}

bool stops_reason(struct machine *m, enum event e, struct reason *why)
{
    struct debugger *d = m->d;
    bool found = false;
    *why = (struct reason){.kind = REASON_GOAL};
    for (int i = 0; i < MAX_STOPS && m->mode != RUN_TO_GOAL; i++) {
        struct stop *s = &d->stop[i];
        struct reason this = {.kind = REASON_GOAL};
        if (s->kind == STOP_FREE || !s->enabled || !is_at(m, i, e, &this) || !holds(d, s, m))
            continue;
        this.kind = REASON_STOP;
        this.stop = i;
        this.event = e;
        if (m->mode == RUN_SCAN)
            note_hit(m, &this); /* whether it is ignored is known when all that came later are */
        if (found || (m->mode != RUN_SCAN && stops_ignore(s)))
            continue;
        found = true;
        *why = this;
    }
    if (!found)
        *why = (struct reason){.kind = e == EVENT_FAULT ? REASON_FAULT : REASON_GOAL, .event = e};
    if (why->kind == REASON_FAULT)
        found = true;
    else if (goal_is_reached(m, e)) {
        found = true;
        if (m->mode == RUN_SCAN) /* it counts where every stop is ignored */
            note_hit(m, &(struct reason){.kind = REASON_GOAL, .event = e});
    }
    if (m->mode == RUN_SCAN && why->kind == REASON_FAULT)
        note_hit(m, why);
    return found;
}

void stops_look(struct machine *m)
{
    struct reason why;
    for (int i = 0; i < MAX_STOPS; i++)
        if (m->d->stop[i].kind == STOP_CHANGE || m->d->stop[i].kind == STOP_TRUE)
            (void)has_changed(m, i, &why);
    m->by_word = false;
}

bool stops_on_guest(struct debugger *d, uint64_t pc, struct reason *why)
{
    for (int i = 0; i < MAX_STOPS; i++) {
        struct stop *s = &d->stop[i];
        if (s->kind == STOP_GUEST && s->enabled && s->pc == pc && holds(d, s, &d->live) && !stops_ignore(s)) {
            *why = (struct reason){.kind = REASON_STOP, .stop = i};
            return true;
        }
    }
    return false;
}

/* ---- the table ---- */

static void count_guest_stops(struct debugger *d)
{
    d->guest_stops = 0;
    for (int i = 0; i < MAX_STOPS; i++)
        d->guest_stops += d->stop[i].kind == STOP_GUEST && d->stop[i].enabled;
}

static void remove_stop(struct debugger *d, struct stop *s)
{
    free(s->text);
    free(s->condition_text);
    formula_free(s->condition);
    formula_free(s->watched);
    *s = (struct stop){.kind = STOP_FREE};
    count_guest_stops(d);
}

void stops_free(struct debugger *d)
{
    for (int i = 0; i < MAX_STOPS; i++)
        remove_stop(d, &d->stop[i]);
}

static const char *kind_name(const struct stop *s) { return s->kind == STOP_CHANGE || s->kind == STOP_TRUE ? "watchpoint" : "breakpoint"; }

void stops_describe(struct debugger *d, const struct reason *why, const struct machine *m)
{
    struct stop *s = &d->stop[why->stop];
    fprintf(d->out, "%s %u, %s", kind_name(s), s->number, s->text);
    if (s->kind == STOP_CHANGE)
        fprintf(d->out, ": %llu -> %llu", (unsigned long long)why->old, (unsigned long long)why->new);
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
        remove_stop(d, s);
}

static struct stop *new_stop(struct debugger *d, struct errmsg *err)
{
    for (int i = 0; i < MAX_STOPS; i++)
        if (d->stop[i].kind == STOP_FREE) {
            d->live.known[i] = d->past.known[i] = false;
            d->stop[i].number = d->next_number + 1;
            return &d->stop[i];
        }
    (void)fail(err, ST_RANGE, "there are %d breakpoints and watchpoints already: delete one", MAX_STOPS);
    return NULL;
}

static struct stop *find_stop(struct debugger *d, uint64_t number, struct errmsg *err)
{
    for (int i = 0; i < MAX_STOPS; i++)
        if (d->stop[i].kind != STOP_FREE && d->stop[i].number == number)
            return &d->stop[i];
    (void)fail(err, ST_INPUT, "there is no breakpoint or watchpoint %llu", (unsigned long long)number);
    return NULL;
}

static bool is_word_of(const char *text, const char *word, const char **rest)
{
    size_t n = strlen(word);
    if (strncmp(text, word, n) != 0 || (text[n] != '\0' && text[n] != ' '))
        return false;
    *rest = text + n + strspn(text + n, " ");
    return true;
}

static enum status parse_class(const char *args, const char **rest, struct stop *s, struct errmsg *err)
{
    char name[32];
    size_t n = strcspn(args, " ");
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), args);
    int c = opclass_find(name);
    if (c < 0)
        return fail(err, ST_INPUT, "expected an opcode class, found '%s'", name);
    s->kind = STOP_CLASS;
    s->opclass = (enum opclass)c;
    *rest = args + n + strspn(args + n, " ");
    return ST_OK;
}

/* The address of a guest's instruction: a symbol, or an expression. */
static enum status parse_guest(struct debugger *d, const char *args, const char **rest, struct stop *s, struct errmsg *err)
{
    size_t n = strcspn(args, " ");
    char name[WORD_TEXT];
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), args);
    s->kind = STOP_GUEST;
    if (d->s.guest_symbol == NULL)
        return fail(err, ST_INPUT, "there is no guest to stop at");
    if (n > 0 && d->s.guest_symbol(d->s.ctx, name, &s->pc)) {
        *rest = args + n + strspn(args + n, " ");
        return ST_OK;
    }
    if (n > 0 && isalpha((unsigned char)name[0]))
        return fail(err, ST_INPUT, "the guest has no symbol '%s'", name);
    return arg_value(d, args, rest, &s->pc, err);
}

static enum status parse_place(struct debugger *d, const char *args, const char **rest, struct stop *s, struct errmsg *err)
{
    if (is_word_of(args, "interrupt", rest)) {
        s->kind = STOP_INTERRUPT;
        return ST_OK;
    }
    if (is_word_of(args, "drop", rest)) {
        s->kind = STOP_DROP;
        return ST_OK;
    }
    if (is_word_of(args, "class", rest))
        return parse_class(*rest, rest, s, err);
    if (is_word_of(args, "guest", rest))
        return parse_guest(d, *rest, rest, s, err);
    s->kind = STOP_WORD;
    return arg_word(d, args, rest, &s->word, err);
}

/* `if EXPRESSION`, or nothing. */
static enum status parse_condition(struct debugger *d, const char *text, struct stop *s, struct errmsg *err)
{
    const char *rest;
    struct formula_scope scope = machine_scope(d->shown);
    if (*text == '\0')
        return ST_OK;
    if (!is_word_of(text, "if", &rest))
        return fail(err, ST_INPUT, "expected 'if' and a condition, found '%.40s'", text);
    s->condition = formula_parse(rest, NULL, &scope, err);
    if (s->condition == NULL)
        return ST_INPUT;
    s->condition_text = xstrdup(rest);
    return ST_OK;
}

/* Text up to where the condition begins, without blanks behind it. */
static char *text_before(const char *args, const char *rest)
{
    size_t n = (size_t)(rest - args);
    while (n > 0 && args[n - 1] == ' ')
        n--;
    return xasprintf("%.*s", (int)n, args);
}

static void announce(struct debugger *d, struct stop *s)
{
    d->next_number = s->number;
    s->enabled = true;
    count_guest_stops(d);
    fprintf(d->out, "%s %u, %s%s%s\n", kind_name(s), s->number, s->text, s->condition_text ? " if " : "",
            s->condition_text ? s->condition_text : "");
}

static enum status add_breakpoint(struct debugger *d, const char *args, bool temporary, struct errmsg *err)
{
    struct stop *s = new_stop(d, err);
    const char *rest = args;
    if (s == NULL)
        return ST_RANGE;
    s->temporary = temporary;
    enum status st = parse_place(d, args, &rest, s, err);
    if (st == ST_OK)
        st = parse_condition(d, rest, s, err);
    if (st != ST_OK) {
        remove_stop(d, s);
        return st;
    }
    s->text = s->kind == STOP_WORD && rest == args ? xasprintf("%u", s->word) : text_before(args, rest);
    announce(d, s);
    return ST_OK;
}

enum status cmd_break(struct debugger *d, const char *args, struct errmsg *err) { return add_breakpoint(d, args, false, err); }
enum status cmd_tbreak(struct debugger *d, const char *args, struct errmsg *err) { return add_breakpoint(d, args, true, err); }

static enum status parse_watch(struct debugger *d, const char *args, struct stop *s, struct errmsg *err)
{
    struct formula_scope scope = machine_scope(d->shown);
    const char *rest;
    bool truth = is_word_of(args, "if", &rest);
    s->kind = truth ? STOP_TRUE : STOP_CHANGE;
    if (*args == '\0')
        return fail(err, ST_INPUT, "watch what? expected an expression");
    s->watched = formula_parse(truth ? rest : args, &rest, &scope, err);
    if (s->watched == NULL)
        return ST_INPUT;
    s->text = text_before(args, rest);
    return parse_condition(d, rest, s, err);
}

enum status cmd_watch(struct debugger *d, const char *args, struct errmsg *err)
{
    struct stop *s = new_stop(d, err);
    if (s == NULL)
        return ST_RANGE;
    enum status st = parse_watch(d, args, s, err);
    if (st != ST_OK) {
        remove_stop(d, s);
        return st;
    }
    announce(d, s);
    stops_look(&d->live);
    return ST_OK;
}

enum status cmd_breakpoints(struct debugger *d, const char *args, struct errmsg *err)
{
    bool any = false;
    (void)args;
    (void)err;
    for (unsigned n = 1; n <= d->next_number; n++)
        for (int i = 0; i < MAX_STOPS; i++) {
            const struct stop *s = &d->stop[i];
            if (s->kind == STOP_FREE || s->number != n)
                continue;
            any = true;
            fprintf(d->out, "%3u %s%s %s%s%s, hit %llu times", s->number, kind_name(s), s->enabled ? "" : " (disabled)", s->text,
                    s->condition_text ? " if " : "", s->condition_text ? s->condition_text : "", (unsigned long long)s->hits);
            if (s->ignore > 0)
                fprintf(d->out, ", the next %llu ignored", (unsigned long long)s->ignore);
            fputs(s->temporary ? ", once\n" : "\n", d->out);
        }
    if (!any)
        fprintf(d->out, "no breakpoints or watchpoints\n");
    return ST_OK;
}

/* Calls `act` for the one whose number is given, or for all. */
static enum status for_stops(struct debugger *d, const char *args, void (*act)(struct debugger *d, struct stop *s), struct errmsg *err)
{
    uint64_t number;
    if (*args == '\0') {
        for (int i = 0; i < MAX_STOPS; i++)
            if (d->stop[i].kind != STOP_FREE)
                act(d, &d->stop[i]);
        return ST_OK;
    }
    enum status st = arg_count(d, args, 0, &number, err);
    struct stop *s = st == ST_OK ? find_stop(d, number, err) : NULL;
    if (s == NULL)
        return ST_INPUT;
    act(d, s);
    return ST_OK;
}

static void enable(struct debugger *d, struct stop *s)
{
    s->enabled = true;
    count_guest_stops(d);
    stops_look(d->shown);
}

static void disable(struct debugger *d, struct stop *s)
{
    s->enabled = false;
    count_guest_stops(d);
}

enum status cmd_enable(struct debugger *d, const char *args, struct errmsg *err) { return for_stops(d, args, enable, err); }
enum status cmd_disable(struct debugger *d, const char *args, struct errmsg *err) { return for_stops(d, args, disable, err); }
enum status cmd_delete(struct debugger *d, const char *args, struct errmsg *err) { return for_stops(d, args, remove_stop, err); }

/* The number that the arguments begin with, and its breakpoint. */
static struct stop *named_stop(struct debugger *d, const char *args, const char **rest, struct errmsg *err)
{
    char *end;
    uint64_t number = strtoull(args, &end, 10);
    if (end == args || (*end != '\0' && *end != ' ')) {
        (void)fail(err, ST_INPUT, "expected the number of a breakpoint or watchpoint, found '%.40s'", args);
        return NULL;
    }
    *rest = end + strspn(end, " ");
    return find_stop(d, number, err);
}

enum status cmd_ignore(struct debugger *d, const char *args, struct errmsg *err)
{
    const char *rest;
    struct stop *s = named_stop(d, args, &rest, err);
    if (s == NULL)
        return ST_INPUT;
    if (*rest == '\0')
        return fail(err, ST_INPUT, "expected how many times to ignore it");
    enum status st = arg_count(d, rest, 0, &s->ignore, err);
    if (st == ST_OK)
        fprintf(d->out, "the next %llu hits of %s %u are ignored\n", (unsigned long long)s->ignore, kind_name(s), s->number);
    return st;
}

enum status cmd_condition(struct debugger *d, const char *args, struct errmsg *err)
{
    const char *rest;
    struct formula_scope scope = machine_scope(d->shown);
    struct stop *s = named_stop(d, args, &rest, err);
    struct formula *f = NULL;
    if (s == NULL || (*rest != '\0' && (f = formula_parse(rest, NULL, &scope, err)) == NULL))
        return ST_INPUT;
    formula_free(s->condition);
    free(s->condition_text);
    s->condition = f;
    s->condition_text = f != NULL ? xstrdup(rest) : NULL;
    return ST_OK;
}

/* Names mean other registers and words now: what can no longer be understood is disabled. */
void stops_renew(struct debugger *d)
{
    for (int i = 0; i < MAX_STOPS; i++) {
        struct stop *s = &d->stop[i], fresh = {.kind = s->kind};
        struct formula_scope scope = machine_scope(&d->live);
        struct errmsg err;
        const char *rest, *text = s->text;
        bool good = true;
        if (s->kind == STOP_FREE)
            continue;
        if (s->kind == STOP_WORD)
            good = arg_word(d, text, &rest, &fresh.word, &err) == ST_OK;
        if (s->watched != NULL)
            good = (fresh.watched = formula_parse(s->kind == STOP_TRUE ? text + strlen("if ") : text, NULL, &scope, &err)) != NULL;
        if (good && s->condition_text != NULL)
            good = (fresh.condition = formula_parse(s->condition_text, NULL, &scope, &err)) != NULL;
        if (!good) {
            fprintf(d->out, "%s %u is deleted: %s\n", kind_name(s), s->number, err.text);
            formula_free(fresh.watched);
            formula_free(fresh.condition);
            remove_stop(d, s);
            continue;
        }
        formula_free(s->watched);
        formula_free(s->condition);
        s->word = fresh.word;
        s->watched = fresh.watched;
        s->condition = fresh.condition;
        d->live.known[i] = false;
    }
}
