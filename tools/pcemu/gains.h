/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gains (--gain): after the run, the run is repeated without causes of delay,
 * each in a process of its own. */
#ifndef TOOLS_PCEMU_GAINS_H
#define TOOLS_PCEMU_GAINS_H

#include "contract/families.h"
#include "contract/gain.h"

struct session;
struct gains;

/* Forks the process whose children repeat the run; the session's result has no rows yet. To be called before the
 * session is set up and anything is read from standard input. NULL: the option is not given. Exits on error. */
struct gains *gains_start(struct session *s);
/* Ends that process, if it has not ended. NULL is allowed. */
void gains_free(struct gains *g);
/* Finds the places that the user asks about, in the program and the libraries that it has mapped; exits on error. NULL
 * is allowed. */
void gains_place(struct gains *g, struct session *s);
/* Repeats the run for each question, and waits for the ends. A signal that ends pcemu ends the
 * repetitions; their gains are then unknown. The result is valid until gains_free. */
const struct gain_result *gains_find(struct gains *g, struct session *s, const struct time_result *time,
                                     const struct graph_result *graph);

#endif
