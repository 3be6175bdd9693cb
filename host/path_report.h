/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of path reconstruction: the share of samples whose path each scheme finds, by scope and length. */
#ifndef HOST_PATH_REPORT_H
#define HOST_PATH_REPORT_H

#include "host/symbols.h"
#include "isa/contract/pathprof.h"
#include "isa/contract/report.h"

/* Adds the section "paths". symbols NULL: the program's code is unknown, and no path is found. */
void path_report(const struct path_result *result, const struct symbols *symbols, struct report *r);

#endif
