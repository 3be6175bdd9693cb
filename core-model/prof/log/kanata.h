/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline as a picture: a log in the Kanata format, version 0004, which the viewer Konata draws.
 * Format: https://github.com/shioyadan/Konata/blob/master/docs/kanata-log-format.md
 *
 * Stages: F fetch and decode, Rn rename, Iq waits for operands, Is waits for a function unit, X executes, Xm is with
 * the memory, Cm waits to retire. Konata draws the arrows of dependences between stages whose name has an X. The
 * instructions logged are those fetched while the window is open, each to its end. */
#ifndef CORE_MODEL_PROF_KANATA_H
#define CORE_MODEL_PROF_KANATA_H

#include <stdio.h>

#include "core-model/prof/log/window.h"
#include "core-model/prof/observer.h"

/* Writes to `out` what the window takes (both borrowed). Its finish ends what is still in flight, as flushed; `out` is
 * closed after that. */
struct observer *kanata_new(FILE *out, struct window *window);

#endif
