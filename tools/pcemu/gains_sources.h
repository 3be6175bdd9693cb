/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions whose results a stalled instruction of the in-order core may wait for. */
#ifndef TOOLS_PCEMU_GAINS_SOURCES_H
#define TOOLS_PCEMU_GAINS_SOURCES_H

#include "contract/timeprof.h"

enum { GAINS_SOURCES_MOST = 8 }; /* of an instruction */

struct gains_sources;

/* Of the instructions of an exact profile of time, which is borrowed, as `code` describes them. */
struct gains_sources *gains_sources_new(const struct code *code, const struct time_profile *p);
void gains_sources_free(struct gains_sources *s); /* NULL is allowed */
/* Sets their rows in the profile; returns their number. */
size_t gains_sources_find(const struct gains_sources *s, const struct time_row *stalled,
                          const struct time_row *source[GAINS_SOURCES_MOST]);

#endif
