/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The observers of a run: created by name from the kinds of observers.def, or by the session; attached to a core, finished, reported and
 * released together. */
#ifndef CORE_MODEL_PROF_OBSERVERS_H
#define CORE_MODEL_PROF_OBSERVERS_H

#include <stdio.h>

#include "core-model/prof/observer.h"

/* The set of a run. */
struct observers;

struct observers *observers_new(void);
/* Releases the observers too. NULL is allowed. */
void observers_free(struct observers *set);

/* Creates those of "NAME[:OPTION...],..." and adds them; `seed` is used where an option of that kind is not given. An error says what was
 * found and what is possible; the set then has those before it. */
enum status observers_create(struct observers *set, const char *text, uint64_t seed, struct errmsg *err) MUST_USE;
/* Adds one, which is owned by the set from then on. */
void observers_add(struct observers *set, struct observer *o);
/* The names that observers_create knows and what they stand for, as lines of text. */
void observers_print_help(FILE *out);

unsigned observers_count(const struct observers *set);
struct observer *observers_at(const struct observers *set, unsigned i);

/* Attaches all to a core, in the order in which they were added: before core_run, or after core_begin. */
void observers_attach(struct observers *set, struct core *core);
/* The run of that many cycles is over. Instructions are looked up in the hart's program; hart may be NULL: then nothing is known of
 * them. */
void observers_finish(struct observers *set, uint64_t cycles, struct hart *hart);
/* The profiles of time, valid until the set is freed; NULL if no observer makes one. After observers_finish. */
const struct time_result *observers_time(struct observers *set);
/* Does any of them make a profile of time, or have a section of the report? */
bool observers_have_report(const struct observers *set);
/* Adds the sections of those that have one. */
void observers_report(const struct observers *set, struct report *r);

#endif
