/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options behind a name. Entry points: option_text.h. */
#include "isa/support/option_text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isa/support/diag.h"

enum { MAX_OPTIONS = 32, LIST = 512, HINT = 64 };

static void find_nearest(const char *text, const char *const *names, unsigned count, char hint[HINT])
{
    const char *near = diag_nearest(text, names, count);
    hint[0] = '\0';
    if (near != NULL)
        snprintf(hint, HINT, " (did you mean '%s'?)", near);
}

static void append(char list[LIST], const char *between, const char *text, const char *after)
{
    size_t length = strlen(list);
    snprintf(list + length, LIST - length, "%s%s%s", between, text, after);
}

enum status option_text_unknown(const char *who, const char *what, const char *name, const char *const *names,
                                unsigned count, struct errmsg *err)
{
    char list[LIST] = "", hint[HINT];
    for (unsigned i = 0; i < count; i++)
        append(list, i > 0 ? ", " : "", names[i], "");
    find_nearest(name, names, count, hint);
    return fail(err, ST_INPUT, "%s: there is no %s '%s'%s; there are %s", who, what, name, hint, list);
}

/* Says "period=N, random and seed=N". */
static enum status no_such_option(const char *who, const char *text, const struct text_option *options,
                                  struct errmsg *err)
{
    const char *names[MAX_OPTIONS];
    unsigned count = 0;
    char list[LIST] = "", hint[HINT], *name = xstrdup(text);
    name[strcspn(name, "=")] = '\0';
    for (const struct text_option *o = options; o->name != NULL; o++) {
        if (count == MAX_OPTIONS)
            BUG("more than %d options", MAX_OPTIONS);
        append(list, o == options ? "" : o[1].name == NULL ? " and " : ", ", o->name, o->unit != NULL ? "=N" : "");
        names[count++] = o->name;
    }
    find_nearest(name, names, count, hint);
    free(name);
    return fail(err, ST_INPUT, "%s: unknown option '%s'%s; there are %s", who, text, hint, list);
}

static enum status parse_number(const char *who, const struct text_option *o, const char *text, uint64_t *out,
                                struct errmsg *err)
{
    const char *digits = text + strlen(o->name) + 1;
    char *end;
    errno = 0;
    unsigned long long v = strtoull(digits, &end, 0);
    if (!isdigit((unsigned char)digits[0]) || *end != '\0')
        return fail(err, ST_INPUT, "%s: expected a number after '%s=', found '%s'", who, o->name, digits);
    if (v < o->least || v > o->most || errno != 0)
        return fail(err, ST_RANGE, "%s: expected from %" PRIu64 " to %" PRIu64 " %s after '%s=', found '%s'", who,
                    o->least, o->most, o->unit, o->name, digits);
    *out = v;
    return ST_OK;
}

static enum status parse_option(const char *who, const char *text, const struct text_option *options, uint64_t *value,
                                uint32_t *given, struct errmsg *err)
{
    for (unsigned i = 0; options[i].name != NULL; i++) {
        const struct text_option *o = &options[i];
        size_t length = strlen(o->name);
        if (strncmp(text, o->name, length) != 0 || (text[length] != '\0' && text[length] != '='))
            continue;
        if (text[length] != (o->unit != NULL ? '=' : '\0'))
            return fail(err, ST_INPUT, "%s: expected '%s%s', found '%s'", who, o->name, o->unit != NULL ? "=N" : "",
                        text);
        if ((*given >> i & 1) != 0)
            return fail(err, ST_INPUT, "%s: the option '%s' is given twice", who, o->name);
        *given |= 1U << i;
        value[i] = 1;
        return o->unit != NULL ? parse_number(who, o, text, &value[i], err) : ST_OK;
    }
    return no_such_option(who, text, options, err);
}

enum status option_text_parse(const char *who, char *text, const struct text_option *options, uint64_t *value,
                              uint32_t *given, struct errmsg *err)
{
    enum status st = ST_OK;
    for (char *next = text, *option; st == ST_OK && (option = next) != NULL;) {
        next = strchr(option, ':');
        if (next != NULL)
            *next++ = '\0';
        st = parse_option(who, option, options, value, given, err);
    }
    return st;
}
