/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Diagnostics about user input in GNU form, with the source line and a caret, and the nearest name to a misspelt one.
 * Entry points: diag_error, diag_warning, diag_note, diag_summary, diag_nearest. Whatever comes from the input is made
 * printable, so that no source text can send control sequences to a terminal. */
#include "base/diag.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/colour.h"
#include "base/text.h"

enum { DEFAULT_MAX_ERRORS = 20, EXCERPT_COLUMNS = 120, EXCERPT_BEFORE = 60 };

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE };

static const struct {
    const char *name, *color;
} severities[] = {
    [SEVERITY_ERROR] = {"error", "\033[1;31m"},
    [SEVERITY_WARNING] = {"warning", "\033[1;35m"},
    [SEVERITY_NOTE] = {"note", "\033[1;36m"},
};

void diag_init(struct diag *d, FILE *out)
{
    *d = (struct diag){.out = out, .max_errors = DEFAULT_MAX_ERRORS};
    d->color = colour_is_shown(COLOUR_AUTO, fileno(out));
}

bool diag_is_full(const struct diag *d) { return d->errors >= d->max_errors; }

bool diag_has_ended(const struct diag *d) { return d->errors > d->max_errors; }

/* Returns whether the byte is a UTF-8 continuation byte, which has no column of its own. */
static bool is_continuation(unsigned char c) { return (c & 0xc0) == 0x80; }

static void print_bytes(FILE *out, const char *s, size_t n)
{
    char *line = text_printable_line(s, n);
    fputs(line, out);
    free(line);
}

/* Prints a character below each that print_bytes prints, except the first `skipped`: `fill`, or, if that is a blank,
 * the tab below a tab. */
static void print_below(FILE *out, const char *s, size_t n, char fill, unsigned skipped)
{
    char *line = text_printable_line(s, n);
    unsigned column = 0;
    for (const char *c = line; *c != '\0'; c++)
        if (!is_continuation((unsigned char)*c) && column++ >= skipped)
            fputc(fill == ' ' && *c == '\t' ? '\t' : fill, out);
    free(line);
}

static void diag_print_name(FILE *out, const struct diag_source *source)
{
    char *name = text_make_printable(xstrdup(source->name));
    fputs(name, out);
    free(name);
}

/* Finds line `line` of the source, without its newline. */
static void diag_find_line(const struct diag_source *source, int line, const char **start, size_t *n)
{
    const char *at = source->text, *end = source->text + source->size_bytes;
    for (int i = 1; i < line && at < end; i++) {
        const char *nl = memchr(at, '\n', (size_t)(end - at));
        at = nl == NULL ? end : nl + 1;
    }
    const char *nl = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
    *start = at;
    *n = (size_t)((nl == NULL ? end : nl) - at);
    if (*n > 0 && at[*n - 1] == '\r')
        --*n;
}

/* The part of a line that is shown: all of it, or an excerpt around the caret that starts and ends between
 * characters. */
struct excerpt {
    const char *text;
    size_t n, caret, marked; /* caret: offset in the excerpt; marked: bytes from there on */
    bool cut_left, cut_right;
};

static struct excerpt choose_excerpt(struct diag_loc loc)
{
    const char *line;
    size_t n, from = 0;
    diag_find_line(loc.source, loc.line, &line, &n);
    size_t caret = loc.column > 0 ? (size_t)loc.column - 1 : 0;
    size_t end = loc.end_column > loc.column ? (size_t)loc.end_column - 1 : caret + 1;
    caret = caret < n ? caret : n;
    end = end < n ? end : n;
    if (n > EXCERPT_COLUMNS && caret > EXCERPT_BEFORE)
        from = caret - EXCERPT_BEFORE;
    while (from > 0 && from < n && is_continuation((unsigned char)line[from]))
        from--;
    size_t to = n - from > EXCERPT_COLUMNS ? from + EXCERPT_COLUMNS : n;
    while (to < n && is_continuation((unsigned char)line[to]))
        to++;
    end = end < to ? end : to;
    return (struct excerpt){line + from, to - from, caret - from, end > caret ? end - caret : 0, from > 0, to < n};
}

static void print_excerpt(const struct diag *d, struct diag_loc loc, enum severity severity)
{
    struct excerpt w = choose_excerpt(loc);
    fprintf(d->out, "%5d | %s", loc.line, w.cut_left ? "..." : "");
    print_bytes(d->out, w.text, w.n);
    fprintf(d->out, "%s\n      | %s", w.cut_right ? "..." : "", w.cut_left ? "   " : "");
    print_below(d->out, w.text, w.caret, ' ', 0);
    if (d->color)
        fputs(severities[severity].color, d->out);
    fputc('^', d->out);
    print_below(d->out, w.text + w.caret, w.marked, '~', 1);
    fputs(d->color ? "\033[m\n" : "\n", d->out);
}

static void print_inclusions(struct diag *d, const struct diag_source *source)
{
    if (source == NULL || source == d->last_source)
        return;
    d->last_source = source;
    for (const char *lead = "In file included from"; source->included_from != NULL; source = source->included_from) {
        fprintf(d->out, "%s ", lead);
        diag_print_name(d->out, source->included_from);
        fprintf(d->out, ":%d%s\n", source->included_line, source->included_from->included_from != NULL ? "," : ":");
        lead = "                 from";
    }
}

