/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HOST_FAMILY_SHARING_REPORT_H
#define HOST_FAMILY_SHARING_REPORT_H

#include "contract/report.h"
#include "contract/sharingprof.h"
#include "host/symbols/symbols.h"

/* Adds the section "sharing". symbols NULL: functions and variables are unknown. */
void sharing_report(const struct sharing_result *result, const struct symbols *symbols, struct report *r);

#endif
