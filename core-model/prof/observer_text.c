/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observers and their options by name. Entry point: observer_text_parse. */
#include "core-model/prof/observer_text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isa/support/diag.h"

enum { MAX_NAMES = 128, LIST = 512 };

/* Names for an error: the nearest one and the list of all. */
struct name_list {
    const char *name[MAX_NAMES];
    unsigned count;
    char list[LIST], hint[64];
};

static void add_name(struct name_list *n, const char *name)
{
    if (n->count == MAX_NAMES)
        BUG("more than %d names", MAX_NAMES);
    n->name[n->count++] = name;
}

static void find_nearest(struct name_list *n, const char *text)
{
    const char *near = diag_nearest(text, n->name, n->count);
    n->hint[0] = '\0';
    if (near != NULL)
        snprintf(n->hint, sizeof n->hint, " (did you mean '%s'?)", near);
}

static void append(struct name_list *n, const char *between, const char *text, const char *after)
{
    size_t length = strlen(n->list);
    snprintf(n->list + length, sizeof n->list - length, "%s%s%s", between, text, after);
}

static const struct observer_kind *find_kind(const char *name, const struct observer_kind *const *kinds, unsigned count,
                                             struct errmsg *err)
{
    struct name_list names = {.count = 0};
    for (unsigned i = 0; i < count; i++) {
        if (kinds[i]->create == NULL)
            continue;
        if (strcmp(kinds[i]->name, name) == 0)
            return kinds[i];
        append(&names, names.count > 0 ? ", " : "", kinds[i]->name, "");
        add_name(&names, kinds[i]->name);
    }
    find_nearest(&names, name);
    (void)fail(err, ST_INPUT, "--profile: there is no profiler '%s'%s; there are %s", name, names.hint, names.list);
    return NULL;
}

/* What follows the option's name. */
static const char *argument_of(const struct observer_option *o)
{
    return o->choices != NULL ? "=NAME[+NAME...]" : o->unit != NULL ? "=N" : "";
}

/* "period=N, random and seed=N" */
static void list_options(struct name_list *names, const struct observer_option *options)
{
    for (const struct observer_option *o = options; o->name != NULL; o++) {
        append(names, o == options ? "" : o[1].name == NULL ? " and " : ", ", o->name, argument_of(o));
        add_name(names, o->name);
    }
}

static enum status no_such_option(const struct observer_kind *kind, const char *text, struct errmsg *err)
{
    struct name_list names = {.count = 0};
    char *name = xstrdup(text);
    name[strcspn(name, "=")] = '\0';
    list_options(&names, kind->options);
    find_nearest(&names, name);
    free(name);
    return fail(err, ST_INPUT, "--profile: unknown option '%s'%s; there are %s", text, names.hint, names.list);
}

static enum status parse_number(const struct observer_option *o, const char *text, uint64_t *out, struct errmsg *err)
{
    const char *digits = text + strlen(o->name) + 1;
    char *end;
    errno = 0;
    unsigned long long v = strtoull(digits, &end, 0);
    if (!isdigit((unsigned char)digits[0]) || *end != '\0')
        return fail(err, ST_INPUT, "--profile: expected a number after '%s=', found '%s'", o->name, digits);
    if (v < o->least || v > o->most || errno != 0)
        return fail(err, ST_RANGE, "--profile: expected from %" PRIu64 " to %" PRIu64 " %s after '%s=', found '%s'",
                    o->least, o->most, o->unit, o->name, digits);
    *out = v;
    return ST_OK;
}

/* Adds the bits of a choice, by its name. */
static enum status parse_choice(const struct observer_option *o, const char *name, uint64_t *bits, struct errmsg *err)
{
    struct name_list names = {.count = 0};
    for (const struct observer_choice *c = o->choices; c->name != NULL; c++) {
        if (c->name[0] == '\0')
            continue;
        if (strcmp(c->name, name) == 0) {
            if ((*bits & c->bits) != 0)
                return fail(err, ST_INPUT, "--profile: the %s '%s' is given twice", o->choice, name);
            *bits |= c->bits;
            return ST_OK;
        }
        add_name(&names, c->name);
    }
    find_nearest(&names, name);
    return fail(err, ST_INPUT, "--profile: there is no %s '%s'%s; --profile help lists them", o->choice, name,
                names.hint);
}

/* "NAME+NAME" */
static enum status parse_choices(const struct observer_option *o, const char *text, uint64_t *out, struct errmsg *err)
{
    char *copy = xstrdup(text + strlen(o->name) + 1);
    enum status st = ST_OK;
    *out = 0;
    for (char *name = copy, *next; st == ST_OK && name != NULL; name = next) {
        next = strchr(name, '+');
        if (next != NULL)
            *next++ = '\0';
        st = parse_choice(o, name, out, err);
    }
    free(copy);
    return st;
}