static void diag_report(struct diag *d, struct diag_loc loc, enum severity severity, const char *suffix,
                        const char *fmt, va_list ap)
{
    char text[1024];
    vsnprintf(text, sizeof text, fmt, ap);
    print_inclusions(d, loc.source);
    if (loc.source != NULL)
        diag_print_name(d->out, loc.source);
    if (loc.source != NULL && loc.line > 0)
        fprintf(d->out, ":%d:%d", loc.line, loc.column);
    if (loc.source != NULL)
        fputs(": ", d->out);
    fprintf(d->out, "%s%s:%s ", d->color ? severities[severity].color : "", severities[severity].name,
            d->color ? "\033[m" : "");
    print_bytes(d->out, text, strlen(text));
    fprintf(d->out, "%s\n", suffix);
    if (loc.source != NULL && loc.line > 0)
        print_excerpt(d, loc, severity);
}

void diag_error(struct diag *d, struct diag_loc loc, const char *fmt, ...)
{
    va_list ap;
    d->quiet = d->errors++ >= d->max_errors;
    if (d->quiet)
        return;
    va_start(ap, fmt);
    diag_report(d, loc, SEVERITY_ERROR, "", fmt, ap);
    va_end(ap);
}

void diag_warning(struct diag *d, struct diag_loc loc, const char *fmt, ...)
{
    va_list ap;
    int *count = d->warnings_are_errors ? &d->errors : &d->warnings;
    d->quiet = (*count)++ >= d->max_errors;
    if (d->quiet)
        return;
    va_start(ap, fmt);
    if (d->warnings_are_errors)
        diag_report(d, loc, SEVERITY_ERROR, " [-W error]", fmt, ap);
    else
        diag_report(d, loc, SEVERITY_WARNING, "", fmt, ap);
    va_end(ap);
}

void diag_note(struct diag *d, struct diag_loc loc, const char *fmt, ...)
{
    va_list ap;
    if (d->quiet)
        return;
    va_start(ap, fmt);
    diag_report(d, loc, SEVERITY_NOTE, "", fmt, ap);
    va_end(ap);
}

static void diag_print_count(const struct diag *d, int n, const char *what)
{
    fprintf(d->out, "%d %s%s", n, what, n == 1 ? "" : "s");
}

void diag_summary(const struct diag *d)
{
    if (d->errors == 0 && d->warnings == 0)
        return;
    if (diag_has_ended(d))
        fputs("too many errors: the rest is not checked\n", d->out);
    if (d->errors > 0)
        diag_print_count(d, diag_has_ended(d) ? d->max_errors : d->errors, "error");
    if (d->errors > 0 && d->warnings > 0)
        fputs(", ", d->out);
    if (d->warnings > 0)
        diag_print_count(d, d->warnings, "warning");
    if (d->warnings > d->max_errors)
        fprintf(d->out, " (the first %d shown)", d->max_errors);
    fputc('\n', d->out);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static bool diag_differ(char a, char b) { return tolower((unsigned char)a) != tolower((unsigned char)b); }

/* Case-insensitive edit distance with transpositions. */
static size_t edit_distance(const char *a, size_t na, const char *b, size_t nb)
{
    size_t rows[3][DIAG_LONGEST_WORD + 1];
    for (size_t k = 0; k <= nb; k++)
        rows[0][k] = k;
    for (size_t i = 1; i <= na; i++) {
        size_t *above = rows[(i - 1) % 3], *row = rows[i % 3];
        row[0] = i;
        for (size_t k = 1; k <= nb; k++) {
            row[k] = least(least(above[k], row[k - 1]) + 1, above[k - 1] + diag_differ(a[i - 1], b[k - 1]));
            if (i > 1 && k > 1 && !diag_differ(a[i - 1], b[k - 2]) && !diag_differ(a[i - 2], b[k - 1]))
                row[k] = least(row[k], rows[(i - 2) % 3][k - 2] + 1);
        }
    }
    return rows[na % 3][nb];
}

/* The unique name with the prefix `word`, of at least three letters; or NULL. */
static const char *only_beginning(const char *word, const char *const *names, size_t count)
{
    size_t n = strlen(word);
    const char *only = NULL;
    for (size_t i = 0; i < count && n >= 3; i++) {
        if (names[i] == NULL || strncasecmp(names[i], word, n) != 0)
            continue;
        if (only != NULL)
            return NULL;
        only = names[i];
    }
    return only;
}

const char *diag_nearest(const char *word, const char *const *names, size_t count)
{
    size_t n = strlen(word), best = n / 3 + (n == 2) + 1;
    const char *nearest = NULL;
    if (n > DIAG_LONGEST_WORD)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t length = names[i] == NULL ? 0 : strlen(names[i]);
        size_t difference = length > n ? length - n : n - length; /* no distance is shorter */
        if (length == 0 || length > DIAG_LONGEST_WORD || difference >= best)
            continue;
        size_t distance = edit_distance(word, n, names[i], length);
        if (distance < best && distance < length) {
            best = distance;
            nearest = names[i];
        }
    }
    return nearest != NULL ? nearest : only_beginning(word, names, count);
}

enum status diag_fail(const char *said, const char *what, struct errmsg *err)
{
    static const char lead[] = "error: ";
    const char *text = strstr(said, lead);
    text = text != NULL ? text + sizeof lead - 1 : said;
    return fail(err, ST_INPUT, "%s: %.*s", what, (int)strcspn(text, "\n"), text);
}

static struct diag_hint hint_of(const char *before, const char *name, const char *after)
{
    struct diag_hint hint = {""};
    if (name != NULL)
        snprintf(hint.text, sizeof hint.text, "%sdid you mean '%.*s'?%s", before, DIAG_LONGEST_WORD, name, after);
    return hint;
}

struct diag_hint diag_hint(const char *name) { return hint_of("; ", name, ""); }
struct diag_hint diag_aside(const char *name) { return hint_of(" (", name, ")"); }
