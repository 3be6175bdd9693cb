/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of a value profile with the exact one: the error of the paper's Figure 6 (co-processor paper, sections
 * 5.2 and 5.3).
 *
 * Exact values have 64 bits. A profile of low halves has one estimate for all values with the same low half: each
 * exact value is compared with the estimate of its low half, as a user of the profile would apply it. */
#ifndef HOST_DRIVER_VALUE_VALUE_SCORE_H
#define HOST_DRIVER_VALUE_VALUE_SCORE_H

#include "contract/truth.h"
#include "host/driver/value/value_profile.h"

/* The scored pairs: values that a load has had at least 200 times and in at least a quarter of its executions
 * (section 5.2). */
enum { SCORE_MIN_COUNT = 200 };
#define SCORE_MIN_SHARE 0.25

static inline bool value_counts(const struct truth_load *t, const struct truth_value *v)
{
    return v->count >= SCORE_MIN_COUNT && (double)v->count >= SCORE_MIN_SHARE * (double)t->count;
}

/* Does the load have glacial values by its exact counts? Such loads "load a single value for a long interval (thousands
 * of instances) and then change" (section 5.1.4): no value has the share that makes a load invariant, and a value stays
 * for GLACIAL_STRETCH instances or more on average. */
enum { GLACIAL_STRETCH = 1000 };
bool value_exact_is_glacial(const struct truth_load *t);

/* One scored <load, value> pair: a point of Figure 5. */
struct value_pair {
    uint64_t pc, value;
    uint64_t count;   /* exact occurrences: the pair's weight */
    double exact;     /* exact invariance */
    double estimated; /* 0 if the value was never sampled */
    double measured;  /* hits / (hits + misses): before the correction of A.6 */
    bool found;
    bool glacial; /* the load has glacial values by its exact counts */
};

struct value_score {
    struct value_pair *pairs; /* by pc, then by descending count, then by value */
    unsigned count, room, found;
    double rms, rms_measured; /* weighted by count; NAN without pairs */
    double rms_low;           /* the same against exact low halves, with their own pairs; NAN without pairs */
    double rms_claimed;       /* the same with the values of the profile that are above both bounds by their estimates
                                 alone, weighted by the occurrences estimated; NAN without either */
    /* Values estimated above both bounds whose exact share is less than half the estimate. The paper's error does not
     * include them; the correction of A.6 produces them for loads with one frequent value and many rare ones, few of
     * which were sampled. */
    unsigned phantoms;
    /* number of static loads that retired; number of those with different 64-bit values that have equal low 32 bits */
    unsigned loads, aliased;
    uint64_t executions, executions_profiled;
    /* loads with glacial values by their exact counts; true positives and false positives of the profile */
    unsigned glacial, glacial_found, glacial_false;
};

/* Fills `s`, and the exact counts of the profile's loads and values. */
void value_score_init(struct value_score *s, struct value_profile *p, const struct truth *truth);
void value_score_fini(struct value_score *s);

#endif
