/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Meanings of the columns of the text form: the rows of legend.def. */
#ifndef HOST_REPORT_LEGEND_H
#define HOST_REPORT_LEGEND_H

#include "contract/report_tree.h"
#include "host/report/render.h"

/* Title and meaning of a column in docs/columns.md and --legend. */
struct legend_entry {
    const char *title, *meaning;
};

/* The entry of a column, by the path of its table ("counts.functions.profiles"); the meaning is NULL where legend.def
 * has no row for it, as of a report of a newer version. */
struct legend_entry legend_find(const char *path, const struct report_column *c);

/* The columns of all tables that the text form shows, each entry once, in their order. */
void legend_print(const struct report *r, const struct report_view *v, FILE *out);

#endif
