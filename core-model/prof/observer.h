/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interface for the implementation of observers; users include observers.h.
 *
 * An observer is one file in core-model/prof/ and one row in observers.def. Its structure begins with a struct
 * observer. Its constructor sets the subscriptions to the probe port in `probe`: stages, cycles of stages, tags, commit
 * tokens. The functions of a kind are called in the order of declaration. */
#ifndef CORE_MODEL_PROF_OBSERVER_H
#define CORE_MODEL_PROF_OBSERVER_H

#include "base/option_text.h"
#include "contract/counter_handler.h"
#include "contract/families.h"
#include "core-model/core.h"

struct observer;
struct report;
struct call_tracker;

enum { OBSERVER_OPTIONS = 10 };

/* The argument of a constructor. */
struct observer_setup {
    uint64_t option[OBSERVER_OPTIONS]; /* values in the order of the kind's options */
    uint32_t given;                    /* bit mask of the given options */
};

struct observer_kind {
    const char *name, *help;
    /* Options after the name in --profile: NAME[:OPTION...]. NULL: none. */
    const struct text_option *options;
    /* Describes an inconsistency of options that are each in range, in one line without "--profile: ". NULL: there is
     * nothing to check. */
    const char *(*objection)(const struct observer_setup *setup);
    bool out_of_order; /* it is of that core alone */
    /* Creates an observer for --profile. NULL: the kind is not available in --profile; pcemu creates it in another
     * way. */
    struct observer *(*create)(const struct observer_kind *kind, const struct observer_setup *setup);
    /* Called before the subscriptions are added to a core: before core_run or after core_begin. May connect an
     * interrupt handler. May be NULL. */
    void (*attach)(struct observer *o, struct core *core);
    /* Called at the end of the run, with its length in cycles. `hart` gives access to the program and may be NULL. May
     * be NULL. */
    void (*finish)(struct observer *o, uint64_t cycles, struct hart *hart);
    /* For each family of families.def, returns the observer's profile, valid from `finish` until `release`. NULL:
     * none. */
#define FAMILY(name, type) const struct type##_profile *(*name)(const struct observer *o);
#include "contract/families.def"
    /* Adds the observer's section to the report. NULL: none. */
    void (*report)(const struct observer *o, struct report *r);
    bool of_each_hart;                   /* a report of several harts has the section of each */
    void (*release)(struct observer *o); /* NULL: it owns nothing else */
};

struct observer {
    const struct observer_kind *kind;
    char *label;                           /* its text in --profile with options; owned; NULL: the kind's name */
    struct probe_listener probe;           /* subscriptions; ctx is the observer */
    unsigned lines;                        /* number of interrupt lines connected by `attach` */
    bool collects;                         /* the samples go to `handler` */
    const struct counter_handler *handler; /* borrowed; NULL: none */
    /* Borrowed; NULL: none. With calls, the observer gets places for addresses (stack/call_view.h). */
    const struct call_tracker *calls;
    unsigned number; /* among the observers with this handler */
};

/* For a single observer outside a set. observer_attach adds its subscriptions to a core; observer_release accepts
 * NULL. */
void observer_attach(struct observer *o, struct core *core);
void observer_release(struct observer *o);

/* The rows of observers.def. */
#define OBSERVER(symbol) extern const struct observer_kind observer_##symbol;
#include "core-model/prof/observers.def"

#endif
