/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text trace of the probe port: one line per event.
 *
 *     cycle stage  sequence number: pc instruction | details of the stage
 *     cycle commit xCYCLES  the oldest ROB entries from the head on, from the commit token:
 *                           + commits, ! mispredicted, ~ flushes
 *
 * The trace shows the instructions of the window. Commit tokens are shown in a window of cycles; for other windows,
 * from the first fetch in the window until the last of its instructions leaves the pipeline. */
#ifndef CORE_MODEL_PROF_TRACE_H
#define CORE_MODEL_PROF_TRACE_H

#include <stdio.h>

#include "core-model/prof/log/window.h"
#include "core-model/prof/observer.h"

/* Bit mask of line kinds: 1 << enum probe_stage, and: */
enum { TRACE_COMMIT = 1 << PROBE_STAGE_COUNT, TRACE_ALL = (TRACE_COMMIT << 1) - 1 };

struct trace_config {
    FILE *out; /* borrowed */
    uint32_t kinds;
    struct window *window; /* borrowed */
    bool has_llc;          /* a last-level cache exists between L2 and memory */
};

struct observer *trace_new(const struct trace_config *config);

#endif
