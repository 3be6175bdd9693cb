/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source lines of two versions of a program. A store has no source text of a version that is gone, but the code of
 * both: lines are paired by the instructions that they have in functions of one name, in the order of the lines. */
#ifndef TOOLS_PCPROF_LINE_PAIRS_H
#define TOOLS_PCPROF_LINE_PAIRS_H

#include "host/profile/profile.h"
#include "host/store/store.h"
#include "tools/pcprof/input.h"

struct line_pairs;

/* Pairs the lines of images that both profiles have by name, with different contents. Both have the parts
 * LINE_PAIRS_PARTS; lines are those of functions with a value of an event of `before`. */
enum { LINE_PAIRS_PARTS = STORE_SYMBOLS | STORE_LINES | STORE_CODE };
struct line_pairs *line_pairs_of(const struct profile *before, const struct profile *after);
/* NULL is allowed. */
void line_pairs_free(struct line_pairs *p);

/* The same of two selections, with the values of an event, NAME[@PROFILER]; NULL: cycles. */
enum status line_pairs_load(struct line_pairs **p, const struct pcprof_input *before, const struct pcprof_input *after,
                            const char *event, struct errmsg *err) MUST_USE;

/* The name that a line FILE:LINE of an image has in the version after. A line that is not there is returned with
 * LINE_PAIRS_GONE behind it, because its number can be that of another line. The caller frees it. */
#define LINE_PAIRS_GONE " (before)"
char *line_pairs_name(const struct line_pairs *p, const char *image, const char *line);

#endif
