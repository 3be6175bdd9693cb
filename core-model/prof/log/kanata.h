/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline log in the Kanata format, version 0004, for the viewer Konata. Format:
 * https://github.com/shioyadan/Konata/blob/master/docs/kanata-log-format.md
 *
 * Stages: F fetch and decode, Rn rename, Iq waits for operands, Is waits for a function unit, X executes, Xm is with
 * the memory, Cm waits to retire. Konata draws dependence arrows between stages whose name contains an X. The log has
 * the instructions fetched inside the window, each until it leaves the pipeline. */
#ifndef CORE_MODEL_PROF_KANATA_H
#define CORE_MODEL_PROF_KANATA_H

#include <stdio.h>

#include "core-model/prof/log/window.h"
#include "core-model/prof/observer.h"

/* The format of a pipeline log: this one, or that of o3_view.h. */
enum kanata_form { KANATA_FORM_KANATA, KANATA_FORM_O3PIPEVIEW, KANATA_FORMS };
extern const char *const kanata_form_names[KANATA_FORMS];

/* Logs the instructions of the window to `out` (both borrowed). At finish, instructions in flight are logged as
 * flushed; `out` may be closed afterwards. */
struct observer *kanata_new(FILE *out, struct window *window);

#endif
