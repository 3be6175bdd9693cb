/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses NAME[:OPTION...], an observer with its options as --profile takes it. Private to observers.c. */
#ifndef CORE_MODEL_PROF_OBSERVER_TEXT_H
#define CORE_MODEL_PROF_OBSERVER_TEXT_H

#include <stdio.h>

#include "core-model/prof/observer.h"

/* Finds the kind and the values of its options; `item` is modified. An option of the value OBSERVER_SEED that is not
 * given is `seed`. An error names the nearest name and lists all names. */
enum status observer_text_parse(char *item, const struct observer_kind *const *kinds, unsigned count, uint64_t seed,
                                const struct observer_kind **kind, struct observer_setup *setup,
                                struct errmsg *err) MUST_USE;

/* Prints "; :OPTION=N ..." and a line end, then lines of the names that options take. */
void observer_text_print_options(const struct observer_kind *kind, FILE *out);

#endif
