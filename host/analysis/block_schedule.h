/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Static schedules of the blocks of a procedure. */
#ifndef HOST_ANALYSIS_BLOCK_SCHEDULE_H
#define HOST_ANALYSIS_BLOCK_SCHEDULE_H

#include "contract/schedule.h"
#include "host/analysis/flow.h"

/* The schedule of an instruction. */
struct block_row {
    struct schedule_row row; /* on the most frequent path */
    double cycles;           /* mean M over the paths that lead to the block */
    bool varies;             /* M depends on the path, or on whether the pipeline restarts at the block */
};

/* Facts about the procedure's execution; NULL: unknown. */
struct block_history {
    const struct procedure_flow *flow; /* paths are weighted by it, and those with a rare edge are ignored */
    const bool *restarts;              /* by block: the pipeline may restart there, after a misprediction for example */
    /* By instruction. If known, a block has the schedule that agrees best with them, of one path or the mean. */
    const double *samples;
};

/* Writes a row for each instruction of the procedure to `row`. A block is scheduled behind the instructions of each
 * path that leads to it, from a call on, and alone where nothing is known before it. */
void block_schedule(const struct procedure *p, const struct code_schedule *schedule,
                    const struct block_history *history, struct block_row *row);

#endif
