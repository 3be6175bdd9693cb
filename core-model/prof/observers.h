/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The observers of a run: created by name from the kinds of observers.def, or by the session; attached to a core,
 * finished, reported and released together. */
#ifndef CORE_MODEL_PROF_OBSERVERS_H
#define CORE_MODEL_PROF_OBSERVERS_H

#include <stdio.h>

#include "core-model/prof/observer.h"

/* The set of observers of a run. */
struct observers;

struct observers *observers_new(void);
/* Also releases the observers. NULL is allowed. */
void observers_free(struct observers *set);

/* Creates the observers of "NAME[:OPTION...],..." and adds them; `seed` is the run's seed. After an error the set has
 * the observers before the erroneous one. */
enum status observers_create(struct observers *set, const char *text, uint64_t seed, struct errmsg *err) MUST_USE;
/* ST_INPUT: the set has an observer of another core; before observers_attach. */
enum status observers_check_core(const struct observers *set, const struct core *core, struct errmsg *err) MUST_USE;
/* Whether the set has an observer of the kind with this name. */
bool observers_has_kind(const struct observers *set, const char *name);
/* Whether the set has an observer with this text in --profile; case is ignored. */
bool observers_is_listed(const struct observers *set, const char *label);
/* Whether one more observer can be added that the user asks for. */
bool observers_has_room(const struct observers *set);
/* Adds an observer and takes ownership of it. */
void observers_add(struct observers *set, struct observer *o);
/* Prints the names accepted by observers_create with their descriptions, one per line. */
void observers_print_help(FILE *out);
/* Prints the words of --profile, by option_text_print_words. */
void observers_print_words(FILE *out);

unsigned observers_count(const struct observers *set);
struct observer *observers_at(const struct observers *set, unsigned i);

/* Returns whether the samples of an observer are collected by a driver (option `collect`). */
bool observers_collect(const struct observers *set);
/* Sets the handler of such observers' interrupts, which is borrowed. To be called before observers_attach. */
void observers_set_handler(struct observers *set, const struct counter_handler *handler);
/* The profiles of time, event signatures, counts and counters are made by calling context, too (contract/call_tree.h).
 * `threads` is borrowed, and serves all harts. To be called before observers_create. */
struct call_threads;
void observers_follow_calls(struct observers *set, struct call_threads *threads);
/* Notes that the core is one of several harts, which have no thread to run at times (has_idle of the results). */
void observers_expect_idle(struct observers *set);
/* Asks the observers `graph` about sets of instructions, which are borrowed until observers_finish (graph_observer.h).
 */
struct ideal;
void observers_ask_graph(struct observers *set, const struct ideal *const *asked, size_t count);
/* Attaches all observers to a core in the order of addition; to be called before core_run or after core_begin. */
void observers_attach(struct observers *set, struct core *core);
/* Finishes all observers after a run of `cycles` cycles. Instructions are looked up in the hart's program; if `hart` is
 * NULL they are unknown. */
void observers_finish(struct observers *set, uint64_t cycles, struct hart *hart);
/* Adds the profiles of the same observers on another hart, finished too, to those of `set`, whose profiles of the first
 * hart alone are then lost. */
void observers_sum(struct observers *set, const struct observers *other);
/* The profiles of each family of families.def, after observers_finish; valid until the set is freed. NULL if there are
 * none. */
#define FAMILY(name, type) const struct type##_result *observers_##name(const struct observers *set);
#include "contract/families.def"
/* Returns whether an observer has a profile or a section of the report. */
bool observers_have_report(const struct observers *set);
/* Adds the observers' sections to the report. */
void observers_report(const struct observers *set, struct report *r);
/* Adds those sections of another hart's observers to a report of all harts that are not summed up over the harts. */
void observers_report_each(const struct observers *set, struct report *r);

#endif
