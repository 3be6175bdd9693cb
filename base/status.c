/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error status, internal errors, and allocation that does not fail. */
#include "base/status.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Copies a text. Of one that is too long the middle is left out: paths are at the beginning, what was found at the end.
 */
static void copy_shortened(char *to, size_t room, const char *text)
{
    static const char gap[] = " ... ";
    size_t length = strlen(text), part = (room - sizeof gap) / 2;
    if (length < room)
        strcpy(to, text);
    else
        snprintf(to, room, "%.*s%s%s", (int)part, text, gap, text + length - part);
    text_make_printable(to); /* a character cut by the gap */
}

enum status fail(struct errmsg *err, enum status st, const char *fmt, ...)
{
    if (err != NULL) {
        va_list ap;
        va_start(ap, fmt);
        char *text = text_make_printable(xvasprintf(fmt, ap));
        va_end(ap);
        copy_shortened(err->text, sizeof err->text, text);
        free(text);
    }
    return st;
}

void bug_at(const char *file, int line, const char *fmt, ...)
{
    va_list ap;
    fflush(stdout);
    fprintf(stderr, "internal fault at %s:%d: ", file, line);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    exit(EXIT_OUR_FAULT);
}

void out_of_memory(void)
{
    fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
    exit(EXIT_BAD_INPUT);
}

static void *checked(void *p)
{
    if (p == NULL)
        out_of_memory();
    return p;
}

void *xmalloc(size_t size) { return checked(malloc(size ? size : 1)); }

void *xcalloc(size_t n, size_t size) { return checked(calloc(n ? n : 1, size ? size : 1)); }

void *xrealloc(void *p, size_t size) { return checked(realloc(p, size ? size : 1)); }

void *xgrow(void *items, size_t count, size_t item_bytes)
{
    bool is_full = (count & (count - 1)) == 0; /* 0 too */
    return is_full ? xrealloc(items, (count == 0 ? 1 : 2 * count) * item_bytes) : items;
}

char *xstrdup(const char *s) { return checked(strdup(s)); }

char *xvasprintf(const char *fmt, va_list ap)
{
    char *s = NULL;
    if (vasprintf(&s, fmt, ap) < 0)
        out_of_memory();
    return s;
}

char *xasprintf(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = xvasprintf(fmt, ap);
    va_end(ap);
    return s;
}

FILE *xopen_text(char **text, size_t *size_bytes) { return checked(open_memstream(text, size_bytes)); }

void xclose_text(FILE *stream)
{
    bool is_complete = !ferror(stream);
    if (fclose(stream) != 0 || !is_complete)
        out_of_memory();
}
