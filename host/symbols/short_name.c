/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A name is copied from left to right without what its form leaves out. Names can be those of untrusted files: one
 * whose brackets do not match stays as it is. */
#include "host/symbols/short_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static const char left_out[] = "<...>", operator_word[] = "operator";

enum { MOST_BRACKETS = 256, OPERATOR = sizeof operator_word - 1 };

/* What is copied, from `at` to `end`, and where to. */
struct name_copy {
    const char *begin, *at, *end;
    char *out;
    size_t length, start; /* of the output; where the name begins in it, behind such words as "vtable for" */
    enum short_form form;
    bool is_cpp;        /* there are parameters, which names of Rust do not have */
    bool is_conversion; /* in an operator of words, such as "operator new" or "operator unsigned long" */
};

static bool short_name_begins(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

static void put(struct name_copy *c, const char *text, size_t bytes)
{
    memcpy(c->out + c->length, text, bytes);
    c->length += bytes;
}

static void take_to(struct name_copy *c, const char *end)
{
    put(c, c->at, (size_t)(end - c->at));
    c->at = end;
}

/* ---- brackets ---- */

static bool is_in_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80; }

/* The bytes of an operator at `at`, such as "operator<<", of "operator" alone if its name is one of words; 0: there is
 * none. */
static size_t operator_at(const char *begin, const char *at, const char *end)
{
    static const char *const symbols[] = {"()", "[]", "<=>", "<<=", ">>=", "->*", "<<",
                                          ">>", "<=", ">=",  "->",  "<",   ">"};
    if (!short_name_begins(at, end, operator_word) || (at > begin && is_in_name(at[-1])) ||
        (at + OPERATOR < end && is_in_name(at[OPERATOR])))
        return 0;
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        if (short_name_begins(at + OPERATOR, end, symbols[i]))
            return OPERATOR + strlen(symbols[i]);
    return OPERATOR;
}

/* The byte behind the bracket that closes the one at `open`; NULL: none does. An angle bracket within others need not
 * be one: it can be a comparison, which the next closing bracket of another kind ends. */
static const char *short_name_close(const char *open, const char *end)
{
    static const char opening[] = "<([{", closing[] = ">)]}";
    char wanted[MOST_BRACKETS];
    size_t depth = 0;
    for (const char *at = open; at < end; at++) {
        size_t symbol = operator_at(open, at, end);
        if (symbol > 0) {
            at += symbol - 1;
            continue;
        }
        const char *kind = *at != '\0' ? strchr(opening, *at) : NULL;
        if (kind != NULL) {
            if (depth == MOST_BRACKETS)
                return NULL;
            wanted[depth++] = closing[kind - opening];
            continue;
        }
        if (strchr(closing, *at) == NULL || (*at == '>' && at[-1] == '-'))
            continue;
        while (depth > 1 && wanted[depth - 1] == '>' && *at != '>')
            depth--;
        if (wanted[depth - 1] == *at && --depth == 0)
            return at + 1;
    }
    return NULL;
}

/* ---- parts of names ---- */

/* The beginning of a name without the namespaces that the C++ library has for its own use, and without "__". */
static const char *skip_std(const char *at, const char *end)
{
    static const char *const outer[] = {"std::", "__gnu_cxx::"};
    static const char *const inner[] = {"__cxx11::", "__detail::", "__1::", "_V2::", "__debug::", "__ops::"};
    const char *begin = at;
    for (size_t i = 0; i < sizeof outer / sizeof outer[0] && at == begin; i++)
        at += short_name_begins(at, end, outer[i]) ? strlen(outer[i]) : 0;
    if (at == begin)
        return at;
    for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++)
        at += short_name_begins(at, end, inner[i]) ? strlen(inner[i]) : 0;
    return end - at > 2 && at[0] == '_' && at[1] == '_' && isalpha((unsigned char)at[2]) ? at + 2 : at;
}

