/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Diagnostics about user input: collected, shown with the source line and a caret, in GNU form
 *
 *     value.pasm:12:9: error: unknown mnemonic 'incc'; did you mean 'inc'?
 *        12 |         incc  slots[slot].hit
 *           |         ^~~~
 *
 * All errors of an input are reported, up to a limit, at which the caller ends; it asks for the count at the end. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

/* An input text. Locations borrow it, so it must live as long as diagnostics are reported. */
struct diag_source {
    const char *name;
    const char *text;
    size_t size_bytes;
    const struct diag_source *included_from; /* NULL for a main file */
    int included_line;
};

/* A range within one line. Lines and columns start at 1; columns count bytes. Line 0: the whole file. */
struct diag_loc {
    const struct diag_source *source;
    int line, column, end_column; /* end_column: one past the last; at least column + 1 */
};

struct diag {
    FILE *out; /* borrowed */
    bool color;
    int errors, warnings;
    int max_errors; /* one more error ends the check (diag_has_ended); further warnings are counted but not shown */
    bool warnings_are_errors;
    bool quiet; /* the last error or warning exceeded the limit, so its notes are not shown */
    const struct diag_source *last_source; /* source whose chain of inclusions was shown last */
};

/* Diagnostics are written to `out`, in colour where colour.h says so. max_errors is 20. */
void diag_init(struct diag *d, FILE *out);
void diag_error(struct diag *d, struct diag_loc loc, const char *fmt, ...) PRINTF_LIKE(3, 4);
void diag_warning(struct diag *d, struct diag_loc loc, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* A note on the preceding error or warning. */
void diag_note(struct diag *d, struct diag_loc loc, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Returns whether further errors are not shown, so that expensive hints can be skipped. */
bool diag_is_full(const struct diag *d);
/* Returns whether there were more errors than are shown, so that the caller ends. */
bool diag_has_ended(const struct diag *d);
/* Prints "3 errors, 1 warning" if there were any, and whether there were more than are shown. */
void diag_summary(const struct diag *d);

/* Extracts the first error from the output of a diag as one line with prefix `what` and without its location. Returns
 * ST_INPUT. */
enum status diag_fail(const char *said, const char *what, struct errmsg *err);

/* Spelling suggestion: the name nearest to `word` by case-insensitive edit distance with transpositions, at most a
 * third of the word's length; otherwise the unique name with this prefix; or NULL. NULL entries are skipped. */
const char *diag_nearest(const char *word, const char *const *names, size_t count);

/* A suggestion within a message: "; did you mean 'NAME'?" at its end, " (did you mean 'NAME'?)" before that; "" for
 * NULL. A name that diag_nearest yields is whole. */
enum { DIAG_LONGEST_WORD = 63, DIAG_HINT = DIAG_LONGEST_WORD + 32 };
struct diag_hint {
    char text[DIAG_HINT];
};
struct diag_hint diag_hint(const char *name);
struct diag_hint diag_aside(const char *name);

#endif
