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
/* Prints lines of at most `max_width` bytes, by shortening the longest column of texts, then the next; 0: no limit. A
 * shortened cell ends in "...". Numbers and headings are not shortened, so lines can remain longer. */
void grid_print(const struct grid *g, unsigned max_width, FILE *out);

#endif
