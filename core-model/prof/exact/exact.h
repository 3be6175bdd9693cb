/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The observers of the exact references of isa/contract/exact.def: what a profiling program's slots are set beside. */
#ifndef CORE_MODEL_PROF_EXACT_H
#define CORE_MODEL_PROF_EXACT_H

#include "core-model/prof/observer.h"
#include "isa/contract/exact.h"
#include "isa/pchash.h"

/* Of the program. */
struct exact_setup {
    uint32_t classes; /* a bit for each enum opclass that its filter passes */
    /* PC filter 1 (co-processor paper, Figure 3), for the references that say that they apply it: the others count all
     * addresses. */
    uint16_t pc_mask, pc_match;
    uint8_t pc_hash;
};

/* Does PC filter 1 pass the instruction at that address? */
static inline bool exact_setup_passes(const struct exact_setup *s, uint64_t pc)
{
    return (pchash_filter1(s->pc_hash, sample_pc32(pc)) & s->pc_mask) == s->pc_match;
}

/* What the file of a reference defines. */
struct exact_ops {
    struct observer *(*create)(const struct exact_setup *setup);
    /* As struct exact_source says; its ctx is what `create` has returned. */
    size_t (*rows)(void *observer, struct exact_row **rows);
};

#define EXACT(sym, symbol, ...) extern const struct exact_ops exact_##symbol##_ops;
#include "isa/contract/exact.def"

/* An observer for the reference: to be added to a run's set. */
struct observer *exact_new(enum exact_reference e, const struct exact_setup *setup);
/* What an observer of exact_new has counted; valid while the observer is. */
struct exact_source exact_source(enum exact_reference e, struct observer *o);
/* Reports a sample of an instruction that has retired to the observer, where there is no core: as if the instruction
 * had the sample's fields, and 0 in place of those that the sample lacks. References that take other events than
 * retirements count nothing then. */
void exact_add_sample(struct observer *o, const struct sample *s);
/* Does the observer take nothing but retirements, so that samples can stand for them? */
bool exact_takes_samples(const struct observer *o);

#endif
