/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of gains. */
#ifndef HOST_FAMILY_GAIN_REPORT_H
#define HOST_FAMILY_GAIN_REPORT_H

#include "contract/gain.h"
#include "contract/report.h"
#include "host/symbols/symbols.h"

/* Adds the section "gains". symbols NULL: functions are unknown. */
void gain_report(const struct gain_result *result, const struct symbols *symbols, struct report *r);

#endif
