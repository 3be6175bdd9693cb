/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An observer that writes the probe stream of a run to a file, from which core-model/record/replay.h repeats the same
 * calls. It subscribes to the whole stream. */
#ifndef CORE_MODEL_PROF_LOG_RECORDER_H
#define CORE_MODEL_PROF_LOG_RECORDER_H

#include <stdio.h>

#include "core-model/prof/observer.h"
#include "core-model/record/facts.h"

struct recorder;

/* `out` and `core` are borrowed. To be created while the pipeline is empty, e.g. before core_run. */
struct recorder *recorder_new(FILE *out, const struct core *core, const struct record_head *head);
struct observer *recorder_observer(struct recorder *r);
/* Writes the end of the recording. To be called after the observer has finished. */
void recorder_conclude(struct recorder *r, const struct record_tail *tail);

#endif
