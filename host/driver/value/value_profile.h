/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The value profile in host memory: the accumulated slots per static load and value, and the invariances estimated
 * from them (co-processor paper, sections 5.1.4 and 5.1.5, appendix A.6).
 *
 * The run is divided into rounds. A load needs one or more rounds to become sufficiently known; from the next round
 * on it is profiled anew. Its samples represent the time from the start of the first to the end of the last of these
 * rounds. They are then scaled to its estimated executions in that time: samples per cycle while it was sampled,
 * times the cycles (section 5.1.4: "periodically re-sample"). */
#ifndef HOST_DRIVER_VALUE_VALUE_PROFILE_H
#define HOST_DRIVER_VALUE_VALUE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "host/driver/value/value_set.h"
#include "host/driver/value/value_visits.h"

/* Maximum number of values that a load keeps between rounds, or in a damped profile: those with the largest
 * weights. */
enum { VALUE_KEPT = 64 };

/* One value of a load, with the counts from the periods in which it was a slot's active value. */
struct value_count {
    uint32_t value;         /* low 32 bits */
    uint64_t hits, misses;  /* in all rounds */
    bool steady;            /* a slot has held it with many hits and almost no misses */
    struct value_set highs; /* its high halves; empty: unknown */
    unsigned high_visits;
    bool high_known; /* the high half is sufficiently known, or has been sampled often enough */
    uint64_t exact;  /* exact number of occurrences, after scoring: of the whole value, or of all with the low half */
};

struct value_load {
    uint32_t pc32;
    uint64_t total;              /* samples seen by its slots, including re-selections, in all rounds */
    unsigned visits;             /* visits with enough samples to count */
    struct value_set past;       /* closed rounds: estimated executions in place of samples */
    struct value_visits visited; /* all visits with samples of it */
    struct value_count *values;  /* all values read from slots */
    unsigned value_count, value_room;
    /* since the load was last sufficiently known */
    struct value_set round;
    uint64_t round_start;  /* core cycle */
    uint64_t round_cycles; /* cycles of the visits with samples of it */
    uint64_t visit_total;  /* samples of the current visit */
    unsigned round_visits; /* visits with enough samples to count */
    double best_share;     /* of the most frequent value, when last judged; used by a damped profile */
    bool masked;
    uint64_t masked_cycle;        /* core cycle in which it was first masked; 0: never */
    bool plain;                   /* its slots were single samples: hits only */
    bool known;                   /* the exact profile has the load */
    uint64_t executions;          /* if known */
    struct value_load *next_seen; /* list of the loads seen in the current visit */
    bool seen;
    bool asking;     /* queued for a visit of the second pass */
    uint64_t looked; /* core cycle of the end of the last visit with samples of it */
    unsigned checks; /* checks (value_check.h) with enough samples to count */
    bool waiting;    /* queued for a check */
    struct value_load *check_prev, *check_next;
    UT_hash_handle hh;
};

struct value_profile {
    struct value_load *loads; /* a uthash table by pc32 */
    struct value_load *seen;  /* loads seen in the current visit */
    unsigned masked;
    bool plain;           /* slots are single samples */
    uint64_t round_start; /* core cycle */
    uint64_t visit_start; /* core cycle in which the current visit began */
    bool damped;          /* a slot with n samples counts as the square root of n; value_set_solve gives the shares */
    bool all_fit;         /* the slots have room for all loads, and visits are equally long: in a damped profile a slot
                             then counts in proportion to its samples */
    bool checking;        /* the visit is a check: its samples of a masked load form a separate round */
};

void value_profile_init(struct value_profile *p);
void value_profile_fini(struct value_profile *p);
struct value_load *value_profile_find(const struct value_profile *p, uint32_t pc32);
unsigned value_profile_count(const struct value_profile *p);

/* Adds one slot to its load, and marks the load as seen in this visit. */
struct value_load *value_profile_add(struct value_profile *p, uint32_t pc32, uint32_t value, uint64_t hits,
                                     uint64_t misses, uint64_t total);
/* Ends a visit of `cycles` cycles, and clears the list of loads seen in it. */
void value_profile_end_visit(struct value_profile *p, uint64_t cycles);
/* Begins a new round in core cycle `cycle`: the masked loads are unmasked and profiled anew. */
void value_profile_next_round(struct value_profile *p, uint64_t cycle);
/* Closes the open rounds at the end of the run. */
void value_profile_close(struct value_profile *p, uint64_t cycle);

/* Finds a value of the load; NULL: not in any slot read. */
struct value_count *value_load_find(const struct value_load *l, uint32_t value);

/* Criteria for a sufficiently known load (section 5.1.4), with the reasons for the constants:
 *
 * The criterion uses held = (most hits of one value) / (all samples) in this round. For a load with one active value
 * it is the paper's hits / (hits + misses). If values were re-selected, or several slots had different values, it is
 * a lower bound of the invariance, so a glacial load is not classified as invariant although each single slot shows
 * one value.
 *
 * - invariant_share 0.95: values that specialisation can use as constants. After n samples without a miss, the
 *   invariance exceeds 1 - 3/n with 95 % confidence, so 0.95 requires 64 samples.
 * - variant_share 0.10: the score ignores values below 25 %. A slot replaces its value below 20 %; samples of the
 *   values before the best one reduce the held share further, so the threshold is half of 20 %.
 * - confident_samples 64: see invariant_share. value-paper.pasm has another number, a parameter.
 * - visit_samples 16: a slot with fewer samples can be replaced in the co-processor at any time; such a visit does
 *   not count. Another parameter of value-paper.pasm.
 * - visits_max 4: as in the paper.
 * - same_share 0.10: in a later round, a load whose best value is unchanged to within this share is known after
 *   same_samples, 16. */
struct value_confidence {
    double invariant_share, variant_share, same_share;
    unsigned confident_samples, visit_samples, same_samples, visits_max;
};
extern const struct value_confidence value_confidence_default;

/* Counts the visit that has just added samples of l. Returns true if the load is sufficiently known and can be
 * masked. */
bool value_load_judge(struct value_load *l, const struct value_confidence *c);
/* value_load_judge for the high halves of one value. */
bool value_high_judge(struct value_count *v, const struct value_confidence *c);

/* Whether the current round shows one value, by the same threshold. */
bool value_load_is_steady(const struct value_load *l, const struct value_confidence *c);
/* Whether the load has several values, each with many hits and almost no misses: it keeps one value for a long time
 * and then changes to another (section 5.1.4). */
bool value_load_is_glacial(const struct value_load *l);

/* Estimated invariance of value number v, from 0 to 1 (A.6): over the closed rounds, or in the first round while it
 * is open. */
double value_estimate(const struct value_load *l, unsigned v);
/* Estimated invariance of a 64-bit value whose low half is value number v: the part with that high half, or all of it
 * if the high halves are unknown. */
double value_estimate_whole(const struct value_load *l, unsigned v, uint64_t whole);
/* The most likely 64-bit value with that low half; the low half itself if the high halves are unknown. */
uint64_t value_whole(const struct value_count *c);
double value_estimate_best(const struct value_load *l, unsigned v);
/* The uncorrected invariance while the value was active: hits / (hits + misses), 0 without either; for single
 * samples, their share. */
double value_measured(const struct value_load *l, unsigned v);

#endif
