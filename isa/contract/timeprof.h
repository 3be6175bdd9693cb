/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles of time: for each instruction address, how many cycles a profiler gave it, by category. The core side fills
 * them from the probe port; the host side reports them and compares them.
 *
 * Time is counted in parts of a cycle of which every number of instructions that can commit together, up to 8, takes a
 * whole number: shares of a cycle add up exactly. */
#ifndef ISA_CONTRACT_TIMEPROF_H
#define ISA_CONTRACT_TIMEPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/contract/code.h"

enum time_category {
#define TIME_CATEGORY(sym, name, what) TIME_##sym,
#include "isa/contract/timeprof.def"
#undef TIME_CATEGORY
    TIME_CATEGORY_COUNT
};

enum { TIME_PER_CYCLE = 840 };

struct time_row {
    uint64_t pc; /* 0: time of no instruction of the program: a handler's, or at the end of a run that was cut short */
    /* In 1/TIME_PER_CYCLE cycles; all in EXECUTE if the profiler has no categories. */
    uint64_t time[TIME_CATEGORY_COUNT];
};

struct time_profile {
    const char *label; /* the profiler with its options, as it was asked for */
    bool exact;        /* every cycle was looked at: the reference for the others */
    bool by_category;
    bool weighted;              /* samples weigh differently: their number says nothing of the spread */
    uint64_t period;            /* of its samples, in cycles; in instructions if they weigh differently */
    uint64_t samples;           /* taken; 0 where exact */
    uint64_t lost;              /* selected and not delivered: their time went to the next one */
    uint64_t time;              /* sum over the rows */
    const struct time_row *row; /* by rising pc */
    size_t rows;
};

struct time_result {
    const struct time_profile *profile;
    unsigned profiles;
    uint64_t cycles; /* of the run */
    struct code code;
};

/* "load stall" for TIME_STALL_LOAD. */
const char *time_category_name(enum time_category c);

static inline uint64_t time_row_total(const struct time_row *r)
{
    uint64_t sum = 0;
    for (int c = 0; c < TIME_CATEGORY_COUNT; c++)
        sum += r->time[c];
    return sum;
}

#endif
