/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface of an observer, for files that implement one; users include observers.h.
 *
 * An observer is one file in core-model/prof/ and one row in observers.def. Its own structure begins with a struct
 * observer. Its constructor fills `probe` with its subscriptions to the probe port: stages, the stages' cycles, tags,
 * commit tokens. The functions of its kind are called in the order in which they are declared here. */
#ifndef CORE_MODEL_PROF_OBSERVER_H
#define CORE_MODEL_PROF_OBSERVER_H

#include "core-model/core.h"
#include "isa/contract/families.h"
#include "isa/support/option_text.h"

struct observer;
struct report;

enum { OBSERVER_OPTIONS = 8 };

/* The argument of a constructor. */
struct observer_setup {
    uint64_t option[OBSERVER_OPTIONS]; /* values, in the order of the kind's options */
    uint32_t given;                    /* a bit for each option that was given */
};

struct observer_kind {
    const char *name, *help;
    /* Behind the name in --profile: NAME[:OPTION...]. NULL: none */
    const struct text_option *options;
    /* Says what is wrong with options that are within their ranges, in one line without "--profile: ". NULL: nothing
     * can be. */
    const char *(*objection)(const struct observer_setup *setup);
    /* Creates an observer for --profile. NULL: --profile does not offer the kind; pcemu creates it otherwise. */
    struct observer *(*create)(const struct observer_kind *kind, const struct observer_setup *setup);
    /* Called before its subscriptions are added to a core, that is, before core_run or after core_begin. It may connect
     * an interrupt handler. NULL: nothing to do. */
    void (*attach)(struct observer *o, struct core *core);
    /* Called when the run is over, with its length in cycles. `hart` is for reading the program; it may be NULL. NULL:
     * nothing to do. */
    void (*finish)(struct observer *o, uint64_t cycles, struct hart *hart);
    /* Return its profile of each family of families.def, valid from finish until release. NULL: it makes none. */
#define FAMILY(name, type) const struct type##_profile *(*name)(const struct observer *o);
#include "isa/contract/families.def"
#undef FAMILY
    /* Adds its section to the report of the run. NULL: it has none. */
    void (*report)(const struct observer *o, struct report *r);
    void (*release)(struct observer *o);
};

struct observer {
    const struct observer_kind *kind;
    char *label;                 /* its text in --profile, with the options; owned; NULL: the kind's name */
    struct probe_observer probe; /* its subscriptions; ctx is the observer */
    unsigned lines;              /* interrupt lines that `attach` connects */
};

/* For one observer outside a set. observer_attach adds its subscriptions to a core; observer_release takes NULL too. */
void observer_attach(struct observer *o, struct core *core);
void observer_release(struct observer *o);

/* The rows of observers.def. */
#define OBSERVER(symbol) extern const struct observer_kind observer_##symbol;
#include "core-model/prof/observers.def"
#undef OBSERVER

#endif
