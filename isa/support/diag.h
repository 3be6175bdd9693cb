/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Diagnostics about user input: collected, shown with the source line and a caret, in GNU form
 *
 *     value.pasm:12:9: error: unknown mnemonic 'incc'; did you mean 'inc'?
 *        12 |         incc  slots[slot].hit
 *           |         ^~~~
 *
 * All errors of an input are reported, up to a limit; the caller asks for the count at the end. */
#ifndef ISA_SUPPORT_DIAG_H
#define ISA_SUPPORT_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "isa/support/status.h"

/* A text being read. Borrowed by locations for as long as diagnostics are made. */
struct diag_source {
    const char *name;
    const char *text;
    size_t size_bytes;
    const struct diag_source *included_from; /* NULL for a main file */
    int included_line;
};

/* A stretch of one line: lines and columns from 1; columns count bytes. line 0: the file as a whole. */
struct diag_loc {
    const struct diag_source *source;
    int line, column, end_column; /* end_column: one past the last; at least column + 1 */
};

struct diag {
    FILE *out; /* borrowed */
    bool color;
    int errors, warnings;
    int max_errors; /* further errors are counted and not shown */
    bool warnings_are_errors;
    bool quiet; /* the last error or warning was over the limit: its notes are not shown either */
    const struct diag_source *last_source; /* whose chain of inclusions was shown last */
};

/* Writes to `out`; color where out is a terminal and NO_COLOR is not set. max_errors is 20. */
void diag_init(struct diag *d, FILE *out);
void diag_error(struct diag *d, struct diag_loc loc, const char *fmt, ...) PRINTF_LIKE(3, 4);
void diag_warning(struct diag *d, struct diag_loc loc, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Belongs to the error or warning before it. */
void diag_note(struct diag *d, struct diag_loc loc, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Further errors are no longer shown: advice that is costly to find may be left out. */
bool diag_is_full(const struct diag *d);
/* "3 errors, 1 warning" where there were any; says how many were not shown. */
void diag_summary(const struct diag *d);

/* The first error in what a diag has written, in one line behind `what` and without its place. Returns ST_INPUT. */
enum status diag_fail(const char *said, const char *what, struct errmsg *err);

/* For "did you mean": of `names` the nearest to `word` by edit distance with transpositions, within a third of the
 * word's length and in whatever case; otherwise the only one that begins with the word; or NULL. A NULL entry in names
 * is passed over. */
const char *diag_nearest(const char *word, const char *const *names, size_t count);

#endif
