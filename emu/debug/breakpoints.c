/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands for breakpoints and watchpoints. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
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
    for (int i = 0; i < d->stops; i++)
        if (d->stop[i].kind != STOP_FREE && d->stop[i].number == number)
            return &d->stop[i];
    (void)fail(err, ST_INPUT, "there is no breakpoint or watchpoint %llu", (unsigned long long)number);
    return NULL;
}

static enum status fail_class(const char *name, struct errmsg *err)
{
    const char *names[OPCLASS_COUNT];
    for (int c = 0; c < OPCLASS_COUNT; c++)
        names[c] = opclass_name((enum opclass)c);
    return fail(err, ST_INPUT, "expected an opcode class, found '%s'%s", name,
                diag_hint(diag_nearest(name, names, OPCLASS_COUNT)).text);
}

static enum status breakpoints_parse_class(const char *args, const char **rest, struct stop *s, struct errmsg *err)
{
    char name[32];
    size_t n = strcspn(args, " ");
    snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), args);
    int c = opclass_find(name);
    if (c < 0)
        return fail_class(name, err);
    s->kind = STOP_CLASS;
    s->opclass = (enum opclass)c;
    *rest = args + n + strspn(args + n, " ");
    return ST_OK;
}

static enum status parse_place(struct debugger *d, const char *args, const char **rest, struct stop *s,
                               struct errmsg *err)
{
    if (arg_take_word(args, "interrupt", rest)) {
        s->kind = STOP_INTERRUPT;
        return ST_OK;
    }
    if (arg_take_word(args, "drop", rest)) {
        s->kind = STOP_DROP;
        return ST_OK;
    }
    if (arg_take_word(args, "class", rest) && !guest_place_is_label(d, "class", *rest))
        return breakpoints_parse_class(*rest, rest, s, err);
    if (guest_place_is_meant(d, args, rest)) {
        s->kind = STOP_GUEST;
        return guest_place_parse(d, *rest, rest, &s->at, err);
    }
    s->kind = STOP_WORD;
    enum status st = arg_word(d, args, rest, &s->word, err);
    if (st == ST_INPUT && d->s.guest_symbol != NULL) {
        struct errmsg ignored;
        struct guest_places at;
        if (isalpha((unsigned char)args[0]) && guest_place_parse(d, args, rest, &at, &ignored) == ST_OK) {
            guest_place_free(&at);
            return fail(err, st, "'%.*s' is no word of the program but a place in the guest: break guest %.*s",
                        (int)strcspn(args, " "), args, (int)strcspn(args, " "), args);
        }
    }
    return st;
}

/* ST_RANGE and a message if a part of the expression has no value in any state. */
static enum status vet(struct debugger *d, const struct formula *f, const char *text, struct errmsg *err)
{
    struct formula_scope scope = machine_scope(d->shown);
    struct errmsg why;
    enum status st = formula_vet(f, &scope, &why);
    return st == ST_OK ? ST_OK : fail(err, st, "a part of '%.40s' never has a value: %s", text, why.text);
}

/* Parses an optional `if EXPRESSION`. */
static enum status parse_condition(struct debugger *d, const char *text, struct stop *s, struct errmsg *err)
{
    const char *rest;
    struct formula_scope scope = machine_scope(d->shown);
    if (*text == '\0')
        return ST_OK;
    if (!arg_take_word(text, "if", &rest))
        return fail(err, ST_INPUT, "expected 'if' and a condition, found '%.40s'", text);
    s->condition = formula_parse(rest, NULL, &scope, err);
    if (s->condition == NULL)
        return ST_INPUT;
    s->condition_text = xstrdup(rest);
    enum status st = vet(d, s->condition, rest, err);
    return st == ST_OK ? never_check_condition(d, s->condition, rest, err) : st;
}

/* Copies the arguments up to the condition, without trailing blanks. The caller frees the copy. */
static char *text_before(const char *args, const char *rest)
{
    size_t n = (size_t)(rest - args);
    while (n > 0 && args[n - 1] == ' ')
        n--;
    return xasprintf("%.*s", (int)n, args);
}

