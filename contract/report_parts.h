/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files that implement the report tree. */
#ifndef CONTRACT_REPORT_PARTS_H
#define CONTRACT_REPORT_PARTS_H

#include "contract/report_tree.h"

/* Frees the cell's content and makes it absent. */
void report_clear_cell(struct report_cell *c);

/* report_rows.c: the rows of a table. `rows` is their number. */
struct report_rows *report_rows_new(void);
void report_rows_free(struct report_rows *r, size_t rows, unsigned columns);
/* Adds a row; returns its cells, to be filled until the next one is added. */
struct report_cell *report_rows_add(struct report_rows *r, size_t rows, unsigned columns);
struct report_cell *report_rows_last(const struct report_rows *r);
void report_rows_resolve(struct report_table *t, void (*find)(void *ctx, struct report_place *p), void *ctx);

/* Fills in a place by its address. */
void report_find_place(struct report_place *p, void (*find)(void *ctx, struct report_place *p), void *ctx);

struct report_table *report_new_table(const char *key, const char *title);
void report_free_table(struct report_table *t);
void report_resolve_cell(struct report_cell *c, void (*find)(void *ctx, struct report_place *p), void *ctx);
void report_resolve_table(struct report_table *t, void (*find)(void *ctx, struct report_place *p), void *ctx);

#endif