/* Copies types, in SHORT_ARGUMENTS with the arguments of templates. */
static bool take_types(struct name_copy *c, const char *end)
{
    while (c->at < end) {
        const char before = c->at > c->begin ? c->at[-1] : ' ';
        if (c->is_cpp && !is_in_name(before) && before != ':')
            c->at = skip_std(c->at, end);
        if (c->form == SHORT_ARGUMENTS || *c->at != '<' || !is_in_name(before)) {
            take_to(c, c->at + 1);
            continue;
        }
        const char *behind = short_name_close(c->at, end);
        if (behind == NULL)
            return false;
        put(c, left_out, sizeof left_out - 1);
        c->at = behind;
    }
    return true;
}

/* Takes the arguments of a template, or of Rust `<TYPE as TRAIT>` and `<impl TRAIT for TYPE>`, which are a part of a
 * path. */
static bool take_arguments(struct name_copy *c)
{
    const char *behind = short_name_close(c->at, c->end);
    const bool is_path = c->length == c->start || short_name_begins(c->at, c->end, "<impl ");
    if (behind == NULL)
        return false;
    if (c->form == SHORT_ARGUMENTS || is_path) {
        take_to(c, c->at + 1);
        return take_types(c, behind);
    }
    put(c, left_out, sizeof left_out - 1);
    c->at = behind;
    return true;
}

/* The end of the qualifiers that follow a list of parameters. */
static const char *skip_qualifiers(const char *at, const char *end)
{
    static const char *const words[] = {" const", " volatile", " &&", " &", "&&", "&", " noexcept"};
    for (size_t i = 0; i < sizeof words / sizeof words[0];)
        if (short_name_begins(at, end, words[i])) {
            at += strlen(words[i]);
            i = 0;
        } else {
            i++;
        }
    return at;
}

/* Takes a list of parameters, of the function or of one around it. */
static bool take_parameters(struct name_copy *c)
{
    static const char anonymous[] = "(anonymous namespace)";
    if (short_name_begins(c->at, c->end, anonymous)) {
        take_to(c, c->at + sizeof anonymous - 1);
        return true;
    }
    const char *behind = short_name_close(c->at, c->end);
    if (behind == NULL)
        return false;
    if (c->length == c->start) { /* of a type: "decltype (x) f()" */
        c->at = behind;
        return true;
    }
    const char *next = skip_qualifiers(behind, c->end);
    c->is_conversion = false;
    if (!short_name_begins(next, c->end, "::")) {
        if (c->form == SHORT_PARAMETERS && !take_types(c, next))
            return false;
        c->end = next;
    }
    c->at = next;
    return true;
}

/* Takes "{lambda(int)#2}" as "{lambda#2}", and others such as "{unnamed type#1}" as they are. */
static bool take_braces(struct name_copy *c)
{
    static const char lambda[] = "{lambda", call[] = "::operator()";
    const char *behind = short_name_close(c->at, c->end);
    if (behind == NULL)
        return false;
    const bool is_lambda = short_name_begins(c->at, c->end, lambda) && c->at[sizeof lambda - 1] == '(';
    if (is_lambda) {
        take_to(c, c->at + sizeof lambda - 1);
        const char *number = short_name_close(c->at, behind);
        c->at = number != NULL ? number : c->at;
    }
    take_to(c, behind);
    if (is_lambda && short_name_begins(c->at, c->end, call))
        c->at += sizeof call - 1;
    return true;
}

static bool take_operator(struct name_copy *c, size_t bytes)
{
    take_to(c, c->at + bytes);
    c->is_conversion = bytes == OPERATOR && c->at < c->end && (*c->at == ' ' || *c->at == '"');
    if (!c->is_conversion && short_name_begins(c->at, c->end, " <"))
        take_to(c, c->at + 1);
    return true;
}

