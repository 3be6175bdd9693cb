/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an observer of a run is made of, for files that implement one; users include observers.h.
 *
 * An observer is one file in core-model/prof/ and one row in observers.def. Its own structure begins with a struct observer. Its constructor
 * fills `probe` with what it needs of the probe port: stages, the stages' cycles, tags, commit tokens. The members of its kind are called in the
 * order in which they stand here. */
#ifndef CORE_MODEL_PROF_OBSERVER_H
#define CORE_MODEL_PROF_OBSERVER_H

#include "core-model/core.h"
#include "isa/contract/timeprof.h"

struct observer;
struct report;

/* An option that may follow the observer's name: NAME:OPTION=NUMBER, or NAME:OPTION for a flag. */
struct observer_option {
    const char *name;           /* NULL ends the list */
    const char *unit;           /* of the number, in the plural; NULL: a flag, which is 0 or 1 */
    uint64_t least, most;
    uint64_t otherwise;         /* the value if the option is not given; OBSERVER_SEED: the run's seed */
};
#define OBSERVER_SEED UINT64_MAX
enum { OBSERVER_OPTIONS = 8 };

/* What an observer is created from. */
struct observer_setup {
    uint64_t option[OBSERVER_OPTIONS]; /* values, in the order of the kind's options */
};

struct observer_kind {
    const char *name, *help;
    const struct observer_option *options; /* NULL: it takes none */
    /* Creates one. NULL: the session creates it, for an option of its own or for what a profiling program needs. */
    struct observer *(*create)(const struct observer_kind *kind, const struct observer_setup *setup);
    /* Called before its subscriptions are added to a core: before core_run, or after core_begin. NULL: nothing else to do. Here it may connect
     * an interrupt handler. */
    void (*attach)(struct observer *o, struct core *core);
    /* The run of that many cycles is over. The hart's program may be read; NULL if it is not known. NULL: nothing to do. */
    void (*finish)(struct observer *o, uint64_t cycles, struct hart *hart);
    /* Its profile of time, valid from finish until release. NULL: it makes none. */
    const struct time_profile *(*time)(const struct observer *o);
    /* Adds its section to the report of the run. NULL: it has none. */
    void (*report)(const struct observer *o, struct report *r);
    void (*release)(struct observer *o);
};

struct observer {
    const struct observer_kind *kind;
    char *label;                 /* the observer with its options, as it was asked for; owned; NULL: its kind's name */
    struct probe_observer probe; /* its subscriptions; ctx is the observer */
};

/* One observer outside a set: adds its subscriptions to a core; releases it (NULL is allowed). */
void observer_attach(struct observer *o, struct core *core);
void observer_release(struct observer *o);

/* The rows of observers.def. */
#define OBSERVER(symbol) extern const struct observer_kind observer_##symbol;
#include "core-model/prof/observers.def"
#undef OBSERVER

#endif
