/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last instructions that left the pipeline, with the cycle of each stage; for the debugger. */
#ifndef CORE_MODEL_PROF_RECENT_H
#define CORE_MODEL_PROF_RECENT_H

#include <stdio.h>

#include "core-model/prof/observer.h"

enum { RECENT_MOST = 256 };

struct recent;

struct recent *recent_new(void);
/* The observer, to be added to a run's set, or released by its kind. */
struct observer *recent_observer(struct recent *r);
/* Prints the last `count` instructions, oldest first. */
void recent_print(const struct recent *r, FILE *out, uint64_t count);

#endif
