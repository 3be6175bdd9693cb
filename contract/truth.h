/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ground truth about a run, with which reports compare profiles. The core model fills it from the probe port; the host
 * side reads it. Hardware does not have it. */
#ifndef CONTRACT_TRUTH_H
#define CONTRACT_TRUTH_H

#include <stddef.h>
#include <stdint.h>

struct truth_value {
    uint64_t value, count;
};

/* Exact value profile of a static instruction: number of retirements, and values: first those that occurred more than
 * once, in descending order of count, then by value; behind them the others, which may be very many, in no order. */
struct truth_load {
    uint64_t pc, count;
    const struct truth_value *values;
    uint32_t value_count;
    uint64_t stretches; /* runs of equal values: 1 if the value never changes */
};

struct truth {
    void *ctx;
    /* Calls `each` for every static load that retired, in ascending order of pc. Pointers are valid during the call. */
    void (*loads)(void *ctx, void (*each)(void *arg, const struct truth_load *load), void *arg);
};

enum truth_order {
    TRUTH_BY_LOW_HALF,  /* of the value, ascending */
    TRUTH_BY_FREQUENCY, /* descending count */
};
/* Sorts the values; those that are equal in this order keep theirs. `spare` has room for `count` values. */
void truth_sort(struct truth_value *values, struct truth_value *spare, size_t count, enum truth_order order);

#endif
