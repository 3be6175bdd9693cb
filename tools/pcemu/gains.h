/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gains (--gain): after the run, the run is repeated without the causes of delay of the instructions that stall it,
 * each in a process of its own. */
#ifndef TOOLS_PCEMU_GAINS_H
#define TOOLS_PCEMU_GAINS_H

#include "contract/gain.h"
#include "contract/timeprof.h"

struct session;
struct gains;

/* Forks the process whose children repeat the run; the session's result has no rows yet. To be called before the
 * session is set up and anything is read from standard input. NULL: the option is not given. Exits on error. */
struct gains *gains_start(struct session *s);
/* Ends that process, if it has not ended. NULL is allowed. */
void gains_free(struct gains *g);
/* Repeats the run, for instructions of the profile of time, and waits for the ends. A signal that ends pcemu ends the
 * repetitions; their gains are then unknown. The result is valid until gains_free. */
const struct gain_result *gains_find(struct gains *g, struct session *s, const struct time_result *time);

#endif
