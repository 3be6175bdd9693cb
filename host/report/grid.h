/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of text in aligned columns. */
#ifndef HOST_REPORT_GRID_H
#define HOST_REPORT_GRID_H

#include <stdbool.h>
#include <stdio.h>

#include "isa/support/status.h"

struct grid_column {
    const char *title; /* borrowed until grid_new has returned */
    bool left;         /* aligned at the left, as texts are; these can be shortened */
};

struct grid;
struct grid *grid_new(const struct grid_column *columns, unsigned count);
void grid_free(struct grid *g);
/* Adds the next cell, row by row. The text is taken, to be freed. */
void grid_add(struct grid *g, char *text);
/* Prints lines of at most `max_width` bytes; 0: no limit. Headings get several lines, broken behind ' ', ':' and ',';
 * then the longest column of texts is shortened, then the next. A shortened text has "..." for its end, or for its
 * middle if more texts of the column differ in that way. A table that is too wide even so is printed in parts: some of
 * the numbers, then the next ones, each time beside all texts. Numbers and parts of headings are not shortened, so
 * lines can remain longer. */
void grid_print(const struct grid *g, unsigned max_width, FILE *out);

#endif
