/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of path reconstruction: the share of samples whose path each scheme finds, by scope and length. */
#ifndef HOST_FAMILY_PATH_REPORT_H
#define HOST_FAMILY_PATH_REPORT_H

#include "contract/pathprof.h"
#include "contract/report.h"
#include "host/symbols/symbols.h"

/* Adds the section "paths". symbols NULL: the program's code is unknown, and no path is found. */
void path_report(const struct path_result *result, const struct symbols *symbols, struct report *r);

#endif
