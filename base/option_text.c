/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options behind a name. Entry points: option_text.h. */
#include "base/option_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/diag.h"
#include "base/number.h"

enum { MAX_NAMES = 128, LIST = 512, HINT = 64 };

/* Prefix of error messages: "WHO: NAME: ". */
struct context {
    const char *who, *name;
};

/* Names for an error. */
struct name_list {
    const char *name[MAX_NAMES];
    unsigned count;
};

static void option_text_add_name(struct name_list *n, const char *name)
{
    if (n->count == MAX_NAMES)
        BUG("more than %d names", MAX_NAMES);
    n->name[n->count++] = name;
}

static struct diag_hint nearest(const char *text, const struct name_list *names)
{
    return diag_aside(diag_nearest(text, names->name, names->count));
}

static void option_text_append(char list[LIST], const char *between, const char *text, const char *after)
{
    size_t length = strlen(list);
    snprintf(list + length, LIST - length, "%s%s%s", between, text, after);
}

enum status option_text_unknown(const char *who, const char *what, const char *name, const char *const *names,
                                unsigned count, struct errmsg *err)
{
    char list[LIST] = "";
    for (unsigned i = 0; i < count; i++)
        option_text_append(list, i > 0 ? ", " : "", names[i], "");
    if (name[0] == '\0')
        return fail(err, ST_INPUT, "%s: expected the name of a %s; there are %s", who, what, list);
    return fail(err, ST_INPUT, "%s: there is no %s '%s'%s; there are %s", who, what, name,
                diag_aside(diag_nearest(name, names, count)).text, list);
}

/* Syntax after the option's name. */
static const char *argument_of(const struct text_option *o)
{
    return o->choices != NULL ? "=NAME[+NAME...]" : o->unit != NULL ? "=N" : "";
}

/* Error for an unknown option; lists the options as "period=N, random and seed=N". */
static enum status no_such_option(const struct context *c, const char *text, const struct text_option *options,
                                  struct errmsg *err)
{
    struct name_list names = {.count = 0};
    char list[LIST] = "", *name = xstrdup(text);
    name[strcspn(name, "=")] = '\0';
    for (const struct text_option *o = options; o->name != NULL; o++) {
        option_text_append(list, o == options ? "" : o[1].name == NULL ? " and " : ", ", o->name, argument_of(o));
        option_text_add_name(&names, o->name);
    }
    const struct diag_hint hint = nearest(name, &names);
    free(name);
    if (text[0] == '\0')
        return fail(err, ST_INPUT, "%s: %s: expected an option after ':'; there are %s", c->who, c->name, list);
    return fail(err, ST_INPUT, "%s: %s has no option '%s'%s; there are %s", c->who, c->name, text, hint.text, list);
}

static enum status option_text_parse_number(const struct context *c, const struct text_option *o, const char *digits,
                                            uint64_t *out, struct errmsg *err)
{
    uint64_t v;
    enum status st = number_parse(digits, &v);
    if (st == ST_INPUT)
        return fail(err, ST_INPUT, "%s: %s: expected a number after '%s=', found '%s'", c->who, c->name, o->name,
                    digits);
    if (st != ST_OK || v < o->least || v > o->most)
        return fail(err, ST_RANGE, "%s: %s: expected from %" PRIu64 " to %" PRIu64 " %s after '%s=', found '%s'",
                    c->who, c->name, o->least, o->most, o->unit, o->name, digits);
    *out = v;
    return ST_OK;
}

/* Adds the bits of the choice with this name. */
static enum status parse_choice(const struct context *c, const struct text_option *o, const char *name, uint64_t *bits,
                                struct errmsg *err)
{
    struct name_list names = {.count = 0};
    for (const struct text_choice *choice = o->choices; choice->name != NULL; choice++) {
        if (choice->name[0] == '\0')
            continue;
        if (strcasecmp(choice->name, name) == 0) {
            if ((*bits & choice->bits) != 0)
                return fail(err, ST_INPUT, "%s: %s: the %s '%s' is given twice", c->who, c->name, o->choice, name);
            *bits |= choice->bits;
            return ST_OK;
        }
        option_text_add_name(&names, choice->name);
    }
    const char *alias = o->alias != NULL ? o->alias(name) : NULL;
    return fail(err, ST_INPUT, "%s: %s: there is no %s '%s'%s; %s help lists them", c->who, c->name, o->choice, name,
                nearest(alias != NULL ? alias : name, &names).text, c->who);
}

/* Parses "NAME+NAME". */
static enum status parse_choices(const struct context *c, const struct text_option *o, const char *text, uint64_t *out,
                                 struct errmsg *err)
{
    char *copy = xstrdup(text);
    enum status st = ST_OK;
    *out = 0;
    for (char *name = copy, *next; st == ST_OK && name != NULL; name = next) {
        next = strchr(name, '+');
        if (next != NULL)
            *next++ = '\0';
        st = parse_choice(c, o, name, out, err);
    }
    free(copy);
    return st;
}

/* Parses the value in `text`: "OPTION" or "OPTION=VALUE". */
static enum status parse_value(const struct context *c, const struct text_option *o, const char *text, uint64_t *out,
                               struct errmsg *err)
{
    const char *argument = text + strlen(o->name) + 1;
    if (o->choices != NULL)
        return parse_choices(c, o, argument, out, err);
    if (o->unit != NULL)
        return option_text_parse_number(c, o, argument, out, err);
    *out = 1;
    return ST_OK;
}

