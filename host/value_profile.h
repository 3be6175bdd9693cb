/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The value profile in host memory: what the slots brought, per static load and value, and the invariances estimated from it
 * (co-processor paper, sections 5.1.4 and 5.1.5, appendix A.6). */
#ifndef HOST_VALUE_PROFILE_H
#define HOST_VALUE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include <uthash.h>

/* One value of a load, in the regions where it was a slot's active value. */
struct value_count {
    uint32_t value; /* the low 32 bits */
    uint64_t hits, misses;
    uint64_t exact; /* occurrences in truth, once value_score has run */
};

struct value_load {
    uint32_t pc32;
    uint64_t total;        /* samples seen by its slots, re-selections included */
    uint64_t visit_total;  /* of these, in the present visit */
    unsigned visits;       /* visits that brought enough samples to count */
    bool masked;
    struct value_count *values; /* every value that a slot brought; masking bounds their number */
    unsigned value_count, value_room;
    bool known;            /* truth knows it */
    uint64_t executions;   /* if known */
    struct value_load *next_seen; /* the loads of the present visit */
    bool seen;
    UT_hash_handle hh;
};

struct value_profile {
    struct value_load *loads; /* a uthash table by pc32 */
    struct value_load *seen;  /* those of the present visit */
    unsigned masked;
};

void value_profile_init(struct value_profile *p);
void value_profile_fini(struct value_profile *p);
struct value_load *value_profile_find(const struct value_profile *p, uint32_t pc32);
unsigned value_profile_count(const struct value_profile *p);

/* Adds one slot to its load, and the load to those seen in this visit. */
void value_profile_add(struct value_profile *p, uint32_t pc32, uint32_t value, uint64_t hits, uint64_t misses, uint64_t total);
/* Forgets which loads the visit has seen, for the next one. */
void value_profile_end_visit(struct value_profile *p);

/* The largest number of hits that one value has. */
uint64_t value_load_best_hits(const struct value_load *l);

/* When a load is sufficiently known (section 5.1.4), with the reasons for the numbers:
 *
 * What is judged is held = (most hits of one value) / (all samples seen). For a load that had one active value it is the paper's
 * hits / (hits + misses). Where values were re-selected, or several slots had different values, it is a lower bound of the invariance,
 * so a glacial load is not taken for an invariant one because each slot alone looks perfect.
 *
 * - invariant_share 0.95: values that specialisation can use as constants. With no miss in n samples one is 95 % sure of more
 *   than 1 - 3/n, so 64 samples are what 0.95 needs.
 * - variant_share 0.10: the score ignores values below 25 %. A slot drops its value below 20 %; samples spent on the way to
 *   the best value lower the held share further, so the line is half of that.
 * - confident_samples 64: as said.
 * - visit_samples 16: fewer can be replaced in the co-processor at any moment; such a visit tells nothing.
 * - visits_max 4: the paper's. */
struct value_confidence {
    double invariant_share, variant_share;
    unsigned confident_samples, visit_samples, visits_max;
};
extern const struct value_confidence value_confidence_default;

/* Counts the visit that has just brought samples of l; true: the load is sufficiently known and can be masked. */
bool value_load_judge(struct value_load *l, const struct value_confidence *c);

/* Several values, each with many hits and next to no misses: it holds one value for long and then changes to another (5.1.4). */
bool value_load_is_glacial(const struct value_load *l);

/* Estimated invariance of value number v, from 0 to 1 (A.6). */
double value_estimate(const struct value_load *l, unsigned v);
/* What the regions where it was active say: hits / (hits + misses), or 0 where there are neither. */
double value_measured(const struct value_load *l, unsigned v);

#endif
