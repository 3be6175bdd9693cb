/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The value profile in host memory: what the slots brought, per static load and value, and the invariances estimated
 * from it (co-processor paper, sections 5.1.4 and 5.1.5, appendix A.6).
 *
 * Time is cut into rounds, of which a load takes one or more to be sufficiently known; then it is profiled afresh from
 * the next one on. What it showed speaks for the time from the beginning of its first round to the end of its last.
 * When that is over its samples are scaled to the executions that it must have had in that time: samples per cycle,
 * while it was looked at, times the cycles (section 5.1.4: "periodically re-sample"). */
#ifndef HOST_VALUE_PROFILE_H
#define HOST_VALUE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include <uthash.h>

#include "host/value_set.h"

/* A load keeps no more values than these between rounds: those that weigh most. */
enum { VALUE_KEPT = 64 };

/* One value of a load, in the regions where it was a slot's active value. */
struct value_count {
    uint32_t value;         /* the low 32 bits */
    uint64_t hits, misses;  /* of all rounds */
    bool steady;            /* a slot has had it with many hits and next to no misses */
    struct value_set highs; /* what its high half was; empty where that is not known */
    unsigned high_visits;
    bool high_known; /* sufficiently, or asked about often enough */
    uint64_t exact;  /* occurrences in truth, once value_score has run */
};

struct value_load {
    uint32_t pc32;
    uint64_t total;             /* samples seen by its slots, re-selections included, of all rounds */
    unsigned visits;            /* that brought enough samples to count */
    struct value_set past;      /* of the rounds that are closed: executions, as estimated, for samples */
    struct value_count *values; /* every value that a slot brought */
    unsigned value_count, value_room;
    /* since it was last known */
    struct value_set round;
    uint64_t round_start;  /* core cycle */
    uint64_t round_cycles; /* of the visits that saw it */
    uint64_t visit_total;  /* samples of the present visit */
    unsigned round_visits; /* visits that brought enough samples to count */
    bool masked;
    uint64_t masked_cycle;        /* when it was for the first time; 0: never */
    bool plain;                   /* its slots were single samples: hits, and no misses counted */
    bool known;                   /* truth knows it */
    uint64_t executions;          /* if known */
    struct value_load *next_seen; /* the loads of the present visit */
    bool seen;
    bool asking;     /* it waits for a visit of the second pass */
    uint64_t looked; /* core cycle at which the last visit that saw it ended */
    unsigned checks; /* checks (value_check.h) that brought enough samples to count */
    bool waiting;    /* for a check */
    struct value_load *check_prev, *check_next;
    UT_hash_handle hh;
};

struct value_profile {
    struct value_load *loads; /* a uthash table by pc32 */
    struct value_load *seen;  /* those of the present visit */
    unsigned masked;
    bool plain;           /* slots are single samples */
    uint64_t round_start; /* core cycle */
    uint64_t visit_start; /* core cycle at which the present visit began */
    bool checking;        /* it is a check: what it brings of a masked load is a round of its own */
};

void value_profile_init(struct value_profile *p);
void value_profile_fini(struct value_profile *p);
struct value_load *value_profile_find(const struct value_profile *p, uint32_t pc32);
unsigned value_profile_count(const struct value_profile *p);

/* Adds one slot to its load, and the load to those seen in this visit. */
struct value_load *value_profile_add(struct value_profile *p, uint32_t pc32, uint32_t value, uint64_t hits,
                                     uint64_t misses, uint64_t total);
/* Forgets which loads the visit, of so many cycles, has seen, for the next one. */
void value_profile_end_visit(struct value_profile *p, uint64_t cycles);
/* A new round begins at that core cycle: the masked loads are unmasked, and start afresh. */
void value_profile_next_round(struct value_profile *p, uint64_t cycle);
/* The run is over: closes what is open. */
void value_profile_close(struct value_profile *p, uint64_t cycle);

/* The load's value, which a slot has brought; NULL if none has. */
struct value_count *value_load_find(const struct value_load *l, uint32_t value);

/* When a load is sufficiently known (section 5.1.4), with the reasons for the numbers:
 *
 * What is judged is held = (most hits of one value) / (all samples seen) in this round. For a load that had one active
 * value it is the paper's hits / (hits + misses). Where values were re-selected, or several slots had different values,
 * it is a lower bound of the invariance, so a glacial load is not taken for an invariant one because each slot alone
 * looks perfect.
 *
 * - invariant_share 0.95: values that specialisation can use as constants. With no miss in n samples one is 95 % sure
 * of more than 1 - 3/n, so 64 samples are what 0.95 needs.
 * - variant_share 0.10: the score ignores values below 25 %. A slot drops its value below 20 %; samples spent on the
 * way to the best value lower the held share further, so the line is half of that.
 * - confident_samples 64: as said.
 * - visit_samples 16: fewer can be replaced in the co-processor at any moment; such a visit tells nothing.
 * - visits_max 4: the paper's.
 * - same_share 0.10: in a later round a load whose best value is what it was, to within this share, is known after
 * visit_samples. */
struct value_confidence {
    double invariant_share, variant_share, same_share;
    unsigned confident_samples, visit_samples, visits_max;
};
extern const struct value_confidence value_confidence_default;

/* Counts the visit that has just brought samples of l; true: the load is sufficiently known and can be masked. */
bool value_load_judge(struct value_load *l, const struct value_confidence *c);
/* The same of the high halves of one value. */
bool value_high_judge(struct value_count *v, const struct value_confidence *c);

/* Does the present round show one value, by the same line? */
bool value_load_is_steady(const struct value_load *l, const struct value_confidence *c);
/* Several values, each with many hits and next to no misses: it holds one value for long and then changes to another
 * (5.1.4). */
bool value_load_is_glacial(const struct value_load *l);

/* Estimated invariance of value number v, from 0 to 1 (A.6): of the rounds that are closed, or of the first one while
 * it is open. */
double value_estimate(const struct value_load *l, unsigned v);
/* The same of a whole value whose low half is value number v: the part with that high half, or all where the high
 * halves are not known. */
double value_estimate_whole(const struct value_load *l, unsigned v, uint64_t whole);
/* The likeliest whole value with that low half, and its share; plain where the high halves are not known. */
uint64_t value_whole(const struct value_count *c);
double value_estimate_best(const struct value_load *l, unsigned v);
/* What the regions where it was active say: hits / (hits + misses), or 0 where there are neither; of single samples,
 * their share. */
double value_measured(const struct value_load *l, unsigned v);

#endif
