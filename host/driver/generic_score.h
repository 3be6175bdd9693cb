/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of a layout's rows with the exact reference that the layout names (contract/exact.def). */
#ifndef HOST_DRIVER_GENERIC_SCORE_H
#define HOST_DRIVER_GENERIC_SCORE_H

#include "contract/programprof.h"
#include "host/driver/generic_rows.h"

/* Fills in the score of a table that has the ranked rows with their estimates, and the exact answers and errors of its
 * members and rows. */
void generic_score_fill(struct program_table *t, const struct generic_rows *g, const struct exact_source *exact);

#endif
