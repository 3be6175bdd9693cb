/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the files of pcprof annotate. */
#ifndef TOOLS_PCPROF_ANNOTATE_H
#define TOOLS_PCPROF_ANNOTATE_H

#include "tools/pcprof/prof.h"

/* A procedure to show. */
struct annotate_procedure {
    uint32_t image;
    const struct profile_symbol *symbol;
};

struct annotate {
    struct prof prof;
    const char *source_dir; /* NULL: not given */
    int64_t collected;      /* time of the first run, in seconds since 1970 */
};

/* annotate_lines.c: adds a table of the procedure's source lines, and notes of sources that are missing or have
 * changed. */
void annotate_lines(const struct annotate *a, const struct annotate_procedure *p, struct report *r);
/* annotate_listing.c: adds a table of its instructions. */
void annotate_listing(const struct annotate *a, const struct annotate_procedure *p, struct report *r);

/* The values of the code from `start` up to `end`, added to a row. */
void annotate_add_values(const struct annotate *a, struct prof_row *row, uint64_t start, uint64_t end);

#endif