/* Prints the word that a source line was resolved to, with that word's own line; or the guest's instructions. */
static void print_landing(struct debugger *d, const struct stop *s)
{
    char name[WORD_TEXT];
    if (s->kind == STOP_GUEST && s->at.is_line)
        guest_place_print(d, &s->at);
    if (s->kind != STOP_WORD || strchr(s->text, ':') == NULL)
        return;
    show_word_name(d->image, s->word, name, sizeof name);
    fprintf(d->out, ": word %u (%s), line %u", s->word, name, d->image->word_line[s->word]);
}

static void announce(struct debugger *d, struct stop *s)
{
    d->next_number = s->number;
    s->enabled = true;
    stops_count(d);
    fprintf(d->out, "%s %u, %s%s%s", stops_kind_name(s), s->number, s->text, s->condition_text ? " if " : "",
            s->condition_text ? s->condition_text : "");
    print_landing(d, s);
    fputc('\n', d->out);
}

static enum status add_breakpoint(struct debugger *d, const char *args, bool temporary, struct errmsg *err)
{
    struct stop *s = new_stop(d, err);
    const char *rest = args;
    char *warning = NULL;
    if (s == NULL)
        return ST_RANGE;
    s->temporary = temporary;
    enum status st = parse_place(d, args, &rest, s, err);
    if (st == ST_OK)
        st = parse_condition(d, rest, s, err);
    if (st == ST_OK)
        st = never_check(d, s, &warning, err);
    if (st != ST_OK) {
        stops_remove(d, s);
        return st;
    }
    s->text = s->kind == STOP_WORD && rest == args ? xasprintf("%u", s->word) : text_before(args, rest);
    announce(d, s);
    if (warning != NULL)
        fprintf(d->out, "warning: %s\n", warning);
    free(warning);
    return ST_OK;
}

enum status cmd_break(struct debugger *d, const char *args, struct errmsg *err)
{
    return add_breakpoint(d, args, false, err);
}
enum status cmd_tbreak(struct debugger *d, const char *args, struct errmsg *err)
{
    return add_breakpoint(d, args, true, err);
}

static enum status parse_watch(struct debugger *d, const char *args, struct stop *s, struct errmsg *err)
{
    struct formula_scope scope = machine_scope(d->shown);
    const char *rest;
    bool truth = arg_take_word(args, "if", &rest);
    s->kind = truth ? STOP_TRUE : STOP_CHANGE;
    if (*args == '\0')
        return fail(err, ST_INPUT, "watch what? expected an expression");
    const char *watched = truth ? rest : args;
    s->watched = formula_parse(watched, &rest, &scope, err);
    if (s->watched == NULL)
        return ST_INPUT;
    s->text = text_before(args, rest);
    char *text = text_before(watched, rest);
    enum status st = vet(d, s->watched, text, err);
    if (st == ST_OK && formula_is_constant(s->watched))
        st = fail(err, ST_INPUT, "'%.40s' is constant: expected %s that can change, of registers, fields or arrays",
                  text, truth ? "a condition" : "an expression");
    free(text);
    return st == ST_OK ? parse_condition(d, rest, s, err) : st;
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
    stops_sample_values(&d->live);
    return ST_OK;
}

enum status cmd_breakpoints(struct debugger *d, const char *args, struct errmsg *err)
{
    bool any = false;
    (void)args;
    (void)err;
    for (unsigned n = 1; n <= d->next_number; n++)
        for (int i = 0; i < d->stops; i++) {
            const struct stop *s = &d->stop[i];
            if (s->kind == STOP_FREE || s->number != n)
                continue;
            any = true;
            fprintf(d->out, "%3u %s%s %s%s%s, hit %llu time%s", s->number, stops_kind_name(s),
                    s->enabled ? "" : " (disabled)", s->text, s->condition_text ? " if " : "",
                    s->condition_text ? s->condition_text : "", (unsigned long long)s->hits, s->hits == 1 ? "" : "s");
            if (s->ignore > 0)
                fprintf(d->out, ", the next %llu ignored", (unsigned long long)s->ignore);
            fputs(s->temporary ? ", once\n" : "\n", d->out);
        }
    if (!any)
        fprintf(d->out, "no breakpoints or watchpoints\n");
    return ST_OK;
}

/* Parses the breakpoint number at the start of the arguments and looks up the breakpoint. */
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

