/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a function that touches the world returns, and the three kinds of error kept apart:
 * user input is a diagnostic (diag.h); the environment is an `enum status` with one line of text;
 * our own faults end in BUG(). Only main files print and exit. */
#ifndef ISA_SUPPORT_STATUS_H
#define ISA_SUPPORT_STATUS_H

#include <stdarg.h>
#include <stddef.h>

enum status {
    ST_OK = 0,
    ST_IO,      /* the system refused: open, read, write, rename */
    ST_FORMAT,  /* a file is not what it should be */
    ST_VERSION, /* a file has a version that this tool does not read */
    ST_RANGE,   /* a value is outside what the machine has */
    ST_INPUT,   /* user input was bad; the diagnostics have said so */
};

/* Exit codes of every tool: bad usage or input is 2, a fault of ours 70 (EX_SOFTWARE). */
enum { EXIT_BAD_INPUT = 2, EXIT_OUR_FAULT = 70 };

#define MUST_USE __attribute__((warn_unused_result))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))

/* One line that says what went wrong, naming file and offset or line, what was expected and found. */
struct errmsg {
    char text[512];
};

/* Fills `err` (borrowed, may be NULL) and returns `st`, so that a caller can `return fail(err, ST_IO, ...)`. Control
 * characters become '?': the text stays one line. */
enum status fail(struct errmsg *err, enum status st, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* A state that only a fault of ours can reach: prints file and line, exits with EXIT_OUR_FAULT. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_at(const char *file, int line, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Allocation that does not fail: exhaustion ends the process. Memory is the caller's, for free(). */
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);
char *xvasprintf(const char *fmt, va_list ap) PRINTF_LIKE(1, 0);

#endif
