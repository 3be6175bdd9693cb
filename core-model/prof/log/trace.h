/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the probe port says, as text: one line for each event.
 *
 *     cycle stage  sequence number: pc instruction | what matters at the stage
 *     cycle commit xCYCLES the ROB's oldest entries from the head on, as the commit token has them: + commits, !
 * mispredicted, ~ flushes
 *
 * The instructions shown are those that the window takes; commit tokens are shown in its cycles, or where it is not one
 * of cycles, from the first fetch it takes to the end of the last instruction. */
#ifndef CORE_MODEL_PROF_TRACE_H
#define CORE_MODEL_PROF_TRACE_H

#include <stdio.h>

#include "core-model/prof/log/window.h"
#include "core-model/prof/observer.h"

/* Kinds of lines are a bit mask: 1 << enum probe_stage, and */
enum { TRACE_COMMIT = 1 << PROBE_STAGE_COUNT, TRACE_ALL = (TRACE_COMMIT << 1) - 1 };

struct trace_config {
    FILE *out; /* borrowed */
    uint32_t kinds;
    struct window *window; /* borrowed */
    bool has_llc;          /* there is a cache between L2 and memory */
};

struct observer *trace_new(const struct trace_config *config);

#endif
