/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of text in aligned columns. */
#ifndef HOST_REPORT_GRID_H
#define HOST_REPORT_GRID_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

struct grid_column {
    const char *title; /* borrowed until grid_new has returned */
    bool left;         /* aligned at the left, as texts and intervals are */
    bool text;         /* can be shortened, and is repeated in each part of a table that is printed in parts */
    bool kept;         /* a text that is shortened after those of the other columns */
};

struct grid;
struct grid *grid_new(const struct grid_column *columns, unsigned count);
void grid_free(struct grid *g);
/* Adds the next cell, row by row. The text is taken, to be freed. If it is shortened, its last `tail_bytes` stay, with
 * as much of its beginning as there is room for. */
void grid_add(struct grid *g, char *text, size_t tail_bytes);
/* Gives the cell added last the escape sequence of its colour (colour.h), for lines that are not broken; NULL: none. */
void grid_colour(struct grid *g, const char *begin);
/* Prints the columns, but for those of numbers without any number, in lines of at most `max_width` columns; 0: no
 * limit. Headings get several lines, broken behind ' ', ':' and ',';
 * then the longest columns of texts are shortened. A shortened text without a tail has "..." for its end, or for its
 * middle if more texts of the column differ in that way. A table that is too wide even so is printed in parts: some of
 * the numbers, then the next ones, each time beside all texts. Numbers and parts of headings are not shortened: a line
 * that is too long even so is broken between cells. */
void grid_print(const struct grid *g, unsigned max_width, FILE *out);

#endif
