/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files that implement the report tree. */
#ifndef ISA_CONTRACT_REPORT_PARTS_H
#define ISA_CONTRACT_REPORT_PARTS_H

#include "isa/contract/report_tree.h"

/* Frees the cell's content and makes it absent. */
void report_clear_cell(struct report_cell *c);

struct report_table *report_new_table(const char *key, const char *title);
void report_free_table(struct report_table *t);
void report_resolve_cell(struct report_cell *c, void (*find)(void *ctx, struct report_place *p), void *ctx);
void report_resolve_table(struct report_table *t, void (*find)(void *ctx, struct report_place *p), void *ctx);

#endif