/* Takes the next part of a name; false: it is none that this module knows. */
static bool take_part(struct name_copy *c)
{
    const char *behind;
    size_t symbol = operator_at(c->begin, c->at, c->end);
    if (symbol > 0)
        return take_operator(c, symbol);
    switch (*c->at) {
    case ' ': /* behind the type of the result */
        if (c->is_conversion) {
            take_to(c, c->at + 1);
            return true;
        }
        c->length = c->start;
        c->at++;
        return true;
    case '<':
        return take_arguments(c);
    case '(':
        return take_parameters(c);
    case '{':
        return take_braces(c);
    case '[':
        behind = short_name_close(c->at, c->end);
        if (behind == NULL)
            return false;
        if (short_name_begins(c->at, c->end, "[abi:"))
            c->at = behind;
        else
            take_to(c, behind);
        return true;
    default:
        take_to(c, c->at + 1);
        return true;
    }
}

/* ---- whole names ---- */

/* In the output, of C++. */
static void leave_out_std(struct name_copy *c)
{
    const char *at = c->out + c->start, *end = c->out + c->length, *name = skip_std(at, end);
    memmove(c->out + c->start, name, (size_t)(end - name));
    c->length -= (size_t)(name - at);
}

size_t name_without_offset(const char *name, size_t bytes)
{
    size_t at = bytes;
    while (at > 0 && isxdigit((unsigned char)name[at - 1]))
        at--;
    return at < bytes && at > 3 && memcmp(name + at - 3, "+0x", 3) == 0 ? at - 3 : bytes;
}

/* Where what is no part of the name begins: a version, "@plt", "@0xADDRESS", "+0xBYTES". */
static const char *find_tail(const char *name, const char *end)
{
    const char *at = NULL;
    end = name + name_without_offset(name, (size_t)(end - name));
    for (const char *c = end; c > name && strchr("()<>{} ", c[-1]) == NULL; c--)
        if (c[-1] == '@')
            at = c - 1;
    return at != NULL && at > name ? at : end;
}

/* Words in front of the name of what they belong to. */
static void take_words(struct name_copy *c)
{
    static const char *const words[] = {"guard variable for ",
                                        "non-virtual thunk to ",
                                        "virtual thunk to ",
                                        "covariant return thunk to ",
                                        "vtable for ",
                                        "VTT for ",
                                        "typeinfo for ",
                                        "typeinfo name for ",
                                        "TLS init function for ",
                                        "TLS wrapper function for "};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (short_name_begins(c->at, c->end, words[i]))
            take_to(c, c->at + strlen(words[i]));
    c->start = c->length;
    c->begin = c->at;
}

/* Puts ".part.0" for " [clone .part.0]". */
static void put_clones(struct name_copy *c, const char *at, const char *end)
{
    static const char clone[] = " [clone ";
    while (at < end) {
        const char *close = short_name_begins(at, end, clone) ? memchr(at, ']', (size_t)(end - at)) : NULL;
        if (close == NULL)
            break;
        at += sizeof clone - 1;
        put(c, at, (size_t)(close - at));
        at = close + 1;
    }
    put(c, at, (size_t)(end - at));
}

char *short_name(const char *name, enum short_form form)
{
    const size_t bytes = strlen(name);
    const bool is_go = strstr(name, ".(") != NULL; /* "input.(*reader).read" */
    if (form == SHORT_NONE || name[0] == '[' || is_go || (strpbrk(name, "(<{ ") == NULL && strstr(name, "::") == NULL))
        return xstrdup(name);
    const char *tail = find_tail(name, name + bytes), *clones = strstr(name, " [clone ");
    const char *end = clones != NULL && clones < tail ? clones : tail;
    /* "<>" becomes longer, and nothing else. */
    struct name_copy c = {.begin = name,
                          .at = name,
                          .end = end,
                          .out = xmalloc(3 * bytes + 1),
                          .form = form,
                          .is_cpp = strchr(name, '(') != NULL};
    bool good = true;
    take_words(&c);
    while (good && c.at < c.end)
        good = take_part(&c);
    if (!good || c.length == c.start) {
        free(c.out);
        return xstrdup(name);
    }
    if (c.is_cpp)
        leave_out_std(&c);
    put_clones(&c, end, tail);
    put(&c, tail, (size_t)(name + bytes - tail));
    c.out[c.length] = '\0';
    return c.out;
}
