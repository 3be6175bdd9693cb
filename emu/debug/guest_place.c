/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places of the guest in commands: symbols, source lines, addresses. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/place_text.h"
#include "emu/debug/debugger.h"

bool guest_place_is_label(const struct debugger *d, const char *word, const char *rest)
{
    return (*rest == '\0' || strncmp(rest, "if ", strlen("if ")) == 0) && image_find_label(d->image, word) >= 0;
}

bool guest_place_is_meant(const struct debugger *d, const char *args, const char **rest)
{
    return arg_take_word(args, "guest", rest) && !guest_place_is_label(d, "guest", *rest);
}

/* Resolves a symbol of the guest, also in quotes as in gdb; false if there is none. */
static bool guest_place_symbol(struct debugger *d, const char *text, size_t length, uint64_t *pc)
{
    bool quoted = length >= 2 && text[0] == '\'' && text[length - 1] == '\'';
    char *name = quoted ? xasprintf("%.*s", (int)length - 2, text + 1) : xasprintf("%.*s", (int)length, text);
    bool found = d->s.guest_symbol(d->s.ctx, name, pc);
    free(name);
    return found;
}

/* Resolves SYMBOL or SYMBOL+BYTES in the guest; false if the text has another form. */
static bool guest_place_offset(struct debugger *d, const char *text, size_t length, uint64_t *pc)
{
    size_t name_length;
    uint64_t bytes;
    if (guest_place_symbol(d, text, length, pc))
        return true;
    if (place_text_offset(text, length, &name_length, &bytes) != ST_OK ||
        !guest_place_symbol(d, text, name_length, pc) || bytes > UINT64_MAX - *pc)
        return false;
    *pc += bytes;
    return true;
}

/* Length in bytes of a place before a condition. Names of C++ have blanks. */
static size_t place_length(const char *args)
{
    const char *condition = strstr(args, " if ");
    size_t n = condition != NULL ? (size_t)(condition - args) : strlen(args);
    while (n > 0 && args[n - 1] == ' ')
        n--;
    return n;
}

/* Returns whether a place in the guest is a symbol, not an address. */
static bool guest_place_is_name(const char *text)
{
    return isalpha((unsigned char)*text) || *text == '_' || *text == '\'';
}

/* Reports a place that the guest does not have, with the functions that may be meant. */
static enum status fail_place(struct debugger *d, const char *text, size_t length, struct errmsg *err)
{
    char *name = xasprintf("%.*s", (int)strcspn(text, "+"), text);
    char *meant = strlen(name) <= length && d->s.meant_symbol != NULL ? d->s.meant_symbol(d->s.ctx, name) : xstrdup("");
    enum status st = fail(
        err, ST_INPUT,
        "the guest has no place '%.*s'%s: expected a symbol, SYMBOL+BYTES, FILE:LINE, :LINE or an address", (int)length,
        text, meant);
    free(meant);
    free(name);
    return st;
}

bool guest_place_is_address(const char *text) { return !guest_place_is_name(text) && strchr(text, ':') == NULL; }

static enum status parse_guest_line(struct debugger *d, const char *file, unsigned line, struct guest_places *at,
                                    struct errmsg *err)
{
    if (d->s.guest_lines == NULL)
        return fail(err, ST_INPUT, "there are no source lines of a guest here");
    at->is_line = true;
    return d->s.guest_lines(d->s.ctx, file, line, &at->pc, &at->count, err);
}

void guest_place_free(struct guest_places *at)
{
    free(at->pc);
    *at = (struct guest_places){0};
}

/* The place is one instruction. */
static void guest_place_set(struct guest_places *at, uint64_t pc)
{
    at->pc = xmalloc(sizeof *at->pc);
    at->pc[0] = pc;
    at->count = 1;
}

enum status guest_place_parse(struct debugger *d, const char *args, const char **rest, struct guest_places *at,
                              struct errmsg *err)
{
    char file[IMAGE_PATH];
    unsigned line;
    uint64_t pc;
    size_t n = place_length(args);
    *at = (struct guest_places){0};
    if (d->s.guest_symbol == NULL)
        return fail(err, ST_INPUT, "there is no guest to stop at");
    if (n == 0)
        return fail(err, ST_INPUT,
                    "expected a place in the guest: a symbol, SYMBOL+BYTES, FILE:LINE, :LINE or an address");
    bool found = guest_place_offset(d, args, n, &pc);
    if (!found) { /* text after the place is refused by the caller */
        n = strcspn(args, " ");
        found = guest_place_offset(d, args, n, &pc);
    }
    if (found) {
        guest_place_set(at, pc);
        *rest = args + n + strspn(args + n, " ");
        return ST_OK;
    }
    if (arg_is_line(args, rest, file, &line)) {
        *rest += strspn(*rest, " ");
        return parse_guest_line(d, file, line, at, err);
    }
    if (guest_place_is_name(args))
        return fail_place(d, args, place_length(args), err);
    const enum status st = arg_value(d, args + (args[0] == '*'), rest, &pc, err); /* gdb's syntax is *ADDRESS */
    if (st == ST_OK)
        guest_place_set(at, pc);
    return st;
}

void guest_place_print(struct debugger *d, const struct guest_places *at)
{
    for (size_t i = 0; i < at->count && d->s.place != NULL; i++) {
        char *place = d->s.place(d->s.ctx, at->pc[i], false);
        fprintf(d->out, "%s 0x%llx %s", i == 0 ? ":" : ";", (unsigned long long)at->pc[i], place);
        free(place);
    }
}

enum status guest_place_show(struct debugger *d, enum debug_guest_view what, const char *args, struct errmsg *err)
{
    struct debug_guest_request request = {.what = what, .text = args};
    struct guest_places at;
    const char *rest = args;
    enum status st = ST_OK;
    if (d->s.guest_show == NULL)
        return fail(err, ST_INPUT, "there is no core and no guest");
    if (what != DEBUG_GUEST_VALUE && *args != '\0') {
        st = guest_place_parse(d, args, &rest, &at, err);
        request.has_place = true;
        request.pc = st == ST_OK ? at.pc[0] : 0;
        guest_place_free(&at);
        if (st == ST_OK && *rest != '\0')
            st = fail(err, ST_INPUT, "expected nothing after the place, found '%.40s'", rest);
    }
    if (st == ST_OK && d->shown != &d->live)
        fprintf(d->out, "the guest is in the present, position %llu\n", (unsigned long long)d->live.words);
    return st == ST_OK ? d->s.guest_show(d->s.ctx, &request, d->out, err) : st;
}
