/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands on breakpoints and watchpoints. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/debugger.h"

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
    stops_count_guest(d);
    fprintf(d->out, "%s %u, %s%s%s\n", stops_kind_name(s), s->number, s->text, s->condition_text ? " if " : "",
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
        stops_remove(d, s);
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
        stops_remove(d, s);
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
            fprintf(d->out, "%3u %s%s %s%s%s, hit %llu times", s->number, stops_kind_name(s), s->enabled ? "" : " (disabled)", s->text,
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
    stops_count_guest(d);
    stops_look(d->shown);
}

static void disable(struct debugger *d, struct stop *s)
{
    s->enabled = false;
    stops_count_guest(d);
}

enum status cmd_enable(struct debugger *d, const char *args, struct errmsg *err) { return for_stops(d, args, enable, err); }
enum status cmd_disable(struct debugger *d, const char *args, struct errmsg *err) { return for_stops(d, args, disable, err); }
enum status cmd_delete(struct debugger *d, const char *args, struct errmsg *err) { return for_stops(d, args, stops_remove, err); }

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
        fprintf(d->out, "the next %llu hits of %s %u are ignored\n", (unsigned long long)s->ignore, stops_kind_name(s), s->number);
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
void breakpoints_renew(struct debugger *d)
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
            fprintf(d->out, "%s %u is deleted: %s\n", stops_kind_name(s), s->number, err.text);
            formula_free(fresh.watched);
            formula_free(fresh.condition);
            stops_remove(d, s);
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
