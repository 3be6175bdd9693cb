/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Useful concurrency and wasted issue slots, in a report. */
#ifndef HOST_DRIVER_PAIRED_REPORT_H
#define HOST_DRIVER_PAIRED_REPORT_H

#include "contract/programprof.h"
#include "contract/report.h"

/* Adds the section `paired`. */
void paired_report(struct report *r, const struct program_profile *p);

#endif