/* Parses one option; *given is the bit mask of the options parsed so far. */
static enum status parse_option(const struct context *c, const char *text, const struct text_option *options,
                                uint64_t *value, uint32_t *given, struct errmsg *err)
{
    for (unsigned i = 0; options[i].name != NULL; i++) {
        const struct text_option *o = &options[i];
        size_t length = strlen(o->name);
        if (strncasecmp(text, o->name, length) != 0 || (text[length] != '\0' && text[length] != '='))
            continue;
        if (text[length] != argument_of(o)[0])
            return fail(err, ST_INPUT, "%s: %s: expected '%s%s', found '%s'", c->who, c->name, o->name, argument_of(o),
                        text);
        if ((*given >> i & 1) != 0)
            return fail(err, ST_INPUT, "%s: %s: the option '%s' is given twice", c->who, c->name, o->name);
        *given |= 1U << i;
        return parse_value(c, o, text, &value[i], err);
    }
    return no_such_option(c, text, options, err);
}

enum status option_text_parse(const char *who, const char *name, char *text, const struct text_option *options,
                              uint64_t *value, uint32_t *given, struct errmsg *err)
{
    const struct context c = {who, name};
    enum status st = ST_OK;
    for (char *next = text, *option; st == ST_OK && (option = next) != NULL;) {
        next = strchr(option, ':');
        if (next != NULL)
            *next++ = '\0';
        st = parse_option(&c, option, options, value, given, err);
    }
    for (unsigned i = 0; st == ST_OK && options[i].name != NULL; i++)
        if (options[i].required && (*given >> i & 1) == 0)
            st = fail(err, ST_INPUT, "%s: '%s' needs the option '%s%s'; %s help lists the names", who, name,
                      options[i].name, argument_of(&options[i]), who);
    return st;
}

enum { MARGIN = 15, WIDTH = 118 };

/* Prints a word behind the text that ends in `column`, in a new line if it does not fit. Returns the new column. */
static size_t option_text_print_word(const char *word, size_t column, FILE *out)
{
    if (column + 1 + strlen(word) > WIDTH)
        column = (size_t)fprintf(out, "\n%*s", MARGIN - 1, "") - 1;
    return column + (size_t)fprintf(out, " %s", word);
}

/* Prints "  event: retired cycles ...". */
static void print_choices(const struct text_option *o, FILE *out)
{
    size_t column = (size_t)fprintf(out, "%*s%s:", MARGIN, "", o->name);
    for (const struct text_choice *c = o->choices; c->name != NULL; c++)
        if (c->name[0] != '\0')
            column = option_text_print_word(c->name, column, out);
    fputc('\n', out);
}

/* Formats the default value of an option as " (10007 cycles)"; "" for required options and flags. */
static void describe_otherwise(const struct text_option *o, char text[HINT])
{
    text[0] = '\0';
    if (o->usual != NULL)
        snprintf(text, HINT, " (%s)", o->usual);
    else if (o->unit != NULL && o->otherwise == TEXT_OPTION_SEED)
        snprintf(text, HINT, " (that of --seed)");
    else if (o->unit != NULL && o->otherwise >= o->least)
        snprintf(text, HINT, " (%" PRIu64 " %.*s)", o->otherwise, (int)strlen(o->unit) - (o->otherwise == 1), o->unit);
}

void option_text_print(const struct text_option *options, FILE *out)
{
    fputc('\n', out);
    if (options == NULL || options->name == NULL)
        return;
    size_t column = (size_t)fprintf(out, "%*s", MARGIN - 1, "");
    for (const struct text_option *o = options; o->name != NULL; o++) {
        char otherwise[HINT];
        describe_otherwise(o, otherwise);
        char *word = xasprintf(":%s%s%s", o->name, argument_of(o), otherwise);
        column = option_text_print_word(word, column, out);
        free(word);
    }
    fputc('\n', out);
    for (const struct text_option *o = options; o->name != NULL; o++)
        if (o->choices != NULL)
            print_choices(o, out);
}

static void print_option_meaning(const struct text_option *o, FILE *out)
{
    char otherwise[HINT];
    describe_otherwise(o, otherwise);
    if (o->choices != NULL)
        fprintf(out, "one %s or several, joined by +", o->choice);
    else if (o->unit == NULL)
        fputs("a flag", out);
    else if (o->most == UINT64_MAX)
        fprintf(out, "%s, at least %" PRIu64, o->unit, o->least);
    else
        fprintf(out, "%s, %" PRIu64 " to %" PRIu64, o->unit, o->least, o->most);
    if (otherwise[0] != '\0') /* " (TEXT)" */
        fprintf(out, "; default %.*s", (int)strlen(otherwise) - 3, otherwise + 2);
    if (o->required)
        fputs("; required", out);
}

void option_text_print_words(const char *name, const char *help, const struct text_option *options, FILE *out)
{
    fprintf(out, "%s\t%s\n", name, help);
    for (const struct text_option *o = options; o != NULL && o->name != NULL; o++) {
        fprintf(out, "%s:%s%s\t", name, o->name, o->choices != NULL || o->unit != NULL ? "=" : "");
        print_option_meaning(o, out);
        fputc('\n', out);
        for (const struct text_choice *c = o->choices; c != NULL && c->name != NULL; c++)
            if (c->name[0] != '\0')
                fprintf(out, "%s:%s=%s\t\n", name, o->name, c->name);
    }
}
