/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What pcsweep estimate prints of the profiles of units. */
#ifndef TOOLS_PCSWEEP_UNIT_REPORT_H
#define TOOLS_PCSWEEP_UNIT_REPORT_H

#include "contract/report.h"
#include "tools/pcsweep/unit_profile.h"

/* Adds the cycles by cause, the gains, and the instructions and functions of each event. */
void unit_report(struct report *r, const struct unit_profile *u);

#endif
