/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions that have left the pipeline last, with the cycle in which each passed each stage: for a debugger. */
#ifndef CORE_MODEL_PROF_RECENT_H
#define CORE_MODEL_PROF_RECENT_H

#include <stdio.h>

#include "core-model/probe.h"

enum { RECENT_MOST = 256 };

struct recent;

struct recent *recent_new(void);
void recent_free(struct recent *r);
/* Borrows r for the core's life. */
struct probe_observer recent_observer(struct recent *r);
/* Prints the last `count` of them, the oldest first. */
void recent_print(const struct recent *r, FILE *out, uint64_t count);

#endif
