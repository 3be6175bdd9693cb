/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions that have left the pipeline last, with the cycle in which each passed each stage: for a debugger. */
#ifndef CORE_MODEL_PROF_RECENT_H
#define CORE_MODEL_PROF_RECENT_H

#include <stdio.h>

#include "core-model/prof/observer.h"

enum { RECENT_MOST = 256 };

struct recent;

struct recent *recent_new(void);
/* As an observer: to be added to a run's set, or released by its kind. */
struct observer *recent_observer(struct recent *r);
/* Prints the last `count` of them, the oldest first. */
void recent_print(const struct recent *r, FILE *out, uint64_t count);

#endif
