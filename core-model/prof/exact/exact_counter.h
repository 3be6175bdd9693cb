/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An observer whose result is an exact table: base of the observers of most references. */
#ifndef CORE_MODEL_PROF_EXACT_COUNTER_H
#define CORE_MODEL_PROF_EXACT_COUNTER_H

#include "core-model/prof/exact/exact.h"
#include "core-model/prof/exact/exact_table.h"

struct exact_counter {
    struct observer base;
    struct event_filter filter; /* filter of retired instructions */
    struct exact_table table;
};

/* Allocates `bytes` that begin with an exact_counter, for a kind whose release function ends with
 * exact_counter_release. `retired` is called for retired instructions of the classes; it reads their values. */
void *exact_counter_new(size_t bytes, const struct observer_kind *kind, uint32_t classes,
                        void (*retired)(void *ctx, const struct probe_insn *in, uint64_t cycle));
/* Defines the reference that only counts retired instructions, in a `type` that begins with an exact_counter. */
#define EXACT_COUNTER(symbol, type, retired)                                                                           \
    const struct observer_kind observer_exact_##symbol = {.name = "exact-" #symbol, .release = exact_counter_release}; \
    static struct observer *exact_##symbol##_create(const struct exact_setup *setup)                                   \
    {                                                                                                                  \
        return exact_counter_new(sizeof(type), &observer_exact_##symbol, setup->classes, retired);                     \
    }                                                                                                                  \
    const struct exact_ops exact_##symbol##_ops = {.create = exact_##symbol##_create, .rows = exact_counter_rows};

/* The release function of kinds that own nothing else. */
void exact_counter_release(struct observer *o);
/* The rows of its table, as struct exact_ops has them. */
size_t exact_counter_rows(void *observer, struct exact_row **rows);

#endif