static enum status parse_value(const struct observer_option *o, const char *text, uint64_t *out, struct errmsg *err)
{
    if (o->choices != NULL)
        return parse_choices(o, text, out, err);
    *out = 1;
    return o->unit != NULL ? parse_number(o, text, out, err) : ST_OK;
}

/* The bits of *given are the options before this one. */
static enum status parse_option(const struct observer_kind *kind, const char *text, struct observer_setup *setup,
                                unsigned *given, struct errmsg *err)
{
    for (unsigned i = 0; kind->options[i].name != NULL; i++) {
        const struct observer_option *o = &kind->options[i];
        size_t length = strlen(o->name);
        if (strncmp(text, o->name, length) != 0 || (text[length] != '\0' && text[length] != '='))
            continue;
        if (text[length] != argument_of(o)[0])
            return fail(err, ST_INPUT, "--profile: expected '%s%s', found '%s'", o->name, argument_of(o), text);
        if ((*given >> i & 1) != 0)
            return fail(err, ST_INPUT, "--profile: the option '%s' is given twice", o->name);
        *given |= 1U << i;
        return parse_value(o, text, &setup->option[i], err);
    }
    return no_such_option(kind, text, err);
}

/* After the options: those that are required have been given, and they go together. */
static enum status check(const struct observer_kind *kind, const struct observer_setup *setup, unsigned given,
                         struct errmsg *err)
{
    for (unsigned i = 0; kind->options != NULL && kind->options[i].name != NULL; i++)
        if (kind->options[i].required && (given >> i & 1) == 0)
            return fail(err, ST_INPUT, "--profile: '%s' needs the option '%s%s'; --profile help lists the names",
                        kind->name, kind->options[i].name, argument_of(&kind->options[i]));
    const char *objection = kind->objection != NULL ? kind->objection(setup) : NULL;
    return objection != NULL ? fail(err, ST_RANGE, "--profile: %s: %s", kind->name, objection) : ST_OK;
}

enum status observer_text_parse(char *item, const struct observer_kind *const *kinds, unsigned count, uint64_t seed,
                                const struct observer_kind **kind, struct observer_setup *setup, struct errmsg *err)
{
    char *next = strchr(item, ':');
    if (next != NULL)
        *next++ = '\0';
    *kind = find_kind(item, kinds, count, err);
    if (*kind == NULL)
        return ST_INPUT;
    if (next != NULL && (*kind)->options == NULL)
        return fail(err, ST_INPUT, "--profile: '%s' looks at every cycle and takes no options, found '%s'",
                    (*kind)->name, next);
    *setup = (struct observer_setup){.option = {0}};
    for (unsigned i = 0; (*kind)->options != NULL && (*kind)->options[i].name != NULL; i++) {
        uint64_t otherwise = (*kind)->options[i].otherwise;
        setup->option[i] = otherwise == OBSERVER_SEED ? seed : otherwise;
    }
    enum status st = ST_OK;
    unsigned given = 0;
    for (char *option; st == ST_OK && (option = next) != NULL;) {
        next = strchr(option, ':');
        if (next != NULL)
            *next++ = '\0';
        st = parse_option(*kind, option, setup, &given, err);
    }
    return st == ST_OK ? check(*kind, setup, given, err) : st;
}

/* "             event: retired cycles ...", in lines that are not too long. */
static void print_choices(const struct observer_option *o, FILE *out)
{
    enum { MARGIN = 13, WIDTH = 118 };
    size_t column = (size_t)fprintf(out, "%*s%s:", MARGIN, "", o->name);
    for (const struct observer_choice *c = o->choices; c->name != NULL; c++) {
        if (c->name[0] == '\0')
            continue;
        if (column + 1 + strlen(c->name) > WIDTH)
            column = (size_t)fprintf(out, "\n%*s", MARGIN + 1, "") - 1;
        column += (size_t)fprintf(out, " %s", c->name);
    }
    fputc('\n', out);
}

void observer_text_print_options(const struct observer_kind *kind, FILE *out)
{
    for (const struct observer_option *o = kind->options; o != NULL && o->name != NULL; o++)
        fprintf(out, "%s:%s%s", o == kind->options ? "; " : " ", o->name, argument_of(o));
    fputc('\n', out);
    for (const struct observer_option *o = kind->options; o != NULL && o->name != NULL; o++)
        if (o->choices != NULL)
            print_choices(o, out);
}
