/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The samples of several events side by side: a row for each address with the values of all. Those of an event that has
 * call stacks alone are at their innermost frames. Values of functions have rows of their own. */
#ifndef HOST_EXPORT_ROWS_H
#define HOST_EXPORT_ROWS_H

#include "host/export/select.h"

struct export_row {
    uint32_t image;
    bool is_function; /* the values are those of the function that begins at the address */
    uint64_t address;
    uint64_t *value; /* by event of the selection, whole numbers */
};

struct export_rows {
    struct export_row *row; /* in ascending order of image and address, of one place the instruction first; rows of
                               zeros are left out */
    size_t count;
    uint64_t *values;
};

/* The caller calls export_rows_free. */
void export_rows_make(struct export_rows *rows, const struct profile *p, const struct export_events *events);
void export_rows_free(struct export_rows *rows);

#endif
