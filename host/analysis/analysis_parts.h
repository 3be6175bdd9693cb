/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to host/analysis. */
#ifndef HOST_ANALYSIS_ANALYSIS_PARTS_H
#define HOST_ANALYSIS_ANALYSIS_PARTS_H

#include "host/analysis/analysis.h"
#include "host/analysis/flow.h"

struct analysis_run {
    struct analysis *result;
    const struct procedure *procedure;
    const struct code_schedule *schedule;
    const struct analysis_samples *samples;
    struct procedure_flow *flow;
};

/* Sets `cause` of all stalled instructions. */
void analysis_find_culprits(struct analysis_run *r);
/* Sets the summary. */
void analysis_summarise(struct analysis *a, const struct schedule_machine *machine);

#endif
