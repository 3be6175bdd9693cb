/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The generic driver's part of a report: a section with a table for each layout. */
#ifndef HOST_DRIVER_GENERIC_REPORT_H
#define HOST_DRIVER_GENERIC_REPORT_H

#include "contract/programprof.h"
#include "contract/report.h"

/* Adds the list `layouts` of the program's tables. */
void generic_report(struct report *r, const struct program_profile *p);

#endif
