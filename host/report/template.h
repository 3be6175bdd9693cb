/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Templates: texts of a report that name values of it, as contract/report.h describes. */
#ifndef HOST_REPORT_TEMPLATE_H
#define HOST_REPORT_TEMPLATE_H

#include "contract/report_tree.h"

/* Further names that a template may use: the rows of a table. NULL: nothing. */
struct template_rows {
    size_t shown, rows;
    const char *order; /* may be NULL */
};

/* The text, the caller's to free. A name that stands for nothing stays as it is. */
char *template_expand(const char *words, const struct report *r, const struct template_rows *rows);

#endif
