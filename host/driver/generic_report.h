/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The generic driver's part of a report: a section with a table for each layout. */
#ifndef HOST_DRIVER_GENERIC_REPORT_H
#define HOST_DRIVER_GENERIC_REPORT_H

#include "contract/report.h"
#include "host/driver/generic_score.h"

/* Adds a layout's table to its section. `score` compares it with the exact counts; NULL: these are unknown. `scale`
 * converts counts to estimates. */
void generic_report(struct report *r, const struct generic_rows *g, const struct generic_score *score,
                    struct generic_scale scale);

#endif
