/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profilers of time that watch a run: chosen by name from profilers.def, attached to a core, and their results. */
#ifndef CORE_MODEL_PROF_PROFILERS_H
#define CORE_MODEL_PROF_PROFILERS_H

#include <stdio.h>

#include "core-model/core.h"
#include "isa/contract/timeprof.h"

struct profilers;

/* From "NAME[:OPTION...],...", where an option is period=N (cycles), random or seed=N; `seed` is used where none is given.
 * *out is NULL after an error, which says what would have been right. */
enum status profilers_new(struct profilers **out, const char *text, uint64_t seed, struct errmsg *err) MUST_USE;
void profilers_free(struct profilers *s);
/* The names and what they stand for, as lines of text. */
void profilers_print_help(FILE *out);

unsigned profilers_count(const struct profilers *s);
/* What the profiler wants to see of a core or of a hand-written stream. */
const struct probe_observer *profilers_observer(const struct profilers *s, unsigned i);
/* Before core_run, or after core_begin: time counts from then on. */
void profilers_attach(struct profilers *s, struct core *c);

/* The run of that many cycles is over: the profiles, good until profilers_free. Instructions are looked up in the hart's program;
 * hart may be NULL, then nothing is known about them. */
const struct time_result *profilers_finish(struct profilers *s, uint64_t cycles, struct hart *hart);

#endif
