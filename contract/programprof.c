/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contract/programprof.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"

/* The rows are one block with their numbers behind them. */
void program_table_make_rows(struct program_table *t, size_t rows)
{
    t->rows = rows;
    t->row = xcalloc(rows, sizeof *t->row + t->members * sizeof *t->row->number);
    for (size_t i = 0; i < rows; i++)
        t->row[i] = (struct program_row){.error = (double)NAN,
                                         .number = (struct program_number *)&t->row[rows] + i * t->members};
}

void program_table_release(struct program_table *t) { free(t->row); }

void program_profile_free(struct program_profile *p)
{
    if (p == NULL)
        return;
    for (unsigned i = 0; i < p->tables; i++)
        program_table_release(&p->table[i]);
    for (size_t i = 0; i < p->paths; i++)
        free(p->path[i].entry);
    free(p->path);
    free(p);
}
