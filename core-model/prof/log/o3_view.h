/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline log in gem5's format (its debug flag O3PipeView), for gem5's util/o3-pipeview.py and for Konata: for each
 * instruction, when it leaves the pipeline, a line for each stage with the tick in which the stage begins.
 *
 * A tick is 1/1000 cycle, as gem5's at 1 GHz. 0: the instruction was squashed before the stage; no other stage of a
 * retired instruction is 0, which viewers would take for a squash. The core has no decode stage: decode is the last
 * cycle of the front end. dispatch follows rename, or is the cycle of the issue if that is earlier. Stores complete
 * after retirement, which the log does not show. */
#ifndef CORE_MODEL_PROF_O3_VIEW_H
#define CORE_MODEL_PROF_O3_VIEW_H

#include <stdio.h>

#include "core-model/prof/log/window.h"
#include "core-model/prof/observer.h"

/* Logs the instructions of the window to `out` (both borrowed), but for those in flight when the run ends. */
struct observer *o3_view_new(FILE *out, struct window *window);

#endif
