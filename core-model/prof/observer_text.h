/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading NAME[:OPTION...], by which a user asks for an observer, against the kinds that there are. Private to observers.c. */
#ifndef CORE_MODEL_PROF_OBSERVER_TEXT_H
#define CORE_MODEL_PROF_OBSERVER_TEXT_H

#include "core-model/prof/observer.h"

/* Takes `item` apart and finds the kind and the values of its options; options of a seed that are not given are `seed`. An error names the
 * nearest name and all that are possible. */
enum status observer_text_parse(char *item, const struct observer_kind *const *kinds, unsigned count, uint64_t seed,
                                const struct observer_kind **kind, struct observer_setup *setup, struct errmsg *err) MUST_USE;

#endif
