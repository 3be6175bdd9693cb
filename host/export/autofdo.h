/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of source lines, by function and by calls that were inlined, as a compiler looks them up: it numbers lines
 * from the declaration of their function. */
#ifndef HOST_EXPORT_AUTOFDO_H
#define HOST_EXPORT_AUTOFDO_H

#include "host/export/export.h"

struct autofdo_copy;

/* Calls from a line to a function. */
struct autofdo_target {
    const char *name;
    uint64_t count;
};

struct autofdo_line {
    uint32_t offset; /* line number, minus that of the function's declaration; 16 bits */
    uint32_t discriminator;
    uint64_t count;            /* executions */
    struct autofdo_copy *copy; /* parts of `count`; only within autofdo_make */
    size_t copies;
    struct autofdo_target *target; /* in descending order of count */
    size_t targets;
};

/* A function, or a call that was inlined. */
struct autofdo_function {
    const char *name;               /* the profile owns it */
    const char *declared;           /* file of its declaration; NULL: unknown, or an inlined call */
    uint32_t first_line;            /* line of that; 0: unknown, or an inlined call */
    uint32_t offset, discriminator; /* of an inlined call: its place in the caller */
    uint64_t head;                  /* executions of the first instruction; of an inlined call 0 */
    uint64_t total;                 /* sum of the lines, inlined calls included */
    struct autofdo_line *line;      /* in ascending order */
    size_t lines;
    struct autofdo_function **call; /* in ascending order of place and name */
    size_t calls;
};

struct autofdo {
    struct autofdo_function **function; /* in descending order of total, then by name */
    size_t functions;
};

/* How a compiler uses discriminators. */
enum autofdo_discriminators {
    AUTOFDO_BASE, /* clang: the base discriminator, and a duplication factor */
    AUTOFDO_NONE  /* gcc 12: lines alone */
};

/* Compilers find a function by its name alone, so of several with one name, static functions of several files, the one
 * with the largest total is kept, with a warning.
 *
 * Makes the counts from the event of the options, or from the number of retired instructions. ST_INPUT: the profile has
 * no such samples, or no line of a known function. The caller calls autofdo_free, also on error. */
enum status autofdo_make(struct autofdo *a, const struct profile *p, const struct export_options *o,
                         enum autofdo_discriminators use, struct errmsg *err) MUST_USE;
void autofdo_free(struct autofdo *a);

#endif
