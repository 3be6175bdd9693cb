/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the observer `counts` has counted, for observers that are built on it: they are created by
 * observer_counts.create, and begin with its structure. */
#ifndef CORE_MODEL_PROF_COUNT_COUNTS_H
#define CORE_MODEL_PROF_COUNT_COUNTS_H

#include "core-model/prof/count/count_table.h"
#include "core-model/prof/observer.h"

/* The options of `counts`. */
enum counts_option { COUNTS_SLOTS };

/* The counts so far, valid while the observer is. Those of pairs lack the instructions in flight, until it is
 * finished. */
const struct count_table *counts_table(const struct observer *o);

#endif
