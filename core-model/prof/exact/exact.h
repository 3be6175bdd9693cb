/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Observers of the exact references of contract/exact.def, the ground truth for a profiling program's slots. */
#ifndef CORE_MODEL_PROF_EXACT_H
#define CORE_MODEL_PROF_EXACT_H

#include "contract/exact.h"
#include "core-model/prof/observer.h"
#include "isa/pchash.h"

/* Filters of the program. */
struct exact_setup {
    uint32_t classes; /* bit mask of enum opclass that the opcode filter passes */
    /* PC filter 1 (co-processor paper, Figure 3), for the references that apply it; the others count all addresses. */
    uint16_t pc_mask, pc_match;
    uint8_t pc_hash;
};

/* Returns whether PC filter 1 passes the instruction at this address. */
static inline bool exact_setup_passes(const struct exact_setup *s, uint64_t pc)
{
    return (pchash_filter1(s->pc_hash, sample_pc32(pc)) & s->pc_mask) == s->pc_match;
}

/* Implementation of a reference. */
struct exact_ops {
    struct observer *(*create)(const struct exact_setup *setup);
    /* Member of struct exact_source of the same name; ctx is the result of `create`. */
    size_t (*rows)(void *observer, struct exact_row **rows);
    bool of_all_harts; /* one observer is for all harts, because the reference relates instructions of different ones */
};

#define EXACT(sym, symbol, ...) extern const struct exact_ops exact_##symbol##_ops;
#include "contract/exact.def"

/* Creates an observer for the reference, to be added to a run's set. */
struct observer *exact_new(enum exact_reference e, const struct exact_setup *setup);
/* Returns whether one observer is to be attached to the cores of all harts, not one to each. */
bool exact_is_of_all_harts(enum exact_reference e);
/* The sums of the counts of several observers of a reference, one for each hart; valid during the life of both. */
struct exact_sum {
    enum exact_reference reference;
    struct observer *of[GUEST_HARTS_MAX];
    unsigned harts;
    struct exact_row *before; /* owned; counts that are left out, see exact_sum_restart */
    size_t rows_before;
};
struct exact_source exact_sum_source(struct exact_sum *s);
/* Leaves out what has been counted until now. A count that is a sum of parts of a unit, such as time, can then be wrong
 * by one unit. */
void exact_sum_restart(struct exact_sum *s);
void exact_sum_fini(struct exact_sum *s);
/* The counts of an observer of exact_new; valid during the life of the observer. */
struct exact_source exact_source(enum exact_reference e, struct observer *o);
/* Without a core: reports a sample of a retired instruction to the observer, as an instruction with the sample's
 * fields, missing fields being 0. References that need other events than retirements count nothing. */
void exact_add_sample(struct observer *o, const struct sample *s);
/* Returns whether the observer needs only retirements, for which samples can substitute. */
bool exact_takes_samples(const struct observer *o);

#endif
