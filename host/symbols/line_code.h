/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code of a source line, by the line tables of the program and of its mapped libraries. */
#ifndef HOST_SYMBOLS_LINE_CODE_H
#define HOST_SYMBOLS_LINE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct symbols;

struct line_range {
    uint64_t start, end; /* addresses [start, end) */
    bool is_statement;   /* a statement begins at its start */
};

struct line_code {
    int line;
    struct line_range *range; /* in ascending order; owned */
    size_t ranges;
};

enum line_choice {
    LINE_CODE_EXACT,    /* all instructions of the line */
    LINE_CODE_STATEMENT /* where statements of the line, or of the first one behind it that has any, begin. A range can
                         * be empty: the line has no instruction of its own there */
};

/* Finds the code of a line. `file` is a name or the end of a path; "" is the file of the function main. An error: there
 * is no such file or line, or several files of the name have the line. */
enum status line_code_find(const struct symbols *s, const char *file, int line, enum line_choice choice,
                           struct line_code *found, struct errmsg *err) MUST_USE;
void line_code_free(struct line_code *found);

#endif
