/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A set of 32-bit values, each with its counts while it was a slot's active value, and the estimate of the values'
 * shares of the samples (co-processor paper, appendix A.6). */
#ifndef HOST_DRIVER_VALUE_VALUE_SET_H
#define HOST_DRIVER_VALUE_VALUE_SET_H

#include <stdbool.h>
#include <stdint.h>

/* The program replaces a value that has at most this share of the samples since it became active. */
#define REPLACED_SHARE 0.20

/* The most that a value with this share has of the samples of a time in which replaced values were active. */
static inline double value_replaced_share(double share) { return share < REPLACED_SHARE ? share : REPLACED_SHARE; }

struct value_tally {
    uint32_t value;
    double hits, misses; /* samples, or proportional weights */
    double rest;         /* samples of its slots before it became active */
    double likely;       /* share of the samples, as value_set_solve has found */
};

struct value_set {
    struct value_tally *list;
    unsigned count, room;
    double total;                            /* samples seen by the slots, re-selections included */
    double forgotten_hits, forgotten_misses; /* of values that value_set_forget has removed */
    bool solved;                             /* `likely` is the estimate */
};

void value_set_fini(struct value_set *s);
/* Empties it. */
void value_set_clear(struct value_set *s);
/* The counts of one slot. */
void value_set_add(struct value_set *s, uint32_t value, double hits, double misses, double total);
/* Removes value number i. Its samples remain in the total. */
void value_set_remove(struct value_set *s, unsigned i);
/* Removes value number i for value_set_solve, which still counts its hits and misses, as those of a value without a
 * share. */
void value_set_forget(struct value_set *s, unsigned i);
/* The position of a value, or -1. */
int value_set_find(const struct value_set *s, uint32_t value);
/* The value with the most hits, the first among equals; NULL: the set is empty. */
const struct value_tally *value_set_best(const struct value_set *s);
/* Finds the shares of the values, and of all others together, under which the counts are the likeliest, by expectation
 * maximisation. A miss of a value is an occurrence of one of the others. A sample that is neither hit nor miss is of a
 * time in which values with at most REPLACED_SHARE of the samples were active: the value that its slot had in the end
 * has at most that share of these samples, too. Other values have none of them: there are too many for a share. The
 * shares found are the estimates from then on. */
void value_set_solve(struct value_set *s);
/* Estimated share, from 0 to 1, of the samples with value number i. */
double value_set_estimate(const struct value_set *s, unsigned i);

#endif
