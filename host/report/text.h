/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the text form. */
#ifndef HOST_REPORT_TEXT_H
#define HOST_REPORT_TEXT_H

#include "contract/report_tree.h"
#include "host/report/render.h"

/* A paragraph, with its line end, in lines of at most `width` columns, and of a width that is easy to read. */
void text_print_prose(const char *words, unsigned width, FILE *out);
/* A table with its title; nothing where no column has a heading and there is no title. `r` is its section. */
void text_print_table(const struct report_table *t, const struct report *r, const struct report_view *v, FILE *out);

/* A column of the text form, of a table or of one nested in it. */
struct text_column {
    const struct report_table *table;
    unsigned column, order;
    struct names *names; /* of the functions in the rows that are shown */
    bool colours;
    size_t lines; /* of the row that is being added: those with a cell of the column */
};
/* The columns with a heading, in the order of the text form; the caller's to free. */
struct text_column *text_choose_columns(const struct report_table *t, unsigned *count);

#endif
