/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of text with aligned columns. */
#ifndef HOST_TABLE_H
#define HOST_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "isa/support/status.h"

struct table_column {
    const char *title;
    bool right;        /* aligned at the right, as numbers are */
};

struct table;
/* The columns and their titles are copied. */
struct table *table_new(const struct table_column *columns, unsigned count);
void table_free(struct table *t);
/* The next cell, row by row. */
void table_add(struct table *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
void table_print(const struct table *t, FILE *out);

#endif
