/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a layout as a table of the program's profile. */
#ifndef HOST_DRIVER_GENERIC_PROFILE_H
#define HOST_DRIVER_GENERIC_PROFILE_H

#include "contract/programprof.h"
#include "host/driver/generic_rows.h"

/* Fills in the table, which is compared with the layout's reference. `exact` NULL: this is unknown. The caller releases
 * the table, which borrows the layout's names. */
void generic_profile_fill(struct program_table *t, struct generic_rows *g, const struct exact_source *exact,
                          struct program_scale scale);
/* Its part in generic_score.c: fills in the score, and the exact answers and errors of members and rows. */
void generic_score_fill(struct program_table *t, const struct generic_rows *g, const struct exact_source *exact);

#endif
