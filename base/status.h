/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error handling. Three kinds of error: bad user input is a diagnostic (diag.h); a failure of the environment is an
 * `enum status` with one line of text; an internal error ends in BUG(). Only main files print and exit. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

enum status {
    ST_OK = 0,
    ST_IO,      /* system error: open, read, write, rename */
    ST_FORMAT,  /* a file has the wrong format */
    ST_VERSION, /* a file has an unsupported version */
    ST_RANGE,   /* a value is outside the range of the machine */
    ST_INPUT,   /* bad user input, reported by diagnostics */
    ST_UNMET,   /* a condition that the user has set does not hold */
    ST_AGAIN,   /* what was asked for has not been done, and can be tried again */
};

/* Exit status of every tool: a condition of the user does not hold: 1; bad usage or input: 2; internal error: 70
 * (EX_SOFTWARE). */
enum { EXIT_UNMET = 1, EXIT_BAD_INPUT = 2, EXIT_OUR_FAULT = 70 };

#define MUST_USE __attribute__((warn_unused_result))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))

/* Error message of one line: file and offset or line, what was found, what was expected. */
struct errmsg {
    char text[512];
};

/* Fills `err` (borrowed, may be NULL) and returns `st`, so that a caller can `return fail(err, ST_IO, ...)`. The
 * text is made printable (text.h), and its middle left out if it is too long. */
enum status fail(struct errmsg *err, enum status st, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Internal error: a state that only a defect of the tools can reach. Prints file and line and exits with
 * EXIT_OUR_FAULT. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_at(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Prints that there is no memory left, and exits with EXIT_BAD_INPUT: the cause is outside the tool. */
_Noreturn void out_of_memory(void);

/* Allocation that does not fail: exhaustion ends the process (out_of_memory). The caller frees the memory. */
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
/* Returns the items, with room for one more than `count`, for arrays that grow by one item at a time: their rooms are
 * powers of two, so none is kept. */
void *xgrow(void *items, size_t count, size_t item_bytes);
char *xstrdup(const char *s);
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);
char *xvasprintf(const char *fmt, va_list ap) PRINTF_LIKE(1, 0);
/* A stream into memory. After xclose_text, which closes it, *text has what was written, NUL-terminated, and *size_bytes
 * its length. */
FILE *xopen_text(char **text, size_t *size_bytes);
void xclose_text(FILE *stream);

#endif
