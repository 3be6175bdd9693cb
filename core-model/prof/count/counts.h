/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Access to the counts of the observer `counts`, for observers built on it: they are created by observer_counts.create
 * and begin with its structure. */
#ifndef CORE_MODEL_PROF_COUNT_COUNTS_H
#define CORE_MODEL_PROF_COUNT_COUNTS_H

#include "core-model/prof/count/count_table.h"
#include "core-model/prof/observer.h"

/* The options of `counts`. */
enum counts_option { COUNTS_SLOTS };

/* The current counts in ascending order of pc. The caller frees the array. Before finish, counts of pairs exclude
 * instructions in flight. */
struct count_row *counts_rows(const struct observer *o, size_t *count);

#endif