/* Calls `act` for each breakpoint whose number is given; without numbers, for all. */
static enum status for_stops(struct debugger *d, const char *args, void (*act)(struct debugger *d, struct stop *s),
                             struct errmsg *err)
{
    if (*args == '\0') {
        for (int i = 0; i < d->stops; i++)
            if (d->stop[i].kind != STOP_FREE)
                act(d, &d->stop[i]);
        return ST_OK;
    }
    while (*args != '\0') {
        struct stop *s = named_stop(d, args, &args, err);
        if (s == NULL)
            return ST_INPUT;
        act(d, s);
    }
    return ST_OK;
}

static void enable(struct debugger *d, struct stop *s)
{
    s->enabled = true;
    stops_count(d);
    stops_sample_values(d->shown);
}

static void disable(struct debugger *d, struct stop *s)
{
    s->enabled = false;
    stops_count(d);
}

enum status cmd_enable(struct debugger *d, const char *args, struct errmsg *err)
{
    return for_stops(d, args, enable, err);
}
enum status cmd_disable(struct debugger *d, const char *args, struct errmsg *err)
{
    return for_stops(d, args, disable, err);
}
enum status cmd_delete(struct debugger *d, const char *args, struct errmsg *err)
{
    return for_stops(d, args, stops_remove, err);
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
        fprintf(d->out, "the next %llu hit%s of %s %u %s ignored\n", (unsigned long long)s->ignore,
                s->ignore == 1 ? "" : "s", stops_kind_name(s), s->number, s->ignore == 1 ? "is" : "are");
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
    if (f != NULL && (vet(d, f, rest, err) != ST_OK || never_check_condition(d, f, rest, err) != ST_OK)) {
        formula_free(f);
        return ST_RANGE;
    }
    formula_free(s->condition);
    free(s->condition_text);
    s->condition = f;
    s->has_failed = false;
    s->condition_text = f != NULL ? xstrdup(rest) : NULL;
    return ST_OK;
}

/* Parses the place of a stop, and its expressions, once more into `fresh`. An address in the guest stays. */
static enum status parse_again(struct debugger *d, const struct stop *s, struct stop *fresh, struct errmsg *err)
{
    const struct formula_scope scope = machine_scope(&d->live);
    const char *rest, *text = s->text, *place = text + strlen("guest ");
    enum status st = ST_OK;
    *fresh = (struct stop){.kind = s->kind, .word = s->word, .at = s->at};
    if (s->kind == STOP_WORD)
        st = arg_word(d, text, &rest, &fresh->word, err);
    if (s->kind == STOP_WORD && st == ST_OK)
        st = never_check_word(d, fresh->word, err);
    if (s->kind == STOP_GUEST && !guest_place_is_address(place))
        st = guest_place_parse(d, place, &rest, &fresh->at, err);
    if (s->watched != NULL) {
        fresh->watched = formula_parse(s->kind == STOP_TRUE ? text + strlen("if ") : text, NULL, &scope, err);
        st = fresh->watched != NULL ? ST_OK : ST_INPUT;
    }
    if (st == ST_OK && s->condition_text != NULL) {
        fresh->condition = formula_parse(s->condition_text, NULL, &scope, err);
        st = fresh->condition != NULL ? ST_OK : ST_INPUT;
    }
    return st;
}

/* Re-parses all places and expressions after a change of names; deletes stops that no longer parse. */
void breakpoints_renew(struct debugger *d)
{
    for (int i = 0; i < d->stops; i++) {
        struct stop *s = &d->stop[i], fresh;
        struct errmsg err;
        if (s->kind == STOP_FREE)
            continue;
        if (parse_again(d, s, &fresh, &err) != ST_OK) {
            fprintf(d->out, "%s %u is deleted: %s\n", stops_kind_name(s), s->number, err.text);
            formula_free(fresh.watched);
            formula_free(fresh.condition);
            if (fresh.at.pc != s->at.pc)
                guest_place_free(&fresh.at);
            stops_remove(d, s);
            continue;
        }
        formula_free(s->watched);
        formula_free(s->condition);
        s->word = fresh.word;
        if (fresh.at.pc != s->at.pc)
            guest_place_free(&s->at);
        s->at = fresh.at;
        s->watched = fresh.watched;
        s->condition = fresh.condition;
        s->has_failed = false;
        d->live.known[i] = false;
    }
}
